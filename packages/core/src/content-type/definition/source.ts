/**
 * The file of a definition, for messages. It is an enumerable symbol: JSON and `Object.entries` ignore it, and
 * a plugin that returns `{ ...definition, attributes }` from `definitions:extend` preserves it.
 */
const source: unique symbol = Symbol.for('octavo.source')

/** A copy with its file. */
export const withSource = <D extends object>(definition: D, file: string): D => ({
  ...definition,
  [source]: file,
})

/** The file set by {@link withSource}. */
export function sourceOf(definition: object): string | undefined {
  const file = (definition as { readonly [source]?: unknown })[source]
  return typeof file === 'string' ? file : undefined
}

const places = new WeakMap<object, string>()

/**
 * Remembers where a program has its definitions, for messages about those without a name: `contentTypes[0]` in a list, `contentTypes.article` in an
 * object. Plugins and files add definitions before them, so that a position among all definitions would lead nowhere.
 */
export function notePlaces(list: string, given: unknown): void {
  for (const [key, definition] of Object.entries(given ?? {}))
    if (typeof definition === 'object' && definition !== null && !places.has(definition))
      places.set(definition, Array.isArray(given) ? `${list}[${key}]` : `${list}.${key}`)
}

/** The place that {@link notePlaces} remembers. */
export const placeOf = (definition: unknown): string | undefined =>
  typeof definition === 'object' && definition !== null ? places.get(definition) : undefined
