import { join, type Sql, sql } from '@octavo/database'
import type { Model } from '../content-type/model.ts'
import { allOf } from '../plan/condition.ts'
import type { Condition, Operand, PlanNode } from '../plan/plan.ts'
import { type TotalPart, totalParts } from '../schema/tables/total-parts.ts'
import { totals } from '../schema/tables/totals-table.ts'

/** A total that is kept: the rows within a scope, less those that only time will bring into the list. */
export interface KeptTotal {
  /** The number of rows in the scope. */
  readonly total: Sql
  /** The rows of the scope that are not in the list yet (published in the future), which are counted. */
  readonly later: Condition | undefined
}

type Compare = Extract<Condition, { kind: 'compare' }>

/** The kept total of a list; `undefined` when it is narrowed by anything but the parts of its totals. */
export function keptTotal({ model, where }: PlanNode): KeptTotal | undefined {
  const parts = totalParts(model)
  const conditions = where === undefined ? [] : compared(where)
  if (!parts || !conditions) return undefined
  const within: Sql[] = []
  let later: Condition | undefined
  for (const condition of conditions) {
    const index = parts.findIndex(({ attribute }) => attribute === condition.attribute)
    const part = parts[index]
    if (!part) return undefined
    const scope = scopeCondition(part, condition, sql`(scope->>${sql.lit(index)})`)
    if (!scope) return undefined
    within.push(scope)
    if (isPast(condition)) {
      if (later) return undefined
      const others = conditions.filter((other) => other !== condition)
      later = allOf([...others, { ...condition, operator: '$gt' }])
    }
  }
  return { total: sumOf(model, within), later }
}

function sumOf(model: Model, within: readonly Sql[]): Sql {
  const conditions = [sql`"table" = ${sql.lit(model.table)}`, ...within]
  return sql`select coalesce(sum(delta), 0)::int8 from ${totals} where ${join(conditions, ' and ')}`
}

/** The comparisons of which all must hold; `undefined` for a condition of another form. */
function compared(condition: Condition): readonly Compare[] | undefined {
  if (condition.kind === 'compare') return [condition]
  if (condition.kind === 'constant') return condition.value ? [] : undefined
  if (condition.kind !== 'and') return undefined
  const children = condition.children.map(compared)
  return children.every((child) => child !== undefined) ? children.flat() : undefined
}

const isPast = ({ operator, operands: [operand] }: Compare): boolean =>
  operator === '$lte' && operand?.kind === 'now'

function scopeCondition({ by }: TotalPart, condition: Compare, scope: Sql): Sql | undefined {
  const { operator, operands, asText } = condition
  if (asText) return undefined
  if (by === 'presence') {
    if (operator === '$notNull' || isPast(condition)) return sql`${scope} = 'true'`
    return operator === '$null' ? sql`${scope} = 'false'` : undefined
  }
  if (operator === '$null') return sql`${scope} is null`
  if (operator === '$notNull') return sql`${scope} is not null`
  const [operand] = operands
  if (!operand || operand.kind === 'now' || operand.kind === 'written') return undefined
  if (operator === '$eq') return sql`${scope} = ${valueText(operand, 'text')}`
  return operator === '$in' ? sql`${scope} = any(${valueText(operand, 'text[]')})` : undefined
}

const valueText = ({ value }: Exclude<Operand, { kind: 'now' | 'written' }>, type: string): Sql =>
  sql`${sql.val(value)}::${sql.raw(type)}`
