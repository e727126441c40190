import type { ApiOperation, ManagedRight, ManagedRoute } from '@octavo/server'
import { deskPath } from '../http/desk.ts'

const descriptions: Readonly<Record<ManagedRight, string>> = {
  tokens: 'API tokens, for people with the right `tokens`.',
  webhooks: 'Webhooks, for people with the right `webhooks`.',
  settings: 'Settings of the server, for people with the right `settings`.',
}

/** The groups of the routes of other plugins. */
export const managedTags = (routes: readonly ManagedRoute[]): Readonly<Record<string, string>> =>
  Object.fromEntries(routes.map(({ right }) => [`Desk: ${right}`, descriptions[right]]))

/** The operations of these routes, by method and path. */
export const managedOperations = (routes: readonly ManagedRoute[]): Readonly<Record<string, ApiOperation>> =>
  Object.fromEntries(
    routes.map(({ method, path, right, operation }) => [
      `${method} ${deskPath}${path}`,
      { ...operation, tag: `Desk: ${right}`, security: ['deskSession'] },
    ]),
  )
