import { existsSync } from 'node:fs'
import path from 'node:path'
import { type ContentTypeDefinition, silentLogger } from '@octavo/core'
import { checkDefinitions, definitionsOf } from '@octavo/core/internal'
import { octavoOptions, type ServerOptions } from '@octavo/server'
import pluralize from 'pluralize'
import { builtInPlugins, chosenPlugins } from '../built-in-plugins.ts'
import { loadConfig } from '../config.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { addFile } from '../write-whole.ts'
import { readAttributes, type Target } from './attributes.ts'

export interface TypeFlags extends CommonFlags {
  readonly plural?: string
  readonly single?: true
  readonly draft?: true
}

/**
 * `octavo generate type`: writes a content-type into the folder of definitions, in the layout of that folder. The definition is
 * checked with all others first.
 *
 * @throws UsageError when the name exists or an attribute cannot be read; DefinitionError for other mistakes. Writes nothing then.
 */
export async function generateType(
  name: string,
  attributes: readonly string[],
  flags: TypeFlags,
): Promise<void> {
  if (!isName(name))
    throw new UsageError(`The name of a content-type is like blog-post, not ${JSON.stringify(name)}`)
  const content = await contentFolder(flags)
  const options = await optionsOf(content, flags)
  const pluralName = flags.plural ?? pluralize(name)
  if (!isName(pluralName) || pluralName === name)
    throw new UsageError(
      `The plural of ${name} cannot be ${JSON.stringify(pluralName)}: give another one with --plural`,
    )
  const { contentTypes } = checkDefinitions({ ...octavoOptions(options), logger: silentLogger })
  const existing = [...contentTypes.values()]
  for (const { uid, singularName, pluralName: plural } of existing)
    if ([singularName, plural].some((used) => used === name || used === pluralName))
      throw new UsageError(`${uid} exists, with the names ${singularName} and ${plural}: choose another name`)

  const uid = `api::${name}.${name}`
  const targets: readonly Target[] = [...existing, { uid, singularName: name }]
  const definition: ContentTypeDefinition = {
    kind: flags.single ? 'singleType' : 'collectionType',
    collectionName: pluralName.replaceAll('-', '_'),
    info: { singularName: name, pluralName, displayName: titleOf(name) },
    options: { draftAndPublish: flags.draft === true },
    attributes: readAttributes(attributes, targets),
  }
  checkDefinitions({
    ...octavoOptions({
      ...options,
      contentTypes: [...definitionsOf(options.contentTypes), { ...definition, uid }],
    }),
    logger: silentLogger,
  })
  const file = path.join(content, placeOf(content, name))
  await addFile(file, `${JSON.stringify(definition, null, 2)}\n`)
  console.log(`${path.relative('.', file)}: ${uid}, served at /${flags.single ? name : pluralName}`)
}

export const isName = (text: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)

/** `blog-post` → `Blog post` */
export const titleOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

export async function contentFolder(flags: CommonFlags): Promise<string> {
  const content = flags.content ?? (await loadConfig(flags.config)).content
  if (content !== undefined) return content
  throw new UsageError(
    'There is no folder of content-types: give one with --content, or as content in the configuration',
  )
}

/** The layouts of a folder of definitions: the folder that identifies each, and the path of a new type. */
const layouts = [
  { folder: 'content-types', place: (name: string) => `content-types/${name}.json` },
  { folder: 'src/api', place: (name: string) => `src/api/${name}/content-types/${name}/schema.json` },
  { folder: 'api', place: (name: string) => `api/${name}/content-types/${name}/schema.json` },
] as const

export const layoutOf = (content: string) =>
  layouts.find(({ folder }) => existsSync(path.join(content, folder)))

/** The file of a new type. A folder without definitions gets the first layout. */
const placeOf = (content: string, name: string): string => (layoutOf(content) ?? layouts[0]).place(name)

/** The options of the server without the new type. */
export async function optionsOf(content: string, flags: CommonFlags): Promise<ServerOptions> {
  if (layoutOf(content)) return (await configured(flags, silentLogger)).options
  const {
    plugins,
    contentTypes = [],
    components,
  } = flags.content === undefined ? await loadConfig(flags.config) : {}
  return {
    contentTypes,
    ...(components && { components }),
    plugins: await chosenPlugins(plugins, () => builtInPlugins()),
  }
}
