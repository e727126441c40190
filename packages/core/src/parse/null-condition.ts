/**
 * The notation of null in `filters`: a name without `=`, which qs writes with its option `strictNullHandling`, and which Strapi reads.
 *
 *     filters[author]         → author $null true
 *     filters[title][$ne]     → title $notNull true
 *     filters[title][$not]    → title (not $null true)
 *
 * Below any other operator, and in a list, the value is an empty text, as outside of `filters`.
 */
import { isIndex } from './value.ts'

/** Whether the keys lead to a condition: below `filters`, or below a `filters` inside `populate`. */
export function isCondition(name: string, keys: readonly string[]): boolean {
  if (name === 'filters') return keys.length > 0
  const inside = keys.indexOf('filters', 1)
  return name === 'populate' && inside !== -1 && inside < keys.length - 1
}

/** The operators that compare a value with null as `$null` and `$notNull` do. */
const comparisons: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  $eq: '$null',
  $eqi: '$null',
  $ne: '$notNull',
  $nei: '$notNull',
})

/**
 * @param keys Of {@link isCondition}, without a value.
 * @param empty What other operators take.
 */
export function nullCondition(
  keys: readonly string[],
  empty: string,
): [keys: readonly string[], value: string] {
  const [last = '', outer = ''] = keys.toReversed()
  const operator = comparisons[last]
  if (operator !== undefined) return [[...keys.slice(0, -1), operator], 'true']
  const isOfField = isField(last) || (last === '$not' && isField(outer))
  return isOfField ? [[...keys, '$null'], 'true'] : [keys, empty]
}

const isField = (key: string): boolean => key !== '' && !key.startsWith('$') && !isIndex(key)
