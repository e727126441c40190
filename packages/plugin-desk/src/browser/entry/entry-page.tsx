import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { OpenEntry } from '../../wire/index.ts'
import { labelOf } from '../model/entries.ts'
import { mainFieldOf } from '../model/layout.ts'
import { type ContentType, nounOf, titleOf } from '../model/model.ts'
import { type Beside, useBeside } from '../open-entry/beside.ts'
import { FormContext, leadTo, type PanelProps } from '../open-entry/context.ts'
import { wordsOf } from '../open-entry/outcome-words.ts'
import { Asked } from '../page-parts/asked.tsx'
import { Waiting } from '../page-parts/desk-parts.tsx'
import { pageOf, Shown } from '../page-parts/page.tsx'
import { goOnAt } from '../page-parts/page-keys.ts'
import { Trouble } from '../page-parts/trouble.tsx'
import { useText } from '../text/index.ts'
import { EntryBar } from './bar.tsx'
import { begunAs } from './begun.ts'
import { LeftText } from './left-text.tsx'
import { Margin } from './margin.tsx'
import { Notes } from './notes.tsx'
import { Sheet } from './sheet.tsx'
import { Told } from './told.tsx'
import { useContextBeside, useEditor } from './use-editor.ts'
import { type Address, type Opening, useAddress, useOpenEntry } from './use-open-entry.ts'

const panelFile = pageOf(() => import('./panel.tsx'))

const Panel = (props: PanelProps) => <Shown page={panelFile} props={props} />

/** An entry, or a new one with the id `new`. @param id `undefined` for a single type */
export default function EntryPage({ type, id }: { type: ContentType; id: string | undefined }) {
  const text = useText()
  const address = useAddress(type, id)
  const { opened, open, unkept, discard, again } = useOpenEntry(address)
  if (!opened) return <Waiting onAgain={again} />
  if (opened instanceof OpenEntry) return <Editor {...{ ...address, opened, open, unkept, discard }} />
  return (
    <main id="main" className="page" tabIndex={-1}>
      {opened.kind === 'missing' ? (
        <>
          <h1>{text.notFound}</h1>
          <LeftText {...{ type, id }} route={type.route} />
        </>
      ) : (
        <>
          <Trouble onAgain={again}>
            {text.notLoaded(type.name)} {wordsOf(opened, text)}
          </Trouble>
          {opened.kind === 'refused' && <LeftText {...{ type, id }} route={type.route} />}
        </>
      )}
      {type.kind === 'collectionType' && (
        <p>
          <Link href={`/content/${type.route}`}>{titleOf(type)}</Link>
        </p>
      )}
    </main>
  )
}

interface EditorProps extends Address, Omit<Opening, 'opened' | 'again'> {
  readonly opened: OpenEntry
}

/** The language beside the page, as the address has it. */
function useWanted() {
  const [address, go] = useLocation()
  const search = useSearch()
  const choose = (code: string): void => {
    const params = new URLSearchParams(search)
    params.set('beside', code)
    go(`${address}?${params}`, { replace: true })
  }
  return { wanted: new URLSearchParams(search).get('beside') ?? undefined, choose }
}

/** Goes on at the address of the entry once a new one is stored, as the same page: what is open stays open. */
function useOwnAddress({ type, id }: Address, stored: number | undefined, beside: Beside | undefined): void {
  const [address, go] = useLocation()
  // A translation goes on beside the language that it is made of.
  const search = beside ? `?beside=${beside.locale.code}` : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the entry is stored
  useEffect(() => {
    if (id !== 'new' || stored === undefined) return
    const own = `/content/${type.route}/${stored}`
    goOnAt(address, own)
    go(`${own}${search}`, { replace: true })
  }, [id, stored])
}

function Editor(props: EditorProps) {
  const { type, opened, open, locale: given, origin, begun, unkept, discard } = props
  const text = useText()
  const { wanted, choose } = useWanted()
  const [restored, setRestored] = useState(opened.restored)
  const isTranslation = origin !== undefined
  const editor = useEditor({
    ...{ type, opened, open, locale: given, isTranslation, unkept, Panel },
    onSaved: () => setRestored(undefined),
  })
  const { saving, locale, mayAct, way } = editor
  const { entry } = saving
  const { beside, choices, asking } = useBeside({ type, entry, locale, origin, wanted })
  useOwnAddress(props, entry?.id, beside)
  const context = useContextBeside(editor.context, beside)
  const copy = entry ? undefined : begunAs(begun)
  const name = entry ? labelOf(entry, type, nounOf(type), text) : text.newEntry(nounOf(type))
  useEffect(() => {
    document.title = name
  }, [name])
  useEffect(() => {
    const title = mainFieldOf(type)
    if (begunAs(begun) && title !== undefined) leadTo(way, title)
  }, [begun, type, way])
  return (
    <FormContext value={context}>
      <div className="room">
        <EntryBar
          {...{ type, saving, locale, origin, mayAct, choices, choose, wanted, opened, name }}
          reopen={discard}
          below={<Told {...{ type, locale, name, saving, unkept }} />}
        />
        <main id="main" className="entry" tabIndex={-1}>
          <Notes
            {...{ type, saving, locale, restored }}
            copy={copy}
            opened={opened}
            onKeep={() => setRestored(undefined)}
            onDiscard={discard}
          />
          {asking && (
            <div className="wide">
              <Asked of={{ [text.besideIs]: asking }} />
            </div>
          )}
          <Sheet {...{ type, name, isTranslation }} />
          <Margin {...{ type, entry, locale, isTranslation }} />
        </main>
      </div>
    </FormContext>
  )
}
