import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { accepts, checkOptions, type KeysOf } from '@octavo/core/internal'
import type { Plugin } from '@octavo/core/plugin'
import { type CommonServerOptions, serverKeys } from '@octavo/server'
import { projectEnvironment } from './code/environment.ts'
import { refuseOtherEngines } from './engines.ts'
import { UsageError } from './usage-error.ts'

/** The default export of `octavo.config.ts`. Paths are relative to the file. */
export interface OctavoConfig extends CommonServerOptions {
  /**
   * The plugins, or a function of the plugins that the command line has without this option, which have the settings of a Strapi 4
   * project: `(defaults) => [...defaults, mine()]`. Default: every plugin of Octavo that is installed.
   */
  readonly plugins?: readonly Plugin[] | ((defaults: readonly Plugin[]) => readonly Plugin[])
  /** A folder of definitions, in addition to `contentTypes` and `components`. Default none. */
  readonly content?: string
  /** A data file that is imported if the database is empty. Default none. */
  readonly seedWhenEmpty?: string
  readonly server?: {
    /** The port; 0 takes a free one. The environment variable `PORT` precedes it. Default 1337. */
    readonly port?: number
    /** The address to listen on. Default: all addresses. */
    readonly host?: string
  }
  /** Number of worker processes, or `auto` for one per core. Default 1. More need a PostgreSQL server. */
  readonly workers?: number | 'auto'
  /** Example paths, printed at start. Default: the paths of the collection types. */
  readonly urls?: readonly string[]
  /** Lines that are printed below the addresses at start, such as how to sign in during development. Default none. */
  readonly notes?: readonly string[]
}

/** Gives a configuration its type. */
export function defineConfig(config: ListedConfig): ListedConfig
export function defineConfig(config: OctavoConfig): OctavoConfig
export function defineConfig(config: OctavoConfig): OctavoConfig {
  return config
}

/** A configuration with a list of plugins, which `createServer` takes as well. */
export interface ListedConfig extends OctavoConfig {
  readonly plugins?: readonly Plugin[]
}

const configKeys = {
  ...serverKeys,
  content: accepts.text('./content'),
  seedWhenEmpty: accepts.text('./seed.json'),
  server: { port: accepts.wholeNumber(0), host: accepts.text('127.0.0.1') },
  workers: accepts.either(accepts.oneOf('auto'), accepts.wholeNumber(1)),
  urls: accepts.texts('/api/articles'),
  notes: accepts.texts('Sign in as editor@example.org'),
} as const satisfies KeysOf<OctavoConfig>

/** File names of a configuration in the working directory. */
const names = ['octavo.config.ts', 'octavo.config.js', 'octavo.config.mjs']

/**
 * Reads a configuration and makes its paths absolute. The variables of `.env` beside it are set before. TypeScript is read by Node itself, which strips the types.
 *
 * @param file Path of the configuration. Default: one of the usual names in the working directory, if there is one.
 * @throws UsageError when `file` does not exist, cannot be read, or exports no configuration.
 * @throws ConfigurationError that names options that do not exist, and values that an option does not take.
 */
export async function loadConfig(file: string | undefined): Promise<OctavoConfig> {
  const found = file ?? (await configHere())
  if (found === undefined) return {}
  const absolute = path.resolve(found)
  if (!existsSync(absolute)) throw new UsageError(`There is no configuration ${found}`)
  if (!/\.[cm]?[jt]s$/.test(absolute))
    throw new UsageError(
      `${found} is no module: a configuration is a file such as octavo.config.ts, with "export default defineConfig({ ... })"`,
    )
  await readEnvironment(absolute)
  refuseOtherEngines(path.dirname(absolute))
  const module = await importFile(absolute)
  const config: unknown = module.default
  if (config instanceof Promise) {
    config.catch(() => {}) // the error below takes the place of its own
    throw new UsageError(`${found} exports a promise; write "export default await ..."`)
  }
  if (typeof config !== 'object' || config === null) {
    const mistake =
      typeof config === 'function' ? 'exports a function' : 'has no default export with the configuration'
    throw new UsageError(`${found} ${mistake}; write "export default defineConfig({ ... })"`)
  }
  checkOptions(config, configKeys, found)
  return withAbsolutePaths(config as OctavoConfig, path.dirname(absolute)) // its values are checked, or will be where they are used
}

/**
 * Sets the variables of `.env` beside the configuration, or of the file in `ENV_PATH`, that the environment does not have.
 *
 * @param file See {@link loadConfig}.
 * @throws UsageError for a file that cannot be read
 */
export async function readEnvironment(file: string | undefined): Promise<void> {
  const found = file ?? (await configHere())
  if (found === undefined) return
  Object.assign(process.env, projectEnvironment(path.dirname(path.resolve(found)), process.env))
}

async function importFile(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (error) {
    const reason = error instanceof Error ? `${error.message}${placeOf(error)}` : String(error)
    throw new UsageError(`The configuration ${file} cannot be read: ${reason}`, { cause: error })
  }
}

/** File and line of a mistake of syntax, which may be in a module that the configuration imports: Node puts path or URL before the stack. */
function placeOf({ stack }: Error): string {
  const [, place, line] = /^(\S.*):(\d+)\n/.exec(stack ?? '') ?? []
  if (place === undefined) return ''
  return ` (${place.startsWith('file:') ? fileURLToPath(place) : place}:${line})`
}

/** The configuration in the working directory, if there is one. */
export const configHere = (): Promise<string | undefined> => firstThere(names)

async function firstThere(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await stat(file).catch(() => undefined)) return file
  return undefined
}

function withAbsolutePaths(config: OctavoConfig, folder: string): OctavoConfig {
  const { content, seedWhenEmpty, database } = config
  return {
    ...config,
    ...(content !== undefined && { content: path.resolve(folder, content) }),
    ...(seedWhenEmpty !== undefined && { seedWhenEmpty: path.resolve(folder, seedWhenEmpty) }),
    ...(database?.startsWith('file:') && {
      database: `file:${path.resolve(folder, database.slice('file:'.length))}`,
    }),
  }
}
