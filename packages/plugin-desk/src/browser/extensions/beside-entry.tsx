import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ActionExtension, EntryInfo, PanelExtension, PanelState, TypeInfo } from '../../extension.ts'
import { useEntry, useMadeOf, useSummary } from '../entry/context.ts'
import { idleIf } from '../idle.ts'
import type { ContentType } from '../model.ts'
import { useText } from '../text/index.ts'
import { MountPlace, nameOf } from './mount.tsx'
import { type Defined, inLanguage, ofType, useExtensions } from './registry.ts'

const infoOf = ({ uid, kind, route, attributes }: ContentType): TypeInfo => ({ uid, kind, route, attributes })

interface BesideEntryProps {
  readonly type: ContentType
  readonly entry: EntryInfo | undefined
  readonly locale: string | undefined
}

/** The panels that extensions add beside an entry. */
export function Panels(props: BesideEntryProps) {
  const panels = ofType(useExtensions().panels, props.type.uid)
  return panels.map((panel) => <Panel key={nameOf(panel)} {...props} panel={panel} />)
}

function Panel({ type, entry, locale, panel }: BesideEntryProps & { panel: Defined<PanelExtension> }) {
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
export function Actions({ type, entry, locale }: BesideEntryProps) {
  const actions = ofType(useExtensions().actions, type.uid)
  const [told, setTold] = useState('')
  if (!entry || actions.length === 0) return null
  return (
    <>
      <span className="told" role="status">
        {told}
      </span>
      {actions.map((action) => (
        <ActionButton key={nameOf(action)} {...{ type, entry, locale, action }} onTell={setTold} />
      ))}
    </>
  )
}

interface ActionButtonProps extends BesideEntryProps {
  readonly entry: EntryInfo
  readonly action: Defined<ActionExtension>
  readonly onTell: (words: string) => void
}

function ActionButton({ type, entry, locale, action, onTell }: ActionButtonProps) {
  const text = useText()
  const client = useQueryClient()
  const { changed } = useSummary('')
  const [isBusy, setBusy] = useState(false)
  const run = async (): Promise<void> => {
    setBusy(true)
    onTell('')
    try {
      const words = await action.run({ entry: structuredClone(entry), locale, type: infoOf(type) })
      onTell(words === undefined ? '' : inLanguage(words, text.language))
      await client.invalidateQueries({ queryKey: ['list', type.uid] })
    } catch (error) {
      console.error(`The extension ${nameOf(action)} has failed.`, error)
      onTell(text.extensionFailed(nameOf(action)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" {...idleIf(isBusy || changed > 0, run)}>
      {inLanguage(action.label, text.language)}
    </button>
  )
}
