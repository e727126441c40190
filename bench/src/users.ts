/** The callers of requests with users and permissions. */
import { silentLogger, unrestricted } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { components, contentTypes, searchedTypes } from './dataset.ts'

export const reader = { username: 'reader', email: 'reader@example.org', password: 'Password123' }
export const secret = 'a secret of the benchmark, used nowhere else'

/**
 * Of the measured server. `users`: with users and permissions; public may do nothing then. `search`: with an index for searches,
 * which the next start without it drops. `graphql`: with GraphQL. `start`: the command `octavo start`, see `start-command.ts`.
 */
export type Mode = 'plain' | 'users' | 'search' | 'start' | 'graphql'

/** A server of this process. The mode `start` is a process of its own. */
export const createMeasured = (database: string, mode: Exclude<Mode, 'start'>): Promise<Server> => {
  const users = mode === 'users'
  return createServer({
    contentTypes: mode === 'search' ? searchedTypes : contentTypes,
    components,
    database,
    rateLimit: false,
    // A line for each request would be measured along, in one of the two servers only.
    logger: silentLogger,
    access: 'open',
    // One database is measured with the plugin and without it.
    withoutPlugin: users ? [] : ['users-permissions'],
    plugins: [
      ...(users
        ? [
            usersPermissions({
              jwt: { secret },
              permissions: { authenticated: ['api::article.article.find'] },
            }),
          ]
        : []),
      ...(mode === 'graphql' ? [graphql({ depthLimit: 15 })] : []),
    ],
  })
}

/** Creates the user `reader`. */
export async function addReader(database: string): Promise<void> {
  const { octavo } = await createMeasured(database, 'users')
  const state = unrestricted('makes the caller')
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  await octavo
    .entries('user', state)
    .create({ ...reader, provider: 'local', confirmed: true, role: role?.id })
  await octavo.close()
}
