import { failedStatement } from '../error/failed-statement.ts'
import { type Sql, sql } from './sql.ts'

const start = '/* from '
const end = ' */'

/**
 * A fragment with its origin in a comment, such as `the filter operator $near of the plugin "geo"`. It tells in a log whose part of a
 * statement may have failed, also in that of PostgreSQL.
 */
export const withOrigin = (fragment: Sql, origin: string): Sql =>
  // An asterisk could end the comment, and PostgreSQL takes no zero character in a statement.
  sql`${sql.raw(`${start}${origin.replaceAll(/[*\0]/g, '?')}${end} `)}${fragment}`

/** The origins in a text, each once. */
export const originsIn = (text: string): readonly string[] => [
  ...new Set(text.split(start).flatMap((part, i) => (i === 0 ? [] : [part.slice(0, part.indexOf(end))]))),
]

/** For a log: the parts of plugins in the statement that an error is about. Any of them may be the reason, or none. */
export function failedParts(error: unknown): { readonly parts?: readonly string[] } {
  const parts = originsIn(failedStatement(error) ?? '')
  return parts.length === 0 ? {} : { parts }
}
