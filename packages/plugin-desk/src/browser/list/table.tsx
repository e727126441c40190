import { Link } from 'wouter'
import { type Entry, labelOf, relatedIn } from '../model/entries.ts'
import { columnLabel, mainFieldOf } from '../model/layout.ts'
import { type ContentType, inWords, nounOf, pictureFieldOf } from '../model/model.ts'
import { useSession } from '../model/session.tsx'
import { isWithShift, useRange } from '../page-parts/range.ts'
import { type Texts, useText } from '../text/index.ts'
import { Cell, CellPlace, Thumb } from './cells.tsx'
import { type Column, type ListState, sortOf } from './list-query.ts'

/** The name of a column. */
export function columnTitle(type: ContentType, { kind, name }: Column, text: Texts): string {
  const titles: Readonly<Partial<Record<Column['kind'], string>>> = {
    state: text.state,
    locales: text.languages,
    changed: text.changed,
  }
  return columnLabel(type, name) ?? titles[kind] ?? (name === 'id' ? text.id : inWords(name))
}

interface TableProps {
  readonly type: ContentType
  readonly columns: readonly Column[]
  readonly rows: readonly Entry[]
  readonly state: ListState
  readonly selected: ReadonlySet<number>
  readonly isOld: boolean
  readonly onSort: (sort: string) => void
  readonly onSelect: (ids: ReadonlySet<number>) => void
}

interface TickProps {
  readonly name: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean, isRange: boolean) => void
}

/** A box that marks rows. Its label has room for a finger around it. */
const Tick = ({ name, isOn, onChange }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      aria-label={name}
      checked={isOn}
      onChange={(event) => onChange(event.target.checked, isWithShift(event))}
    />
  </label>
)

/** The entries of a page of the list. */
export function Table({ type, columns, rows, state, selected, isOld, onSort, onSelect }: TableProps) {
  const text = useText()
  const { model } = useSession()
  const main = mainFieldOf(type)
  const field = pictureFieldOf(model, type.attributes)
  // Rows without a picture have a place for it where other rows have one.
  const picture = rows.some(({ attributes }) => relatedIn(attributes[field ?? '']).length > 0)
    ? field
    : undefined
  const noun = nounOf(type)
  const { select } = type.layout.list
  const [by, direction] = sortOf(type, state).split(':')
  const range = useRange(rows.map(({ id }) => id))
  const mark = (ids: readonly number[], isOn: boolean) =>
    onSelect(new Set(isOn ? [...selected, ...ids] : [...selected].filter((id) => !ids.includes(id))))
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  const heading = (name: string, label: string, sortable: boolean) => (
    <th
      key={name}
      scope="col"
      className={name === main ? 'col-main' : `col-${name}`}
      aria-sort={by === name ? (direction === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      {sortable ? (
        <button
          type="button"
          title={text.sortBy(label)}
          onClick={() => onSort(`${name}:${by === name && direction === 'asc' ? 'desc' : 'asc'}`)}
        >
          {label}
          {by === name && <span aria-hidden="true">{direction === 'desc' ? ' ↓' : ' ↑'}</span>}
        </button>
      ) : (
        label
      )}
    </th>
  )
  return (
    <div className="table">
      <table aria-busy={isOld}>
        <thead>
          <tr>
            {select && (
              <th scope="col" className="col-select">
                <Tick
                  name={text.selectAll}
                  isOn={all}
                  onChange={() => onSelect(all ? new Set() : new Set(rows.map(({ id }) => id)))}
                />
              </th>
            )}
            {heading(
              main ?? 'id',
              main ? (columnLabel(type, main) ?? inWords(main)) : text.id,
              main === undefined || type.layout.fields[main]?.sortable !== false,
            )}
            {columns.map((column) => heading(column.name, columnTitle(type, column, text), column.sortable))}
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => {
            const name = labelOf(entry, type, noun, text)
            return (
              <tr key={entry.id} className={selected.has(entry.id) ? 'selected' : undefined}>
                {select && (
                  <td>
                    <Tick
                      name={text.select(name)}
                      isOn={selected.has(entry.id)}
                      onChange={(isOn, isRange) => mark(range(entry.id, isRange), isOn)}
                    />
                  </td>
                )}
                <td className="col-main">
                  <Link href={`/content/${type.route}/${entry.id}`}>
                    {picture && <Thumb entry={entry} field={picture} />}
                    <span className="ti" translate="no">
                      {name}
                    </span>
                  </Link>
                </td>
                {columns.map((column) => (
                  <td key={column.name} className={`col-${column.name}`}>
                    <CellPlace entry={entry} label={columnTitle(type, column, text)}>
                      <Cell column={column} entry={entry} type={type} model={model} />
                    </CellPlace>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
