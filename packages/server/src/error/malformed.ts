import type { OctavoError } from '@octavo/core'
import { jsonErrorPosition, longestSearched } from '@octavo/core/internal'
import { problem } from './problems.ts'

/**
 * The error for a body that is not a JSON object or list. It says where the mistake is and what was expected there, and repeats nothing of the
 * body.
 *
 * @param text The body, where it is known. The place of a mistake in a long one is not looked for.
 */
export function malformed(text: string | undefined, cause: unknown): OctavoError {
  if (text === undefined || text.length > longestSearched) return problem('body/malformed', {}, { cause })
  const found = jsonErrorPosition(text.replace(/^\ufeff/, ''))
  if (!found && !/^\ufeff?\s*[[{]/.test(text)) return noObject()
  if (!found) return problem('body/malformed', {}, { cause })
  const { line, column, expected } = found
  return problem(
    'body/malformed',
    { message: `The body is not valid JSON: line ${line}, column ${column}: expected ${expected}.` },
    { details: { line, column }, cause },
  )
}

/** The error for valid JSON that is a text, a number, a boolean or null. */
export const noObject = (): OctavoError =>
  problem('body/malformed', { message: 'The body is JSON, but no object or list.' })
