/**
 * Where a definition came from, for messages. It is an enumerable symbol: JSON and `Object.entries` do not see it, and
 * a plugin that returns `{ ...definition, attributes }` from `definitions:extend` carries it along.
 */
const source: unique symbol = Symbol.for('octavo.source')

/** A copy that knows its file. */
export const withSource = <D extends object>(definition: D, file: string): D => ({
  ...definition,
  [source]: file,
})

/** The file that {@link withSource} noted. */
export function sourceOf(definition: object): string | undefined {
  const file = (definition as { readonly [source]?: unknown })[source]
  return typeof file === 'string' ? file : undefined
}
