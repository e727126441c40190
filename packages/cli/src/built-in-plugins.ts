import type { Plugin } from '@octavo/core'
import type { PluginSettings } from './project/settings.ts'

/** Our own plugins, what they export, and the options that a project's configuration has for them. */
const builtIn = {
  '@octavo/plugin-draft-publish': { factory: 'draftPublish', options: () => ({}) },
  '@octavo/plugin-i18n': { factory: 'i18n', options: ({ i18n = {} }) => i18n },
  '@octavo/plugin-upload': { factory: 'upload', options: ({ upload = {} }) => upload },
  '@octavo/plugin-users-permissions': {
    factory: 'usersPermissions',
    options: ({ usersPermissions = {} }) => usersPermissions,
  },
} as const satisfies Record<
  string,
  { readonly factory: string; readonly options: (settings: PluginSettings) => object | false }
>

/** Those that are installed; only these names are tried. They are on, with their defaults, unless `settings` says otherwise. */
export async function builtInPlugins(settings: PluginSettings = {}): Promise<readonly Plugin[]> {
  const found = await Promise.all(
    Object.entries(builtIn).map(([name, { factory, options }]) => load(name, factory, options(settings))),
  )
  return found.filter((plugin) => plugin !== undefined)
}

async function load(name: string, factory: string, options: object | false): Promise<Plugin | undefined> {
  if (options === false) return undefined
  try {
    const module = (await import(name)) as Record<string, (options: object) => Plugin>
    return module[factory]?.(options)
  } catch (error) {
    // Not installed, which is fine; what fails inside of an installed one is not.
    if (
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
      String(error).includes(`'${name}'`)
    )
      return undefined
    throw error
  }
}
