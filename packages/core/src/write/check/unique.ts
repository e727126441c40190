import { type Bindable, column as columnOf, param, type Sql, sql, where } from '@octavo/database'
import type { Model, ScalarAttribute } from '../../content-type/model.ts'
import { type UniqueKey, uniqueKeys } from '../../schema/unique-keys.ts'
import { type RecordColumn, recordset } from '../compile/recordset.ts'
import type { BodyPath, RowWrite } from '../input/write-plan.ts'
import type { Check, List } from './check.ts'

interface UniqueValue {
  readonly value: Bindable
  /** The values of the scope of uniqueness; `undefined` for attributes that the write does not set. */
  readonly within: readonly (Bindable | undefined)[]
  /** The row that may have the value. */
  readonly id: number | undefined
  readonly at: BodyPath
}

/** Unique values are unique, among the stored ones and within the write. */
export function uniqueChecks(rows: readonly RowWrite[]): readonly Check[] {
  if (!rows.some(({ model }) => uniqueKeys(model).length > 0)) return []
  return [...Map.groupBy(rows, (row) => row.model)].flatMap(([model, written]) =>
    uniqueKeys(model).flatMap((key): readonly Check[] => {
      const given = written.flatMap(({ id, at, values }): readonly UniqueValue[] => {
        const value = values.get(key.attribute) ?? null
        const within = key.within.map((scope) => values.get(scope))
        return value === null ? [] : [{ value, within, id, at: [...at, key.attribute.name] }]
      })
      return given.length === 0 ? [] : [uniqueCheck(key, model, given)]
    }),
  )
}

/** Finds the numbers of the values that an earlier row of the write has, and of those that a stored row has. */
function uniqueCheck(key: UniqueKey, model: Model, given: readonly UniqueValue[]): Check {
  const again = twice(given)
  const stored: List = { rows: storedClashes(key, model, given), count: 0 }
  return {
    lists:
      again.length === 0
        ? [stored]
        : [{ rows: sql`select unnest(${param(again, 'int4[]')})`, count: 0 }, stored],
    report: (found, mistakes) => {
      for (const n of found.flat()) mistakes.add(given[n]?.at ?? [], 'This attribute must be unique')
    },
  }
}

/** The numbers of the candidates whose value occurs in an earlier row of the write. */
function twice(given: readonly UniqueValue[]): readonly number[] {
  const seen = new Set<string>()
  return given.flatMap(({ value, within }, n) => {
    const key = JSON.stringify([value, within.map((scope) => scope ?? null)])
    if (seen.has(key)) return [n]
    seen.add(key)
    return []
  })
}

function storedClashes(
  { attribute, within }: UniqueKey,
  { table }: Model,
  given: readonly UniqueValue[],
): Sql {
  const typeOf = ({ type, definition }: ScalarAttribute): string => type.column(definition)
  const columns: readonly RecordColumn[] = [
    { name: 'n', type: 'int4' },
    { name: 'id', type: 'int4' },
    { name: 'value', type: typeOf(attribute) },
    ...within.map((scope, i) => ({ name: `within${i}`, type: typeOf(scope) })),
  ]
  // Attributes that an update does not set have their stored values.
  const same = within.map(({ column }, i) => {
    const stored = sql`(select ${columnOf('o', column)} from ${sql.id(table)} as "o" where "o"."id" = "r"."id")`
    return sql`${columnOf('t', column)} is not distinct from coalesce(${columnOf('r', `within${i}`)}, ${stored})`
  })
  const clash = where([
    sql`${columnOf('t', attribute.column)} = "r"."value"`,
    sql`"t"."id" is distinct from "r"."id"`,
    ...same,
  ])
  const rows = given.map((one, n) => [
    n,
    one.id ?? null,
    one.value,
    ...one.within.map((value) => value ?? null),
  ])
  return sql`select "r"."n" from ${recordset('r', columns, rows)} where exists (select 1 from ${sql.id(table)} as "t"${clash}) order by 1`
}
