import { Aliases, column, type RuntimeValue, type Sql, sql, table, where } from '@octavo/database'
import type { ContentType } from '../content-type/model.ts'
import type { Condition } from '../plan/plan.ts'
import { compileCondition } from './condition.ts'

/** The ids to check, bound when the statement runs. */
export const givenIds: RuntimeValue = Object.freeze({ name: 'entry.ids' })

/** A statement whose rows are `[id]`: the given entries that meet the condition. */
export function compileReach(type: ContentType, condition: Condition): Sql {
  const aliases = new Aliases()
  const alias = aliases.next()
  const id = column(alias, type.id.column)
  const isGiven = sql`${id} = any(${sql.val(givenIds)}::int4[])`
  const matching = compileCondition(condition, type, alias, aliases)
  return sql`select ${id} from ${table(type.table, alias)}${where([isGiven, matching])}`
}
