import { type Bindable, column as columnOf, sql, where } from '@octavo/database'
import type { Model, ScalarAttribute } from '../../content-type/model.ts'
import { notUnique } from '../../error/entry-problems.ts'
import { type UniqueKey, uniqueKeys } from '../../schema/tables/unique-keys.ts'
import { recordset } from '../compile/recordset.ts'
import type { BodyPath, RowWrite } from '../input/write-plan.ts'
import type { Check } from './check.ts'

interface UniqueValue {
  readonly value: Bindable
  /** The values of the scope of uniqueness; null for attributes that the write does not set. */
  readonly within: readonly Bindable[]
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
        const within = key.within.map((scope) => values.get(scope) ?? null)
        const isExempt = value === null || key.within.some((scope) => values.get(scope) === null)
        return isExempt ? [] : [{ value, within, id, at: [...at, key.attribute.name] }]
      })
      return given.length === 0 ? [] : [uniqueCheck(key, model, given)]
    }),
  )
}

/** Finds the numbers of the values that a stored row has, or an earlier row of the write. As in the unique index, no row is in a scope that is null. */
function uniqueCheck(
  { attribute, within }: UniqueKey,
  { table }: Model,
  given: readonly UniqueValue[],
): Check {
  const typeOf = ({ type, definition }: ScalarAttribute): string => type.column(definition)
  const columns = [
    { name: 'n', type: 'int4' },
    { name: 'id', type: 'int4' },
    { name: 'value', type: typeOf(attribute) },
    ...within.map((scope, i) => ({ name: `within${i}`, type: typeOf(scope) })),
  ]
  // Attributes that an update does not set have their stored values.
  const scopes = within.map(({ column }, i) => {
    const name = sql.id(`within${i}`)
    return sql`coalesce("g".${name}, (select ${columnOf('o', column)} from ${sql.id(table)} as "o" where "o"."id" = "g"."id")) as ${name}`
  })
  const same = within.map(({ column }, i) => sql`${columnOf('t', column)} = ${columnOf('r', `within${i}`)}`)
  const clash = where([
    sql`${columnOf('t', attribute.column)} = "r"."value"`,
    sql`"t"."id" is distinct from "r"."id"`,
    ...same,
  ])
  const rows = given.map((one, n) => [n, one.id ?? null, one.value, ...one.within])
  const names = ['value', ...within.map((_, i) => `within${i}`)].map((name) => sql.id(name))
  // Numbered by a sort: a look for an equal earlier row takes time with the square of their number.
  const numbered = sql`select "n", row_number() over (partition by ${sql.join(names)} order by "n") as "k" from "r" where (${sql.join(names)}) is not null`
  const again = sql` or "r"."n" in (select "n" from (${numbered}) as "e" where "k" > 1)`
  const found = sql`with "r" as (select ${sql.join([sql`"g"."n", "g"."id", "g"."value"`, ...scopes])} from ${recordset('g', columns, rows)}) select "r"."n" from "r" where exists (select 1 from ${sql.id(table)} as "t"${clash})${given.length > 1 ? again : sql``} order by 1`
  const report: Check['report'] = ([numbers = []], mistakes) => {
    for (const n of numbers) mistakes.add(given[n]?.at ?? [], notUnique)
  }
  return { lists: [{ rows: found, count: 0 }], report }
}
