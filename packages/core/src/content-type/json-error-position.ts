export interface JsonErrorPosition {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** What would be right there, e.g. `a comma or }`. */
  readonly expected: string
}

/** Tokens of JSON. Sticky, so that each begins where the one before ended; white space is skipped first. */
const space = /[ \t\n\r]*/y
const scalar =
  /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const name = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy

/**
 * Where a text stops being JSON. `JSON.parse` says so in some of its messages only, and each engine words them
 * differently. For a text that is JSON: its end.
 */
export function jsonErrorPosition(text: string): JsonErrorPosition {
  let at = 0
  /** Moves past the token if it is here. */
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

  /** The brackets that are open, by what closes them. */
  const open: ('}' | ']')[] = []
  const nameThere = (): boolean => take(name) && take(':')
  for (;;) {
    // A value stands here.
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
    // It has ended, and with it perhaps what it stands in.
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
