import type { Logger } from '@octavo/database'
import type { AttributeDefinition, ContentTypeDefinition } from './definition.ts'
import { readJsonFile } from './json-file.ts'
import { sourceOf, withSource } from './source.ts'

type Attributes = Readonly<Record<string, AttributeDefinition>>

interface Added {
  readonly attributes?: Attributes
  readonly options?: { readonly privateAttributes?: readonly string[] }
}

/**
 * Attributes that a project adds to a content-type of a plugin: given directly, or as the path of a `schema.json`. The file
 * is read synchronously, once, at start.
 */
export type FurtherAttributes = string | Added

/** The attributes of a plugin that take the place of a project's. */
interface Precedence {
  /** Gets a warning for each attribute of the project that is replaced by another one. */
  readonly logger: Pick<Logger, 'warn'>
  /** Names that no project's file repeats, because only the plugin has them. Default: none. */
  readonly own?: ReadonlySet<string>
}

/**
 * The content-type of a plugin with further attributes. Messages about it name their file, since a mistake is in that. An attribute that the
 * project makes private is private, even where the plugin's own definition takes precedence. An existing project's file repeats
 * attributes of the plugin: a warning is logged for those of another type, and for names that only the plugin has.
 *
 * @throws Error that names the file when it cannot be read or has no attributes.
 */
export function withFurtherAttributes(
  added: FurtherAttributes | undefined,
  make: (attributes: Attributes) => ContentTypeDefinition,
  precedence: Precedence,
): ContentTypeDefinition {
  const source = typeof added === 'string' ? added : added && sourceOf(added)
  const { attributes = {}, options } = (typeof added === 'string' ? addedIn(added) : added) ?? {}
  const made = make(attributes)
  warnOfReplaced(made, attributes, source, precedence)
  const definition = withPrivateAttributes(made, attributes, options?.privateAttributes)
  return source === undefined ? definition : withSource(definition, source)
}

function warnOfReplaced(
  { uid, attributes }: ContentTypeDefinition,
  added: Attributes,
  source: string | undefined,
  { logger, own }: Precedence,
): void {
  for (const [name, given] of Object.entries(added)) {
    const used = attributes[name]
    if (used === undefined || used === given || (used.type === given?.type && !own?.has(name))) continue
    logger.warn(
      {},
      `${source ?? uid}: attributes.${name}: is not used, because ${uid} has an attribute ${JSON.stringify(name)} of its own, of the type ${used.type}; give yours another name`,
    )
  }
}

function withPrivateAttributes(
  definition: ContentTypeDefinition,
  added: Attributes,
  listed: readonly string[] | undefined,
): ContentTypeDefinition {
  const marked = Object.keys(added).filter((name) => added[name]?.private === true)
  if (listed === undefined && marked.length === 0) return definition
  // A file may have a value that is no list: the registry refuses it.
  const privateAttributes = Array.isArray(listed) ? [...marked, ...listed] : (listed ?? marked)
  return { ...definition, options: { ...definition.options, privateAttributes } }
}

function addedIn(file: string): Added {
  const read = readJsonFile(file)
  if ('mistake' in read) throw new Error(`${file} ${read.mistake}`)
  const added = read.value as { readonly attributes?: unknown } | null
  if (typeof added?.attributes !== 'object' || added.attributes === null)
    throw new Error(`${file} has no attributes`)
  // The registry checks each of them.
  return added as Added
}
