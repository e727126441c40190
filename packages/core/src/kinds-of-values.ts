/** Whether a value of a body or a file is an object with keys: neither a list nor null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an object has the class `Object` or none, unlike a promise or a `Set`. One of another realm, such as a test's, has it too. */
export const isPlain = (value: object): boolean => (value.constructor?.name ?? 'Object') === 'Object'

/** The kind of a value, for messages: `a list`. */
export const kindOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : `a ${typeof value}`

/** Characters of a value in a message. */
const most = 80

/** A value as JSON, shortened to fit into a message. */
export function brief(value: unknown): string {
  const text = JSON.stringify(beginningOf(value, most)) ?? String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The part of a value that the first characters of its JSON can show. JSON of a value that nests deeply would overflow the stack. */
function beginningOf(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, most)
  if (Array.isArray(value))
    return levels === 0 ? [] : value.slice(0, most).map((item) => beginningOf(item, levels - 1))
  if (!isObject(value) || !isPlain(value)) return value
  const entries = levels === 0 ? [] : Object.entries(value).slice(0, most)
  return Object.fromEntries(
    entries.map(([name, item]) => [name.slice(0, most), beginningOf(item, levels - 1)]),
  )
}
