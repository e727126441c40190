import { readFileSync } from 'node:fs'
import type { AttributeDefinition } from './definition.ts'

/**
 * Attributes that a project adds to a content-type of a plugin: given directly, or as the path of a `schema.json`. The file
 * is read synchronously, once, at start.
 */
export type FurtherAttributes =
  | string
  | { readonly attributes?: Readonly<Record<string, AttributeDefinition>> }

/**
 * Reads {@link FurtherAttributes}.
 *
 * @throws Error that names the file when it cannot be read or has no attributes.
 */
export function readFurtherAttributes(
  added: FurtherAttributes | undefined,
): Readonly<Record<string, AttributeDefinition>> {
  if (typeof added !== 'string') return added?.attributes ?? {}
  let definition: unknown
  try {
    definition = JSON.parse(readFileSync(added, 'utf8'))
  } catch (error) {
    throw new Error(`${added} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const attributes = (definition as { readonly attributes?: unknown } | null)?.attributes
  if (typeof attributes !== 'object' || attributes === null) throw new Error(`${added} has no attributes`)
  // The registry checks each of them.
  return attributes as Readonly<Record<string, AttributeDefinition>>
}
