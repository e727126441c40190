import { type LoadedContentTypes, type Logger, loadContentTypes, silentLogger } from '@octavo/core'
import { definitionsOf, notePlaces, withSource } from '@octavo/core/internal'
import type { Plugin } from '@octavo/core/plugin'
import type { ServerOptions } from '@octavo/server'
import { builtInPlugins, chosenPlugins, typesOfPlugins } from './built-in-plugins.ts'
import { isPlainObject } from './code/objects.ts'
import { configHere, loadConfig, type OctavoConfig } from './config.ts'
import { withoutForeign } from './project/foreign-relations.ts'
import { strapi3 } from './project/other-versions.ts'
import { fileUid, type Project, readProject, userUid, withBaseTypes } from './project/project.ts'
import { UsageError } from './usage-error.ts'

/** Options that every command takes. */
export interface CommonFlags {
  readonly config?: string
  readonly content?: string
  readonly database?: string
  /** `pretty` or `json`. */
  readonly log?: string
}

export interface ServerOptionsInput {
  /** Path of the configuration. Default: `octavo.config.ts` (or `.js`, `.mjs`) in the working directory. */
  readonly config?: string
  /** Folder of content-types and components, in place of a configuration. */
  readonly content?: string
  /** In place of the configured database. Default `file:./.octavo/data`. */
  readonly database?: string
  /** Default: nothing is logged. */
  readonly logger?: Logger
}

/**
 * The options with which `octavo start` creates its server, for tests and programs of a project.
 *
 *     const server = await createServer(await serverOptions({ database: 'memory://' }))
 *
 * @throws UsageError without content-types, or when the configuration cannot be read; DefinitionError, ConfigurationError
 */
export async function serverOptions({
  logger = silentLogger,
  ...flags
}: ServerOptionsInput = {}): Promise<ServerOptions> {
  return (await configured(flags, logger)).options
}

export interface Configured {
  readonly config: OctavoConfig
  readonly options: ServerOptions
  /** The Strapi 4 project of the content, if there is one. */
  readonly project: Project | undefined
}

/** The default database: embedded, in this folder. */
export const defaultDatabase = 'file:./.octavo/data'

const noContent: LoadedContentTypes = { contentTypes: [], components: [], extensions: [], sources: new Map() }

/**
 * Merges the flags, the configuration and the configuration of a Strapi 4 project, in this order of
 * precedence.
 * @throws UsageError, DefinitionError
 */
export async function configured(flags: CommonFlags, logger: Logger): Promise<Configured> {
  const isAlone = flags.config === undefined && flags.content !== undefined
  const given = isAlone ? {} : await loadConfig(flags.config)
  const unread = isAlone ? await configHere() : undefined
  if (unread !== undefined)
    logger.warn(
      {},
      `${unread} is not read, because --content stands in its place; to have both, add --config ${unread}`,
    )
  const content = flags.content ?? given.content
  if (content === undefined && !given.contentTypes) {
    const read = flags.config ?? (await configHere())
    throw new UsageError(
      read === undefined
        ? 'There are no content-types: give a folder with --content, or a configuration with --config'
        : `${read} has no "content", which names the folder of the content-types, and no "contentTypes"`,
    )
  }
  const old = content === undefined ? undefined : strapi3(content)
  if (old !== undefined) throw new UsageError(old)
  const found = content === undefined ? noContent : loadContentTypes(content)
  const ours = whichAreOurs(given)
  const project = content === undefined ? undefined : readProject(content, found, ours)
  // A configuration may bring the types that the project's plugins had.
  const loaded = project && ours === 'only' ? withoutForeign(found) : found
  const config = project ? overProject(project, given) : given
  const {
    content: _,
    seedWhenEmpty: __,
    server: ___,
    workers: ____,
    urls: _____,
    notes: ______,
    plugins,
    ...configuredOptions
  } = config
  // They belong to the configured database.
  const { directDatabase: _direct, durability: _durability, ...withoutDirect } = configuredOptions
  const options = flags.database === undefined ? configuredOptions : withoutDirect
  notePlaces('contentTypes', config.contentTypes)
  notePlaces('components', config.components)
  return {
    config,
    project,
    options: {
      ...options,
      absentTypes: { ...typesOfPlugins, ...options.absentTypes },
      contentTypes: [...loaded.contentTypes.map(withBaseTypes), ...definitionsOf(config.contentTypes)],
      components: [...loaded.components.map(withBaseTypes), ...definitionsOf(config.components)],
      plugins: await chosenPlugins(plugins, () => defaultPlugins(project, loaded)),
      database: flags.database ?? config.database ?? defaultDatabase,
      logger,
    },
  }
}

/** Whether the plugins and content-types beside the project's are the defaults only, these among others, or others. */
function whichAreOurs({ plugins, contentTypes }: OctavoConfig): 'only' | 'also' | 'none' {
  if (Array.isArray(plugins)) return 'none'
  return plugins === undefined && !contentTypes ? 'only' : 'also'
}

function overProject({ settings }: Project, config: OctavoConfig): OctavoConfig {
  const { options, server } = settings
  return {
    ...options,
    ...config,
    ...((options.api ?? config.api) && {
      api: { ...options.api, ...config.api, rest: { ...options.api?.rest, ...config.api?.rest } },
    }),
    ...((options.body ?? config.body) && { body: { ...options.body, ...config.body } }),
    server: { ...server, ...config.server },
  }
}

/** Octavo's plugins with a project's options, and the attributes that the project adds to their content-types. */
async function defaultPlugins(
  project: Project | undefined,
  { extensions, sources }: LoadedContentTypes,
): Promise<readonly Plugin[]> {
  const [user, file] = [userUid, fileUid].map((uid) => {
    const extension = extensions.find((one) => one.uid === uid)
    if (!extension?.attributes) return undefined
    const { attributes = {}, options } = withBaseTypes(extension)
    return withSource({ attributes, ...(isPlainObject(options) && { options }) }, sources.get(uid) ?? uid)
  })
  const settings = project?.settings.plugins ?? {}
  return builtInPlugins({
    ...settings,
    ...(user && { usersPermissions: { ...settings.usersPermissions, user } }),
    ...(file && settings.upload !== false && { upload: { ...settings.upload, file } }),
  })
}
