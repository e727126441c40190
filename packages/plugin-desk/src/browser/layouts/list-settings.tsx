import { useId } from 'react'
import type { Layout } from '../model/model.ts'
import { useText } from '../text/index.ts'
import { OrderedList } from './ordered-list.tsx'

interface ListSettingsProps {
  readonly layout: Layout
  /** Names that can be columns. */
  readonly names: readonly string[]
  readonly labelOf: (name: string) => string
  readonly onChange: (layout: Layout) => void
}

/** The columns of a list, its order, and the size of its pages. */
export function ListSettings({ layout, names, labelOf, onChange }: ListSettingsProps) {
  const text = useText()
  const id = useId()
  const { list } = layout
  const set = (change: Partial<Layout['list']>) => onChange({ ...layout, list: { ...list, ...change } })
  const [by = '', direction = 'asc'] = list.sort.split(':')
  const choice = (
    key: string,
    label: string,
    value: string,
    all: readonly (readonly [string, string])[],
    onPick: (value: string) => void,
  ) => (
    <div className="field">
      <label htmlFor={`${id}-${key}`}>{label}</label>
      <select
        className="in"
        id={`${id}-${key}`}
        value={value}
        onChange={({ target }) => onPick(target.value)}
      >
        {all.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
  const fields = names.map((name) => [name, labelOf(name)] as const)
  return (
    <section className="sheet" aria-label={text.listOf}>
      <h2>{text.listOf}</h2>
      <h3>{text.columns}</h3>
      <OrderedList
        items={list.columns.map((name) => ({ name }))}
        labelOf={labelOf}
        others={names.filter((name) => !list.columns.includes(name))}
        make={(name) => ({ name })}
        addLabel={text.addColumn}
        onChange={(items) => items.length > 0 && set({ columns: items.map(({ name }) => name) })}
      />
      <div className="place">
        {choice('main', text.mainField, layout.mainField, fields, (mainField) =>
          onChange({ ...layout, mainField }),
        )}
        {choice('sort', text.sortField, by, fields, (name) => set({ sort: `${name}:${direction}` }))}
        {choice(
          'direction',
          text.sortDirection,
          direction,
          [
            ['asc', text.ascending],
            ['desc', text.descending],
          ],
          (to) => set({ sort: `${by}:${to}` }),
        )}
        <div className="field">
          <label htmlFor={`${id}-size`}>{text.pageSize}</label>
          <input
            className="in"
            id={`${id}-size`}
            type="number"
            min={1}
            max={100}
            required
            value={list.pageSize}
            onChange={({ target }) => target.valueAsNumber >= 1 && set({ pageSize: target.valueAsNumber })}
          />
        </div>
      </div>
      <fieldset className="names">
        <legend>{text.listHas}</legend>
        {(['search', 'filters', 'select'] as const).map((key) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={list[key]}
              onChange={({ target }) => set({ [key]: target.checked })}
            />
            {text.listParts[key]}
          </label>
        ))}
      </fieldset>
    </section>
  )
}
