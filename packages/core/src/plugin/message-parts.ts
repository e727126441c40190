/** Checks of the statements and conditions that plugins add to the message of a write. */
import { isSql } from '@octavo/database'
import { isObject } from '../is-object.ts'
import { kindOf } from './hook-answers.ts'
import { asked, blame } from './hook-errors.ts'
import type { WriteCheck, WriteStatement } from './write-event.ts'

export const expectedStatements =
  "a list of statements, each { when: 'before' or 'after', statement: sql`…` }"

/** Whether each is a statement. One without a moment would be sent at none. */
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

/** Statements whose errors in `receive` name the plugin. */
export const namedStatements = (
  statements: readonly WriteStatement[],
  plugin: string,
): readonly WriteStatement[] =>
  statements.map((one) => {
    const { receive } = one
    return receive ? { ...one, receive: (row) => asked(plugin, 'entry:statements', () => receive(row)) } : one
  })

/** Checks whose refusals name the plugin when they fail, and when they are no error of a client. */
export const namedChecks = (checks: readonly WriteCheck[], plugin: string) =>
  checks.map((check) => ({
    ...check,
    refusal: (found: readonly number[]): Error =>
      asked(plugin, 'entry:checks', () => {
        const error: unknown = check.refusal(found) // for plugins that no compiler has checked
        if (error instanceof Error) return blame(plugin, 'entry:checks', error)
        throw new Error(`the refusal of a check returned ${kindOf(error)}, not an error`)
      }),
  }))
