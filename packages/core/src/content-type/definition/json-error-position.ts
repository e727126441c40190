import { createRequire } from 'node:module'
import type { ParseError } from 'jsonc-parser'

export interface JsonErrorPosition {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The expected token, e.g. `a comma or the closing bracket`. */
  readonly expected: string
}

const name = 'a name in double quotes and a colon'
const separator = 'a comma or the closing bracket'

/** The expected token by the parser's name of the error. Default: a value. */
const expectations: Readonly<Record<string, string>> = {
  PropertyNameExpected: name,
  ColonExpected: 'a colon',
  CommaExpected: separator,
  CloseBraceExpected: separator,
  CloseBracketExpected: separator,
  EndOfFileExpected: 'the end',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'a text that ends on its line',
  InvalidEscapeCharacter: 'a text with the escapes of JSON',
  InvalidUnicode: 'a text with the escapes of JSON',
  InvalidCharacter: 'a text without control characters',
}

/**
 * The position of a syntax error in JSON. `JSON.parse` includes it in some of its messages only, and engines word them
 * differently. For valid JSON: its end.
 */
export function jsonErrorPosition(text: string): JsonErrorPosition {
  // Loaded for the first mistake: no start should wait for it.
  const jsonc = createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser')
  const errors: ParseError[] = []
  jsonc.parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  const before = text.slice(0, first?.offset).split('\n')
  return {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    expected: first ? (expectations[jsonc.printParseErrorCode(first.error)] ?? 'a value') : 'the end',
  }
}
