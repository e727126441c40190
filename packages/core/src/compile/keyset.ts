import { type Aliases, column, join, type Sql, sql, table, where } from '@octavo/database'
import type { Model, ValueAttribute } from '../content-type/model.ts'
import type { Keyset, OrderTerm, PlanNode } from '../plan/plan.ts'
import { compileListCondition } from './condition.ts'
import { orderBy } from './entry.ts'
import { inTime } from './guards.ts'
import { limit } from './pages.ts'
import { valueSql } from './value.ts'

/** The cursor position of a row: the text of each sort column, as a JSON list. */
export const positionOf = ({ order }: Keyset, alias: string): Sql =>
  sql`json_build_array(${join(
    order.map((term) => sql`${valueSql(term.attribute, alias)}::text`),
    ', ',
  )})`

/** The read order: nearest to the position first. Nulls are sorted by PostgreSQL's default. */
export const walk = ({ order, backward }: Keyset, alias: string): readonly Sql[] =>
  order.map(
    (term) =>
      sql`${valueSql(term.attribute, alias)}${(term.direction === 'desc') === backward ? sql`` : sql` desc`}`,
  )

/**
 * The rows of a page beyond a position, as a union of ranges: the same first value and a later second one, a
 * later first value, nulls. Each range is a query limited to the page size, so that each reads one range of an index;
 * a single `or` condition would read the list from its beginning.
 */
export function keysetRows(root: PlanNode, keyset: Keyset, aliases: Aliases): Sql {
  const range = (within: (alias: string) => readonly Sql[]): Sql => {
    const alias = aliases.next()
    const condition = root.where && compileListCondition(root.where, root.model, alias, aliases)
    return sql`select ${sql.id(alias)}.* from ${table(root.model.table, alias)}${where([inTime(column(alias, root.model.id.column), aliases), condition, ...within(alias)])}${orderBy(walk(keyset, alias))}${limit(root.slice, aliases)}`
  }
  const { position } = keyset
  if (!position) return range(() => [])
  const ranges = keyset.order.flatMap((term, i) => {
    const before = keyset.order.slice(0, i)
    const same = (alias: string) => before.map((earlier, n) => equals(earlier, position[n] ?? null, alias))
    return beyond(term, position[i] ?? null, keyset.backward, root.model).map((later) =>
      range((alias) => [...same(alias), later(alias)]),
    )
  })
  const all = aliases.next()
  const parts = join(
    ranges.map((rows) => sql`(${rows})`),
    ' union all ',
  )
  return sql`select ${sql.id(all)}.* from (${parts}) as ${sql.id(all)}${orderBy(walk(keyset, all))}${limit(root.slice, aliases)}`
}

function equals({ attribute }: OrderTerm, value: string | null, alias: string): Sql {
  const own = valueSql(attribute, alias)
  return value === null ? sql`${own} is null` : sql`${own} = ${parameter(attribute, value)}`
}

/** The ranges beyond a value: nulls come last in ascending order and first in descending order. */
function beyond(
  { attribute, direction }: OrderTerm,
  value: string | null,
  backward: boolean,
  model: Model,
): readonly ((alias: string) => Sql)[] {
  const rising = (direction === 'asc') !== backward
  const own = (alias: string): Sql => valueSql(attribute, alias)
  if (value === null) return rising ? [] : [(alias) => sql`${own(alias)} is not null`]
  if (!rising) return [(alias) => sql`${own(alias)} < ${parameter(attribute, value)}`]
  const greater = (alias: string): Sql => sql`${own(alias)} > ${parameter(attribute, value)}`
  return attribute === model.id ? [greater] : [greater, (alias) => sql`${own(alias)} is null`]
}

/** A parameter of the column's type, so that its index can be used. */
const parameter = ({ kind, type, definition }: ValueAttribute, value: string): Sql =>
  sql`${sql.val(value)}::${sql.raw(kind === 'scalar' ? type.column(definition) : type.parameter)}`
