export interface JsonErrorPosition {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** The expected token, e.g. `a comma or }`. */
  readonly expected: string
}

/** Tokens of JSON. Sticky, so that each begins at the end of the previous one, after white space. */
const space = /[ \t\n\r]*/y
const scalar =
  /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const name = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy

/**
 * The position of a syntax error in JSON. `JSON.parse` includes it in some of its messages only, and engines word them
 * differently. For valid JSON: its end.
 */
export function jsonErrorPosition(text: string): JsonErrorPosition {
  let at = 0
  /** Consumes the token if it is next. */
  const take = (token: RegExp | string): boolean => {
    space.lastIndex = at
    at += space.exec(text)?.[0].length ?? 0
    if (typeof token === 'string') {
      if (text[at] !== token) return false
      at += token.length
      return true
    }
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) return false
    at += found[0].length
    return true
  }
  const stop = (expected: string): JsonErrorPosition => {
    const before = text.slice(0, at).split('\n')
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, expected }
  }

  /** The closing brackets of open lists and objects. */
  const open: ('}' | ']')[] = []
  const nameThere = (): boolean => take(name) && take(':')
  for (;;) {
    // Expects a value.
    if (take('{')) {
      if (!take('}')) {
        if (!nameThere()) return stop('a name in double quotes and a colon')
        open.push('}')
        continue
      }
    } else if (take('[')) {
      if (!take(']')) {
        open.push(']')
        continue
      }
    } else if (!take(scalar)) return stop('a value')
    // After a value, closes the lists and objects that end here.
    for (let closed = true; closed; ) {
      const closing = open.at(-1)
      if (closing === undefined) {
        take('')
        return stop('the end')
      }
      closed = take(closing)
      if (closed) open.pop()
      else if (!take(',')) return stop(`a comma or ${closing}`)
      else if (closing === '}' && !nameThere()) return stop('a name in double quotes and a colon')
    }
  }
}
