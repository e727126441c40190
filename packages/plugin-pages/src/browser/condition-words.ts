/** Conditions of explanations as sentences. */

const verbs: Readonly<Record<string, string>> = {
  $eq: 'is',
  $ne: 'is not',
  $lt: 'is less than',
  $lte: 'is at most',
  $gt: 'is greater than',
  $gte: 'is at least',
  $in: 'is one of',
  $notIn: 'is none of',
  $contains: 'contains',
  $startsWith: 'starts with',
  $endsWith: 'ends with',
}

/**
 * `{ locale: { $eq: { $runtime: 'i18n.default', value: 'en' } } }` → `locale is en (default)`. Operators without a word of
 * their own are written as they are.
 *
 * @param condition In the form of `filters`.
 * @param by The plugin that added it: values that the plugin names after itself are shown without its name.
 */
export function wordsOf(condition: unknown, by: string, path: readonly string[] = []): string {
  if (!isRecord(condition)) return `${path.join('.')} is ${textOf(condition, by)}`
  return Object.entries(condition)
    .map(([key, value]) => {
      if (key === '$and' || key === '$or') return joined(value, key === '$and' ? ' and ' : ' or ', by, path)
      if (key === '$not') return `not (${wordsOf(value, by, path)})`
      if (key === '$null' || key === '$notNull')
        return `${path.join('.')} is ${(key === '$null') === (value !== false) ? 'empty' : 'set'}`
      if (key.startsWith('$')) return `${path.join('.')} ${verbs[key] ?? key} ${textOf(value, by)}`
      return wordsOf(value, by, [...path, key])
    })
    .join(' and ')
}

const joined = (parts: unknown, word: string, by: string, path: readonly string[]): string =>
  Array.isArray(parts)
    ? parts
        .map((part) => wordsOf(part, by, path))
        .map((part) => (parts.length > 1 && / (?:and|or) /.test(part) ? `(${part})` : part))
        .join(word)
    : String(parts)

/** A value of the caller or of the moment is followed by its name. */
function textOf(value: unknown, by: string): string {
  if (Array.isArray(value)) return value.map((item) => textOf(item, by)).join(', ')
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  if (typeof value.$runtime !== 'string') return JSON.stringify(value)
  const name = value.$runtime.startsWith(`${by}.`)
    ? value.$runtime.slice(by.length + 1).replaceAll('-', ' ')
    : value.$runtime
  return value.value === undefined ? name : `${textOf(value.value, by)} (${name})`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
