import path from 'node:path'
import type { PackageManager } from './package-manager.ts'
import { UsageError } from './usage-error.ts'

/** The plugins of a new project, with the names of their exports. */
const plugins = {
  changes: { factory: 'changes', hint: 'a feed of what changed, for caches and copies' },
  desk: { factory: 'desk', hint: 'pages for editors at /desk; brings editors' },
  'draft-publish': { factory: 'draftPublish', hint: 'drafts and publication' },
  editors: { factory: 'editors', hint: 'people who write the content, with roles of their own' },
  graphql: { factory: 'graphql', hint: 'the same content at /graphql' },
  i18n: { factory: 'i18n', hint: 'entries in several languages' },
  openapi: { factory: 'openapi', hint: 'a description of the API, and the page /docs' },
  pages: { factory: 'pages', hint: 'for development: explanations of reads' },
  upload: { factory: 'upload', hint: 'files, and pictures in several sizes' },
  'users-permissions': { factory: 'usersPermissions', hint: 'users, roles, permissions and tokens' },
  webhooks: { factory: 'webhooks', hint: 'signed requests to other servers after writes' },
} as const

export type PluginName = keyof typeof plugins
/** The plugins that can be chosen, in the order of their names. */
export const pluginNames = Object.keys(plugins) as readonly PluginName[] // the keys of a constant
/** The plugins of a Strapi 4 project: those that serve its REST clients. */
export const strapiPlugins: readonly PluginName[] = [
  'draft-publish',
  'i18n',
  'openapi',
  'pages',
  'upload',
  'users-permissions',
]
/** The plugins of a project without `--plugins`. */
export const defaultPlugins: readonly PluginName[] = strapiPlugins.filter((name) => name !== 'i18n')
/** The export of a plugin's package. */
export const factoryOf = (name: PluginName): string => plugins[name].factory
/** A few words about a plugin. */
export const hintOf = (name: PluginName): string => plugins[name].hint

/** `embedded`: PGlite in a folder of the project. `postgres`: a PostgreSQL server. */
export type Database = 'embedded' | 'postgres'
export const databases: readonly Database[] = ['embedded', 'postgres']

/** The properties of a new project. */
export interface Choices {
  /** The folder, relative to the working directory or absolute. Its last part is the name of the project. */
  readonly folder: string
  readonly plugins: readonly PluginName[]
  readonly database: Database
  /** A Strapi 4 project: its folder, or an archive of `strapi export`. */
  readonly from?: string
  /** The package manager of the project's commands and files. Default: npm. */
  readonly packageManager?: PackageManager
}

/** The npm name of a project in a folder. @throws UsageError when the folder's name cannot be one. */
export function projectName(folder: string): string {
  const name = path.basename(path.resolve(folder))
  // npm makes no package with one of these two names.
  if (name === 'node_modules' || name === 'favicon.ico')
    throw new UsageError(`The folder "${name}" cannot be the name of a package; choose another name`)
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return name
  throw new UsageError(
    `The folder ${JSON.stringify(name)} cannot be the name of a package: use a-z, 0-9, "-", "_" and ".", and begin with a letter or digit`,
  )
}

/** Reads `--plugins`: names separated by commas, `all` or `none`. The desk brings its editors along. @throws UsageError for an unknown name. */
export function readPlugins(text: string): readonly PluginName[] {
  if (text === 'all') return pluginNames
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim().replace(/^@octavo\/plugin-/, ''))
  const unknown = names.find((name) => !Object.hasOwn(plugins, name))
  if (unknown !== undefined)
    throw new UsageError(
      `--plugins: there is no plugin ${JSON.stringify(unknown)}; there are ${pluginNames.join(', ')}, and all or none`,
    )
  return withNeeded(pluginNames.filter((name) => names.includes(name)))
}

/** The chosen plugins with those that they need, in the order of their names. */
export const withNeeded = (chosen: readonly PluginName[]): readonly PluginName[] =>
  chosen.includes('desk') ? pluginNames.filter((name) => name === 'editors' || chosen.includes(name)) : chosen

/** Reads `--database`. @throws UsageError for another word. */
export function readDatabase(text: string): Database {
  const found = databases.find((name) => name === text)
  if (found) return found
  throw new UsageError(`--database is ${databases.join(' or ')}, not ${JSON.stringify(text)}`)
}
