import { type BatchedTransaction, type Sql, sql } from '@octavo/database'
import { changeSetting } from '../../compile/written-ids.ts'
import type { Reaches } from '../../execute/reach.ts'
import type { HookRunner } from '../../hooks/hook-runner.ts'
import type { WriteHook } from '../../hooks/hooks.ts'
import { sentStatements } from '../../hooks/write-filters.ts'
import type { FilteredEvent, WriteStatement } from '../../plugin/write-event.ts'

const changeOf = { create: 'created', update: 'updated', delete: 'deleted' } as const

/**
 * The statements that plugins add to a write, in the order in which they are sent.
 * @param id The id of the written entry as an expression; null when the write is refused. @param after The hook that follows; default: none.
 */
export function pluginStatements(
  event: FilteredEvent,
  id: Sql,
  { hooks, reaches }: { readonly hooks: HookRunner; readonly reaches: Reaches },
  after?: WriteHook,
): readonly WriteStatement[] {
  const sent = after ? sentStatements(hooks, after, event) : []
  if (!hooks.has('entry:statements', event)) return sent
  const { action, type, state } = event
  const named = event.id !== undefined && action === 'update' ? hooks.collect('entry:change', event) : []
  const usual = changeOf[action]
  const meets = named.map(
    ({ name, if: condition }) =>
      sql`when exists (${reaches.meeting(condition, { type, id: event.id ?? 0, state })}) then ${sql.lit(name)}`,
  )
  const change = sql`case ${sql.join(meets, sql` `)} else ${sql.lit(usual)} end`
  const setting = sql.lit(changeSetting)
  const name = named.length === 0 ? sql.lit(usual) : sql`current_setting(${setting})`
  const written = sql`(select "e"."id", ${name} as "change" from (select ${id} as "id") as "e" where "e"."id" is not null)`
  const changes = [...new Set(named.map((one) => one.name)), usual]
  const added = [...hooks.collect('entry:statements', { ...event, written, changes }).flat(), ...sent]
  if (named.length === 0 || added.length === 0) return added
  return [{ when: 'before', statement: sql`select set_config(${setting}, ${change}, true)` }, ...added]
}

/** Sends the statements that run before the rows are written, or those that run after it. */
export function sendStatements(
  statements: readonly WriteStatement[],
  when: WriteStatement['when'],
  tx: BatchedTransaction,
): void {
  for (const one of statements) if (one.when === when) tx.send(one.statement, one.receive)
}
