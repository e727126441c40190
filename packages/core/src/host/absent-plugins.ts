import type { Logger, Queryable } from '@octavo/database'
import { ConfigurationError } from '@octavo/database'
import { notesWith, writeNote } from '../schema/notes.ts'
import type { Plugin } from './define.ts'

/** Notes of the plugins that a database has been used with; the value is the plugin's `guards`, or empty. */
const prefix = 'plugin:'

export interface PluginList {
  readonly plugins: readonly Plugin[]
  /** Names of plugins that are left out on purpose. */
  readonly withoutPlugin: readonly string[]
}

/**
 * Refuses a database that was used with a now missing plugin, if its data would show what the plugin hid. The phrase
 * `guards` of a plugin is stored in the database, so the plugin's package need not be installed.
 *
 * @throws ConfigurationError with each plugin and its phrase.
 */
export async function refuseAbsentPlugins(
  db: Queryable,
  { plugins, withoutPlugin }: PluginList,
  logger: Logger,
): Promise<void> {
  const present = new Set(plugins.map(({ name }) => name))
  const absent = [...(await notesWith(db, prefix))]
    .map(([key, guards]) => ({ name: key.slice(prefix.length), guards }))
    .filter(({ name, guards }) => guards !== '' && !present.has(name))
  const accepted = new Set(withoutPlugin)
  const refused = absent.filter(({ name }) => !accepted.has(name))
  if (refused.length > 0) throw new ConfigurationError(messageOf(refused))
  for (const { name, guards } of absent)
    logger.warn({ plugin: name }, `The plugin "${name}" is left out by withoutPlugin: ${guards}`)
}

/**
 * Notes that the database is used with these plugins, except for those in `withoutPlugin`. The table of notes must exist.
 */
export async function notePlugins(db: Queryable, { plugins, withoutPlugin }: PluginList): Promise<void> {
  const noted = await notesWith(db, prefix)
  for (const { name, guards = '' } of plugins) {
    const key = `${prefix}${name}`
    if (!withoutPlugin.includes(name) && noted.get(key) !== guards) await writeNote(db, key, guards)
  }
}

interface Absent {
  readonly name: string
  readonly guards: string
}

function messageOf(absent: readonly Absent[]): string {
  const names = absent.map(({ name }) => `"${name}"`).join(', ')
  const effects = absent.map(({ name, guards }) => `without "${name}" ${guards}`).join('; ')
  const list = absent.map(({ name }) => `'${name}'`).join(', ')
  return (
    `The database was used with ${absent.length === 1 ? 'the plugin' : 'the plugins'} ${names}: ${effects}. ` +
    `Add ${absent.length === 1 ? 'it' : 'them'} to plugins, or accept this with withoutPlugin: [${list}].`
  )
}
