/** Checks of the statements and conditions that plugins add to the message of a write. */
import { isSql } from '@octavo/database'
import { isObject } from '../is-object.ts'

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
