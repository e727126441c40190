import type { JsonSchema } from '@octavo/server'

/** Schemas by name, made once the description is known to need them. */
export class References {
  readonly #makers = new Map<string, () => JsonSchema>()
  readonly #others: (name: string) => JsonSchema | undefined

  /** @param others Schemas without a maker. */
  constructor(others: (name: string) => JsonSchema | undefined) {
    this.#others = others
  }

  /** A reference to a schema, and how to make it. A schema may refer to itself. */
  to(name: string, make: () => JsonSchema): JsonSchema {
    this.#makers.set(name, make)
    return reference(name)
  }

  /**
   * The schemas that a part of the description refers to, directly or through others, by name.
   * @throws Error for a reference to a schema that does not exist
   */
  reachableFrom(part: unknown): Readonly<Record<string, JsonSchema>> {
    const made = new Map<string, JsonSchema>()
    const open = namesIn(part)
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (made.has(name)) continue
      const schema = this.#makers.get(name)?.() ?? this.#others(name)
      if (!schema) throw new Error(`The description refers to a schema "${name}", which no plugin describes`)
      made.set(name, schema)
      open.push(...namesIn(schema))
    }
    return Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The names in the references of a schema. */
const namesIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
