import { ConfigurationError, OctavoError, PluginError } from '@octavo/core'
import { checkOptions, prepareOctavo } from '@octavo/core/internal'
import type { Registry } from '@octavo/core/plugin'
import { cacheControlOf } from './answer/caching.ts'
import { bulkLimits } from './content/bulk.ts'
import { PluginRoutes } from './plugin/plugin-routes.ts'
import { serverKeys } from './server-keys.ts'
import { octavoOptions, readPrefix, type ServerOptions } from './server-options.ts'

export interface CheckedServer {
  readonly registry: Registry
  /** Plugins that cannot register their routes before a start: these routes were not compared with the content-types. */
  readonly unchecked: readonly { readonly plugin: string; readonly reason: string }[]
}

/**
 * Checks the options like `createServer`: definitions, routes of plugins, and the paths of content-types. Opens no database.
 * @throws the errors of `createServer` that need no database
 */
export function checkServer(options: ServerOptions): CheckedServer {
  checkOptions(options, serverKeys, 'createServer')
  const prefix = readPrefix(options.api?.rest?.prefix)
  const bulk = bulkLimits(options.api?.rest?.bulk)
  const { registry, hooks, actions } = prepareOctavo(octavoOptions(options))
  for (const type of registry.contentTypes.values()) cacheControlOf(type)

  const missing = (): Error => new Error('There is no request without a start')
  const noRequest = (): Promise<never> => Promise.reject(missing())
  const readOf = (): never => {
    throw missing()
  }
  const routes = new PluginRoutes(
    {
      prefix,
      rateLimit: true,
      processes: 1,
      receive: noRequest,
      permits: noRequest,
      readOf,
      forward: noRequest,
    },
    () => noRequest,
    () => registry.contentTypes.values(),
    (action) => actions.has(action),
    () => [],
  )
  const unchecked: { plugin: string; reason: string }[] = []
  hooks.register(
    'server:routes',
    (plugin) => routes.of(plugin),
    (error, plugin) => {
      if (isMistake(error)) throw error
      unchecked.push({ plugin, reason: error instanceof Error ? error.message : String(error) })
    },
  )
  for (const type of registry.contentTypes.values()) routes.checkContent(type, bulk !== undefined)
  return { registry, unchecked }
}

/** Whether a start would fail as well. Other errors may be due to a handler that uses the running octavo. */
const isMistake = (error: unknown): boolean =>
  error instanceof ConfigurationError ||
  error instanceof OctavoError ||
  (error instanceof PluginError && error.hook === 'server:routes')
