import type { Plugin } from '@octavo/core'

/** Our own plugins and what they export. They are on, with their defaults, where no configuration says otherwise. */
const builtIn = {
  '@octavo/plugin-draft-publish': 'draftPublish',
  '@octavo/plugin-i18n': 'i18n',
  '@octavo/plugin-upload': 'upload',
  '@octavo/plugin-users-permissions': 'usersPermissions',
} as const satisfies Record<string, string>

/** Those that are installed. Nothing is scanned: only these names are tried. */
export async function builtInPlugins(): Promise<readonly Plugin[]> {
  const found = await Promise.all(Object.entries(builtIn).map(([name, factory]) => load(name, factory)))
  return found.filter((plugin) => plugin !== undefined)
}

async function load(name: string, factory: string): Promise<Plugin | undefined> {
  try {
    const module = (await import(name)) as Record<string, () => Plugin>
    return module[factory]?.()
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
