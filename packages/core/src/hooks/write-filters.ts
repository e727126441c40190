/** Questions about one write that the filters of hooks answer. */
import { kindOf } from '../kinds-of-values.ts'
import { isCondition } from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import type { FilteredEvent, WriteStatement } from '../plugin/write-event.ts'
import type { HookRunner } from './hook-runner.ts'
import type { WriteHook } from './hooks.ts'
import { areWriteStatements, expectedStatements, namedStatements } from './message-parts.ts'

/** Whether a handler for the write uses the database. */
export const usesDatabase = (hooks: HookRunner, name: WriteHook, event: FilteredEvent): boolean =>
  hooks
    .ask(name, event, ({ database = true }) => (typeof database === 'boolean' ? database : database(event)))
    .includes(true)

/** The stored entries for which the handlers for the write have something to do; `undefined`: one of them may have for each entry. */
export function entriesToHandle(
  hooks: HookRunner,
  name: WriteHook,
  event: FilteredEvent,
): readonly Condition[] | undefined {
  const given = hooks.ask(name, event, (filter) => {
    const condition = filter.if?.(event)
    if (condition === undefined || isCondition(condition)) return condition
    throw new Error(`the key "if" of the filter returned ${kindOf(condition)}, not a condition or undefined`)
  })
  return given.every((condition) => condition !== undefined) ? given : undefined
}

/** The statements that handlers for the write send with it. */
export const sentStatements = (
  hooks: HookRunner,
  name: WriteHook,
  event: FilteredEvent,
): readonly WriteStatement[] =>
  hooks
    .ask(name, event, ({ sends }, plugin) => {
      const statements = sends?.(event) ?? []
      if (areWriteStatements(statements)) return namedStatements(statements, plugin, name)
      throw new Error(
        `the key "sends" of the filter returned ${kindOf(statements)}, not ${expectedStatements}`,
      )
    })
    .flat()
