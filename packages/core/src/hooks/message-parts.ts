/** Checks of the statements and conditions that plugins add to the message of a write. */
import { isSql, type Sql, withOrigin } from '@octavo/database'
import { isObject, kindOf } from '../kinds-of-values.ts'
import { PluginError } from '../plugin/plugin-error.ts'
import type { WriteCheck, WriteStatement } from '../plugin/write-event.ts'
import { atOnce, isAsync } from './hook-answers.ts'
import { asked, blame } from './hook-errors.ts'

export const expectedStatements =
  "a list of statements, each { when: 'before' or 'after', statement: sql`…` }"

/** Whether each is a statement with a moment. Without a moment it would never be sent. */
export const areWriteStatements = (given: unknown): boolean =>
  Array.isArray(given) &&
  given.every(
    (one) => isObject(one) && (one.when === 'before' || one.when === 'after') && isSql(one.statement),
  )

export const isWriteCheck = (given: unknown): boolean =>
  isObject(given) &&
  isSql(given.finds) &&
  typeof given.refusal === 'function' &&
  (given.lock === undefined || isSql(given.lock))

const partOf = (fragment: Sql, plugin: string, hook: string): Sql =>
  withOrigin(fragment, `${hook} of the plugin "${plugin}"`)

/** Statements that name the plugin, as do their errors in `receive`. */
export const namedStatements = (
  statements: readonly WriteStatement[],
  plugin: string,
  hook = 'entry:statements',
): readonly WriteStatement[] =>
  statements.map(({ receive, ...one }) => {
    requireReceiver(receive, plugin, hook)
    return {
      ...one,
      statement: partOf(one.statement, plugin, hook),
      ...(receive && { receive: (row) => asked(plugin, hook, () => receive(row)) }),
    }
  })

/** Checks the receiver of rows before the message is sent, because it may be called after the commit. @throws PluginError */
function requireReceiver(given: unknown, plugin: string, hook: string): void {
  if (given === undefined) return
  if (typeof given !== 'function')
    throw new PluginError(plugin, hook, `the "receive" of a statement is ${kindOf(given)}, not a function`)
  if (isAsync(given))
    throw new PluginError(plugin, hook, 'the "receive" of a statement is async, and nothing waits for it')
}

/** Checks that name the plugin, as do their refusals when they fail, and when they are no error of a client. */
export const namedChecks = (checks: readonly WriteCheck[], plugin: string) =>
  checks.map((check) => ({
    ...check,
    finds: partOf(check.finds, plugin, 'entry:checks'),
    ...(check.lock && { lock: partOf(check.lock, plugin, 'entry:checks') }),
    refusal: (found: readonly number[]): Error =>
      asked(plugin, 'entry:checks', () => {
        const error: unknown = atOnce(check.refusal(found)) // for plugins that no compiler has checked
        if (error instanceof Error) return blame(plugin, 'entry:checks', error)
        throw new Error(`the refusal of a check returned ${kindOf(error)}, not an error`)
      }),
  }))
