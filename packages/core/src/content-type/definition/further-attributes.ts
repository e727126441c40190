import type { AttributeDefinition, ContentTypeDefinition } from './definition.ts'
import { readJsonFile } from './json-file.ts'
import { sourceOf, withSource } from './source.ts'

type Attributes = Readonly<Record<string, AttributeDefinition>>

/**
 * Attributes that a project adds to a content-type of a plugin: given directly, or as the path of a `schema.json`. The file
 * is read synchronously, once, at start.
 */
export type FurtherAttributes = string | { readonly attributes?: Attributes }

/**
 * The content-type of a plugin with further attributes. Messages about it name their file, since a mistake is in that.
 *
 * @throws Error that names the file when it cannot be read or has no attributes.
 */
export function withFurtherAttributes(
  added: FurtherAttributes | undefined,
  make: (attributes: Attributes) => ContentTypeDefinition,
): ContentTypeDefinition {
  const source = typeof added === 'string' ? added : added && sourceOf(added)
  const definition = make(typeof added === 'string' ? attributesIn(added) : (added?.attributes ?? {}))
  return source === undefined ? definition : withSource(definition, source)
}

function attributesIn(file: string): Attributes {
  const read = readJsonFile(file)
  if ('mistake' in read) throw new Error(`${file} ${read.mistake}`)
  const attributes = (read.value as { readonly attributes?: unknown } | null)?.attributes
  if (typeof attributes !== 'object' || attributes === null) throw new Error(`${file} has no attributes`)
  // The registry checks each of them.
  return attributes as Attributes
}
