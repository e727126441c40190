/** Questions about one write that the filters of hooks answer. */
import type { Condition } from '../plan/plan.ts'
import type { HookRunner } from './hook-runner.ts'
import type { WriteHook } from './hooks.ts'
import type { FilteredEvent } from './write-event.ts'

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
  const given = hooks.ask(name, event, (filter) => filter.if?.(event))
  return given.every((condition) => condition !== undefined) ? given : undefined
}
