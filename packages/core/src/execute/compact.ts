import type { PlanNode } from '../plan/plan.ts'
import { someNode } from '../plan/walk.ts'

/**
 * Whether an answer may have whitespace outside of strings: PostgreSQL writes none but in the text of a `jsonb`,
 * `{"a": 1}`.
 */
export const hasJson = (node: PlanNode): boolean =>
  someNode(node, ({ select }) => select.some(({ type }) => type.parameter === 'jsonb'))

const backslash = 92

/**
 * Removes the spaces outside of strings from JSON text: `{"a": [1, 2]}` → `{"a":[1,2]}`. It skips from quote to quote,
 * which takes a third of the time of `JSON.parse` and keeps numbers as they are written.
 */
export function compactJson(text: string): string {
  let compact = ''
  /** The text before it is in `compact`. */
  let copied = 0
  let place = 0
  let space = text.indexOf(' ')
  while (space !== -1) {
    const opening = text.indexOf('"', place)
    const end = opening === -1 ? text.length : opening
    if (space < place) space = text.indexOf(' ', place)
    while (space !== -1 && space < end) {
      compact += text.slice(copied, space)
      copied = space + 1
      space = text.indexOf(' ', copied)
    }
    if (opening === -1) break
    place = closingQuote(text, opening) + 1
  }
  return compact + text.slice(copied)
}

function closingQuote(text: string, opening: number): number {
  let quote = text.indexOf('"', opening + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

/** Whether an odd number of backslashes is before a character. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === backslash) first--
  return (index - first) % 2 === 1
}
