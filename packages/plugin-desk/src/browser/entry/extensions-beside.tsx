import { useMemo, useState } from 'react'
import type { ActionExtension, EntryInfo, PanelExtension, PanelState, TypeInfo } from '../../extension.ts'
import { MountPlace, nameOf } from '../extensions/mount.tsx'
import { type Defined, inLanguage, isWords, ofType, useExtensions } from '../extensions/registry.ts'
import type { ContentType } from '../model/model.ts'
import { useEntry, useMadeOf, useSummary } from '../open-entry/context.ts'
import { idleIf } from '../page-parts/idle.ts'
import { useText } from '../text/index.ts'
import type { Saving } from './use-saving.ts'

const infoOf = ({ uid, kind, route, attributes }: ContentType): TypeInfo => ({ uid, kind, route, attributes })

interface BesideEntryProps {
  readonly type: ContentType
  readonly locale: string | undefined
}

interface PanelsProps extends BesideEntryProps {
  readonly entry: EntryInfo | undefined
}

/** A module may define several things with one name. */
const keyOf = (one: Defined<{ readonly name: string }>, i: number): string => `${i} ${nameOf(one)}`

/** The panels that extensions add beside an entry. */
export function Panels(props: PanelsProps) {
  const panels = ofType(useExtensions().panels, props.type.uid)
  return panels.map((panel, i) => <Panel key={keyOf(panel, i)} {...props} panel={panel} />)
}

function Panel({ type, entry, locale, panel }: PanelsProps & { panel: Defined<PanelExtension> }) {
  const { language } = useText()
  const { form, mayWrite } = useEntry()
  const version = useMadeOf('', () => form.summary('').version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the form is another state
  const state = useMemo((): PanelState => {
    const field = (name: string) => {
      const node = form.find(name)
      return node?.kind === 'scalar' ? node : undefined
    }
    return {
      ...{ entry, locale, type: infoOf(type) },
      read: (name) => structuredClone(field(name)?.value),
      write: (name, value) => {
        const node = field(name)
        if (!node || !mayWrite(node.key)) return false
        form.set(node.key, JSON.parse(JSON.stringify(value ?? null)))
        return true
      },
    }
  }, [form, mayWrite, type, entry, locale, version])
  return (
    <section className="field" aria-label={inLanguage(panel.title, language)}>
      <div className="label">{inLanguage(panel.title, language)}</div>
      <MountPlace of={panel} state={state} />
    </section>
  )
}

/** The buttons that extensions add to a stored entry. */
export function Actions({ type, saving, locale }: BesideEntryProps & { readonly saving: Saving }) {
  const actions = ofType(useExtensions().actions, type.uid)
  const [told, setTold] = useState('')
  const { entry, refresh } = saving
  if (!entry || actions.length === 0) return null
  return (
    <>
      <span className="told" role="status">
        {told}
      </span>
      {actions.map((action, i) => (
        <ActionButton
          key={keyOf(action, i)}
          {...{ type, entry, locale, action }}
          onTell={setTold}
          onEnd={refresh}
        />
      ))}
    </>
  )
}

interface ActionButtonProps extends BesideEntryProps {
  readonly entry: EntryInfo
  readonly action: Defined<ActionExtension>
  readonly onTell: (words: string) => void
  /** Called when the action is over: it may have changed the entry. */
  readonly onEnd: () => Promise<void>
}

function ActionButton({ type, entry, locale, action, onTell, onEnd }: ActionButtonProps) {
  const text = useText()
  const { changed } = useSummary('')
  const [isBusy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setBusy(true)
    onTell('')
    try {
      const words: unknown = await action.run({ entry: structuredClone(entry), locale, type: infoOf(type) })
      onTell(isWords(words) ? inLanguage(words, text.language) : '')
    } catch (error) {
      console.error(`The extension ${nameOf(action)} has failed.`, error)
      onTell(text.extensionFailed(nameOf(action)))
    }
    await onEnd().finally(() => setBusy(false))
  }
  return (
    <button type="button" className="button" {...idleIf(isBusy || changed > 0, run)}>
      {inLanguage(action.label, text.language)}
    </button>
  )
}
