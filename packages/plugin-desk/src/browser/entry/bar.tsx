import { type ReactNode, useCallback, useEffect, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import type { OpenEntry } from '../../wire/index.ts'
import { type ContentType, titleOf } from '../model/model.ts'
import type { BesideChoice } from '../open-entry/beside.ts'
import { useEntry } from '../open-entry/context.ts'
import { Bar } from '../page-parts/bar.tsx'
import { StatePill } from '../page-parts/desk-parts.tsx'
import { idleIf } from '../page-parts/idle.ts'
import { addressOfList } from '../page-parts/left-lists.ts'
import { useText } from '../text/index.ts'
import { EntryMenu } from './entry-menu.tsx'
import { Actions } from './extensions-beside.tsx'
import { Languages } from './languages.tsx'
import { SaveButtons } from './save-buttons.tsx'
import type { Saving } from './use-saving.ts'

interface BarProps {
  readonly type: ContentType
  readonly saving: Saving
  readonly locale: string | undefined
  readonly origin: string | undefined
  readonly name: string
  /** Whether the person may change or create the entry. */
  readonly mayAct: boolean
  /** The languages that can be shown beside the fields. */
  readonly choices: readonly BesideChoice[]
  readonly choose: (code: string) => void
  /** The language that was chosen, which may still be on its way. */
  readonly wanted: string | undefined
  readonly opened: OpenEntry
  /** Shows the page anew, without what is not saved. */
  readonly reopen: () => void
  /** The sentences about saves. */
  readonly below: ReactNode
}

/** The row of actions: languages, save, publish. Saving never publishes. */
export function EntryBar(props: BarProps) {
  const { type, saving, locale, origin, mayAct, name, choices, choose, wanted, opened } = props
  const text = useText()
  const { form, beside } = useEntry()
  const canUndo = useSyncExternalStore(
    useCallback((call) => form.subscribeHistory(call), [form]),
    () => form.canUndo,
  )
  const { entry, save, busy } = saving
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (mayAct) void save('save')
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [save, mayAct])
  return (
    <Bar below={props.below}>
      <span className="crumb">
        {type.kind === 'collectionType' ? (
          <Link href={addressOfList(type.route)}>{titleOf(type)}</Link>
        ) : (
          titleOf(type)
        )}
        <span className="hidden">{` / ${name}`}</span>
      </span>
      {type.hasDrafts && entry && <StatePill publishedAt={entry.attributes.publishedAt} />}
      <span className="grow" />
      <Languages type={type} saving={saving} locale={locale} origin={origin} />
      {choices.length > 0 && (
        <select
          className="in narrow"
          aria-label={text.besideIs}
          value={choices.some(({ code }) => code === wanted) ? wanted : (beside?.locale.code ?? 'none')}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="none">{text.besideNone}</option>
          {choices.map(({ code, name }) => (
            <option key={code} value={code}>
              {text.besideOf(name)}
            </option>
          ))}
        </select>
      )}
      <button type="button" className="button quiet" {...idleIf(!canUndo, () => form.undo())}>
        {text.undo}
      </button>
      <Actions {...{ type, saving, locale }} />
      <SaveButtons {...{ type, saving, locale, mayAct }} />
      {entry && <EntryMenu {...{ type, opened, entry, name, locale, busy }} reopen={props.reopen} />}
    </Bar>
  )
}
