import { useId, useState } from 'react'
import { useSession } from '../model/session.tsx'
import { Dialog } from '../page-parts/dialog.tsx'
import { whenFocusIsLost } from '../page-parts/focus-back.ts'
import type { Right } from '../people/give.ts'
import { useText } from '../text/index.ts'
import {
  type Cell,
  type ConditionName,
  conditionName,
  conditions,
  fieldPaths,
  givenIn,
  takesFields,
} from './matrix.ts'

interface LimitsDialogProps {
  readonly title: string
  readonly cell: Cell
  readonly rights: readonly Right[]
  readonly own: readonly Right[]
  readonly isLocked: boolean
  readonly onChange: (rights: readonly Right[]) => void
  readonly onClose: () => void
}

/** The ways in which a role allows an action: each has fields, languages and a condition of its own. */
export function LimitsDialog({ title, cell, rights, own, isLocked, onChange, onClose }: LimitsDialogProps) {
  const text = useText()
  const offered = givenIn(own, cell)
  return (
    <Dialog title={title} isWide onClose={onClose}>
      {rights.map((right, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name but its place
        <fieldset key={i} className="limits" disabled={isLocked}>
          <legend>{rights.length > 1 ? text.wayOf(i + 1, rights.length) : text.limits}</legend>
          <Way {...{ cell, right, offered }} onChange={(next) => onChange(rights.with(i, next))} />
          {rights.length > 1 && (
            <button
              type="button"
              className="button quiet small danger"
              onClick={({ currentTarget }) => {
                const dialog = currentTarget.closest('dialog')
                onChange(rights.toSpliced(i, 1))
                whenFocusIsLost(() => dialog?.querySelector<HTMLElement>('.add-way'))
              }}
            >
              {text.removeWay}
            </button>
          )}
        </fieldset>
      ))}
      {!isLocked && offered[0] && (
        <button
          type="button"
          className="button small add-way"
          onClick={() => onChange([...rights, ...offered.slice(0, 1)])}
        >
          {text.addWay}
        </button>
      )}
    </Dialog>
  )
}

interface WayProps {
  readonly cell: Cell
  readonly right: Right
  /** The widest rights that may be given. */
  readonly offered: readonly Right[]
  readonly onChange: (right: Right) => void
}

function Way({ cell, right, offered, onChange }: WayProps) {
  const text = useText()
  const { model } = useSession()
  const type = model.types.find(({ uid }) => uid === cell.type)
  const set = (key: 'fields' | 'locales' | 'where', value: Right[typeof key]) => {
    const { [key]: _, ...others } = right
    onChange(value === undefined ? others : { ...others, [key]: value })
  }
  const open = (key: 'fields' | 'locales') =>
    offered.some((one) => one[key] === undefined) ? undefined : offered.flatMap((one) => one[key] ?? [])
  const ownFields = open('fields')
  const isOwn = (path: string): boolean =>
    ownFields === undefined || ownFields.some((own) => path === own || path.startsWith(`${own}.`))
  return (
    <>
      {type && takesFields(cell) && (
        <Names
          label={text.fieldsOfRight}
          allLabel={ownFields === undefined ? text.allFields : undefined}
          names={fieldPaths(type, model)
            .filter(({ path }) => isOwn(path))
            .map(({ path, label }) => [path, label])}
          chosen={right.fields}
          onChoose={(names) => set('fields', names)}
        />
      )}
      {type?.isLocalized && (
        <Names
          label={text.languages}
          allLabel={open('locales') === undefined ? text.allLanguages : undefined}
          names={model.locales
            .filter(({ code }) => open('locales')?.includes(code) ?? true)
            .map(({ code, name }) => [code, name])}
          chosen={right.locales}
          onChoose={(codes) => set('locales', codes)}
        />
      )}
      {offered.some(({ where }) => where === undefined) ? (
        <ConditionField where={right.where} onChange={(where) => set('where', where)} />
      ) : (
        right.where && <code className="secret">{JSON.stringify(right.where)}</code>
      )}
    </>
  )
}

interface NamesProps {
  readonly label: string
  /** The words for no limit; absent where it may not be given. */
  readonly allLabel: string | undefined
  readonly names: readonly (readonly [name: string, label: string])[]
  /** `undefined`: all. */
  readonly chosen: readonly string[] | undefined
  readonly onChoose: (names: readonly string[] | undefined) => void
}

/** Some of several names, or all of them. */
function Names({ label, allLabel, names, chosen, onChoose }: NamesProps) {
  const box = (name: string, words: string, checked: boolean, onCheck: (isChecked: boolean) => void) => (
    <label key={name}>
      <input type="checkbox" checked={checked} onChange={({ target }) => onCheck(target.checked)} />
      {words}
    </label>
  )
  return (
    <fieldset className="names">
      <legend>{label}</legend>
      {(allLabel !== undefined || chosen === undefined) &&
        box('', allLabel ?? label, chosen === undefined, (isAll) => onChoose(isAll ? undefined : []))}
      {chosen !== undefined &&
        names.map(([name, words]) =>
          box(name, words, chosen.includes(name), (isChecked) =>
            onChoose(isChecked ? [...chosen, name] : chosen.filter((one) => one !== name)),
          ),
        )}
    </fieldset>
  )
}

interface ConditionFieldProps {
  readonly where: Right['where']
  readonly onChange: (where: Right['where']) => void
}

function ConditionField({ where, onChange }: ConditionFieldProps) {
  const text = useText()
  const id = useId()
  const [name, setName] = useState<ConditionName>(conditionName(where))
  const [written, setWritten] = useState(() => JSON.stringify(where ?? {}, null, 2))
  const [isBroken, setBroken] = useState(false)
  const write = (json: string) => {
    setWritten(json)
    try {
      onChange(JSON.parse(json) as object)
      setBroken(false)
    } catch {
      // The former condition would allow more than what is written; the server refuses a text.
      onChange(json)
      setBroken(true)
    }
  }
  return (
    <div className="field">
      <label htmlFor={id}>{text.entriesOfRight}</label>
      <select
        className="in"
        id={id}
        value={name}
        onChange={({ target }) => {
          const next = target.value as ConditionName
          setName(next)
          if (next !== 'other') onChange(conditions[next])
        }}
      >
        {(['all', 'own', 'roles', 'other'] as const).map((one) => (
          <option key={one} value={one}>
            {text.conditionNames[one]}
          </option>
        ))}
      </select>
      {name === 'other' && (
        <textarea
          className="in code"
          aria-label={text.conditionAsFilters}
          aria-invalid={isBroken || undefined}
          value={written}
          onChange={({ target }) => write(target.value)}
        />
      )}
      {isBroken && <p className="error">{text.invalidJson}</p>}
    </div>
  )
}
