import { PluginError } from '@octavo/core'
import { checkOptions } from '@octavo/core/internal'
import type { Method } from '../request/endpoints.ts'
import type { Route } from './routes.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[]
const bodies = ['fields', 'none'] as const satisfies readonly NonNullable<Route['body']>[]

const routeKeys = {
  method: true,
  path: true,
  root: true,
  action: true,
  body: true,
  replaces: true,
  handler: true,
} as const satisfies { readonly [K in keyof Required<Route>]: true }

/**
 * Checks a route, for plugins that no compiler has checked. Without this a misspelt action would leave the route open to everybody, and a
 * path without a slash would answer nothing.
 *
 * @param path With the prefix.
 * @throws PluginError
 */
export function checkRoute(plugin: string, route: Route, path: string): void {
  const mistake = (message: string): PluginError => new PluginError(plugin, 'server:routes', message)
  const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
  if (typeof route.path !== 'string' || !route.path.startsWith('/'))
    throw mistake(
      `the path of a route begins with /, not as "${String(route.path)}"; write "/${String(route.path)}"`,
    )
  if (!methods.includes(route.method))
    throw mistake(`the route ${path} has the method "${String(route.method)}", not one of ${list(methods)}`)
  const name = `the route ${route.method} ${path}`
  if (typeof route.handler !== 'function') throw mistake(`the handler of ${name} is no function`)
  if (route.body !== undefined && !bodies.includes(route.body))
    throw mistake(`${name} has the body "${String(route.body)}", not one of ${list(bodies)}`)
  try {
    checkOptions(route, routeKeys, name)
  } catch (error) {
    throw mistake(error instanceof Error ? error.message : String(error))
  }
}
