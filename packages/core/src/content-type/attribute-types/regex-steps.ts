/** An upper bound on the steps of regular expressions, by their form. */

const atom = String.raw`\\.|\[(?:\\.|[^\]\\])*\]|[^()|*+?{}[\]\\^$]`
const quantifier = String.raw`[*+?]\??|\{\d+(?:,\d*)?\}\??`

/** A group without groups in it, and its quantifier. */
const group = new RegExp(
  String.raw`\((?:\?(?:[:=!]|<[=!]|<\w+>))?((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()[\]\\])*)\)(${quantifier})?`,
  'gs',
)
const sequence = new RegExp(`^(?:(?:${atom})(?:${quantifier})?)*$`, 's')
const atoms = new RegExp(atom, 'gs')
const quantifiers = new RegExp(`(?<=${atom})(?:${quantifier})`, 'gs')

/** References to groups, and escapes with more characters: they are not looked into. */
const opaque = /\\[1-9ckpPux]/

/** Repetitions of a group that are few: those of a number with one digit. */
const few = 9

/** The number of quantifiers that repeat more often than a few times. */
const repeating = (all: readonly string[]): number => all.filter((one) => /^[*+]|,\}|\d\d/.test(one)).length

/**
 * The number `n` for which a search through a text takes at most `length ** n` steps; `Infinity` for an expression that may take many more. Each
 * quantifier, and the place where a match begins, is tried at each character. A group that is repeated may double the steps with each character,
 * unless each of its turns begins or ends with a character that occurs nowhere else in it.
 *
 * @param source Of the expression.
 */
export function exponentOf(source: string): number {
  if (opaque.test(source)) return Number.POSITIVE_INFINITY
  let rest = source
  let exponent = source.startsWith('^') && !source.includes('|') ? 0 : 1
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(group, (_, content: string, outer = '') => {
      const inner = content.match(quantifiers) ?? []
      const isPlain = sequence.test(content)
      const isOnce = outer === '' || outer.startsWith('?')
      const isDivided = isOnce || (isPlain && isSeparated(content, inner))
      if (!isDivided && repeating([outer]) > 0) exponent = Number.POSITIVE_INFINITY
      exponent += repeating(inner) * (isDivided ? 1 : few)
      // Any characters are in its place: for a group around it, none is its own.
      return isPlain && inner.length === 0 && outer === '' ? '.' : '.+'
    })
  }
  return exponent + repeating(rest.match(quantifiers) ?? [])
}

/** Whether a repeated group can be divided into its turns in one way only: it has a fixed length, or a character of its own begins or ends each turn. */
function isSeparated(content: string, inner: readonly string[]): boolean {
  if (inner.length === 0) return true
  const parts = content.match(atoms) ?? []
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  const isFirstOnce = !/^[*+?{]/.test(content.slice(first.length))
  return (
    (isFirstOnce && isAlone(first, parts.slice(1))) ||
    (content.endsWith(last) && isAlone(last, parts.slice(0, -1)))
  )
}

/** Whether an atom is a single character that no other atom matches. */
function isAlone(one: string, others: readonly string[]): boolean {
  if (!/^(?:[^.]|\\[^a-zA-Z0-9])$/s.test(one)) return false
  const character = one.slice(-1)
  return !others.some((other) => new RegExp(other, 'i').test(character))
}
