import { column, type Sql, sql, withOrigin } from '@octavo/database'
import type { ScalarType } from '../content-type/attribute-type.ts'
import type { ComputedAttribute, ValueAttribute } from '../content-type/model.ts'

/** The value of an attribute of the row with this alias: its column, or the expression that computes it. */
export const valueSql = (attribute: ValueAttribute, alias: string): Sql =>
  attribute.kind === 'scalar' ? column(alias, attribute.column) : expressionOf(attribute, alias)

function expressionOf({ compute, from, type, place, plugin }: ComputedAttribute, alias: string): Sql {
  // `resolve` refuses filters and sorts by such attributes.
  if (compute.kind === 'function') throw new Error(`${place} is computed by a function, which is no SQL`)
  const columns = Object.fromEntries(from.map(({ name, column: own }) => [name, column(alias, own)]))
  const value = compute.sql(columns)
  const named = plugin === undefined ? value : withOrigin(value, `${place} of the plugin "${plugin}"`)
  return sql`(${named})::${sql.raw(type.parameter)}`
}

/** A type of whole numbers, whose digits are in quotes only where JavaScript would round the number. */
export const asNumber = (type: ScalarType): ScalarType => ({ ...type, toJsonText: wholeText })

const least = sql.raw(String(Number.MIN_SAFE_INTEGER))
const most = sql.raw(String(Number.MAX_SAFE_INTEGER))

const wholeText = (value: Sql): Sql =>
  sql`case when ${value} between ${least} and ${most} then ${value}::text else '"' || ${value}::text || '"' end`
