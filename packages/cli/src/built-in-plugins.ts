import { isNotInstalled } from '@octavo/core/internal'
import type { Plugin } from '@octavo/core/plugin'
import type { OctavoConfig } from './config.ts'
import type { PluginSettings } from './project/settings.ts'
import { UsageError } from './usage-error.ts'

/** Octavo's plugins, the names of their exports, and their options from a project's configuration. */
const builtIn = {
  // The pages of the editors.
  '@octavo/plugin-desk': { factory: 'desk', options: ({ editors }) => (editors === false ? false : {}) },
  '@octavo/plugin-draft-publish': { factory: 'draftPublish', options: () => ({}) },
  // Without an editor it answers nothing but the way to make the first one.
  '@octavo/plugin-editors': { factory: 'editors', options: ({ editors = {} }) => editors },
  // Loads its library with the first request.
  '@octavo/plugin-graphql': { factory: 'graphql', options: ({ graphql = {} }) => graphql },
  '@octavo/plugin-i18n': { factory: 'i18n', options: ({ i18n = {} }) => i18n },
  '@octavo/plugin-openapi': { factory: 'openapi', options: () => ({}) },
  // Without pages in production, where it adds the right to explain reads.
  '@octavo/plugin-pages': { factory: 'pages', options: () => ({}) },
  '@octavo/plugin-upload': { factory: 'upload', options: ({ upload = {} }) => upload },
  '@octavo/plugin-users-permissions': {
    factory: 'usersPermissions',
    options: ({ usersPermissions = {} }) => usersPermissions,
  },
  // It serves the webhooks that people with the right make at the desk.
  '@octavo/plugin-webhooks': { factory: 'webhooks', options: () => ({}) },
} as const satisfies Record<
  string,
  { readonly factory: string; readonly options: (settings: PluginSettings) => object | false }
>

/** Attribute types, each with the package that adds it, for warnings about definitions that use it without the package. */
export const typesOfPlugins = { media: '@octavo/plugin-upload' }

/** The installed ones of Octavo's plugins, with their options from `settings`, or their defaults. */
export async function builtInPlugins(settings: PluginSettings = {}): Promise<readonly Plugin[]> {
  const found = await Promise.all(
    Object.entries(builtIn).map(([name, { factory, options }]) => load(name, factory, options(settings))),
  )
  return found.filter((plugin) => plugin !== undefined)
}

/**
 * The plugins of a configuration.
 *
 * @param configured A list, a function of the defaults, or `undefined` for the defaults.
 * @param defaults Loads the defaults, when they are needed.
 * @throws UsageError for a function that returns nothing
 */
export async function chosenPlugins(
  configured: OctavoConfig['plugins'],
  defaults: () => Promise<readonly Plugin[]>,
): Promise<readonly Plugin[]> {
  if (typeof configured !== 'function') return configured ?? (await defaults())
  const chosen: unknown = await configured(await defaults())
  // Without any plugin, nothing would ask for permissions.
  if (chosen === undefined || chosen === null)
    throw new UsageError('plugins: the function returned nothing in place of a list of plugins')
  return chosen as readonly Plugin[] // its members are checked at the start
}

async function load(name: string, factory: string, options: object | false): Promise<Plugin | undefined> {
  if (options === false) return undefined
  try {
    const module = (await import(name)) as Record<string, (options: object) => Plugin>
    return module[factory]?.(options)
  } catch (error) {
    // A plugin that is not installed is left out; an error inside an installed one is thrown.
    if (isNotInstalled(error, name)) return undefined
    throw error
  }
}
