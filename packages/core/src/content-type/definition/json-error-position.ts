import { createRequire } from 'node:module'
import type { ParseErrorCode } from 'jsonc-parser'

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

/** Ends the reading of a text at its first mistake. */
class FirstMistake {
  readonly offset: number
  readonly code: ParseErrorCode

  constructor(offset: number, code: ParseErrorCode) {
    this.offset = offset
    this.code = code
  }
}

/**
 * The position of a syntax error in JSON. `JSON.parse` includes it in some of its messages only, and engines word them
 * differently. Absent for valid JSON, and for a text that nests too deeply to be read.
 */
export function jsonErrorPosition(text: string): JsonErrorPosition | undefined {
  // Loaded for the first mistake: no start should wait for it.
  const jsonc = createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser')
  try {
    const onError = (code: ParseErrorCode, offset: number): never => {
      throw new FirstMistake(offset, code)
    }
    jsonc.visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    if (!(error instanceof FirstMistake)) throw error
    const before = text.slice(0, error.offset).split('\n')
    return {
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
      expected: expectations[jsonc.printParseErrorCode(error.code)] ?? 'a value',
    }
  }
}

/**
 * Characters of a request's text, at most, in which a mistake is looked for: it takes twice the time of the parser, which nobody should get for a
 * megabyte of anything.
 */
export const longestSearched = 100_000

/** The position in words, for messages: `: line 3, column 1: expected a value`. Empty where it is not known, and for a long text. */
export function jsonErrorText(text: string): string {
  const found = text.length > longestSearched ? undefined : jsonErrorPosition(text)
  return found ? `: line ${found.line}, column ${found.column}: expected ${found.expected}` : ''
}
