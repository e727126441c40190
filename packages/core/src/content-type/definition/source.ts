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
