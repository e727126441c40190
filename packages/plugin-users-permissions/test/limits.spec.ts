import { silentLogger } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type UsersPermissionsOptions, usersPermissions } from '../src/index.ts'
import { openSite, refusal, type Site } from './site.ts'

let site: Site | undefined
afterEach(async () => {
  await site?.close()
  site = undefined
})

const user = (action: string) => `plugin::users-permissions.user.${action}`

describe('S-23: no permission is no access', () => {
  const guesses = [
    'filters[email][$startsWith]=a',
    'filters[username][$eq]=ada',
    'filters[$or][0][email][$contains]=ada',
    'filters[$not][email][$contains]=ada',
    'filters[role][type]=authenticated',
    'filters[createdAt][$gt]=2000-01-01',
  ]

  it('S-23: GET /users/count filters only by the id for a role without user.find', async () => {
    site = await openSite({ permissions: { authenticated: [user('count')] } })
    const token = await site.login('ada')
    expect((await site.api.get('/api/users/count', { token })).body).toBe(2)
    for (const query of guesses)
      expect(await site.api.get(`/api/users/count?${query}`, { token }), query).toMatchObject(
        refusal(400, 'ValidationError'),
      )
    expect((await site.api.get('/api/users/count?filters[id]=1', { token })).body).toBe(1)
    // No other parameter selects or orders anything in a count.
    for (const query of [
      '_q=ada',
      '_q=zzz',
      'sort=email',
      'fields=email',
      'populate=role',
      'email=ada@example.org',
    ])
      expect((await site.api.get(`/api/users/count?${query}`, { token })).body, query).toBe(2)
  })

  it('S-23: findOne alone opens no list, and neither filters nor sorts one entry', async () => {
    site = await openSite({ permissions: { authenticated: [user('findOne')] } })
    const token = await site.login('ada')
    const get = (path: string) => site?.api.get(path, { token })
    for (const query of ['', '?_q=ada', '?sort=email', '?filters[email][$startsWith]=a'])
      expect((await get(`/api/users${query}`))?.status, query).toBe(403)
    const plain = await get('/api/users/2')
    for (const query of ['_q=ada', '_q=zzz', 'sort=username:desc', 'filters[username]=zzz'])
      expect([200, 400], query).toContain((await get(`/api/users/2?${query}`))?.status)
    expect((await get('/api/users/2?_q=zzz'))?.text).toBe(plain?.text)
  })

  it('S-23: a count covers only the entries that find returns', async () => {
    site = await openSite({
      permissions: {
        authenticated: [
          user('count'),
          { action: user('find'), where: { id: '$user.id' }, fields: ['username'] },
        ],
      },
    })
    const token = await site.login('ada')
    const count = async (query: string) => (await site?.api.get(`/api/users/count?${query}`, { token }))?.body
    expect(await count('')).toBe(1)
    expect(await count('filters[username][$startsWith]=b')).toBe(0)
    expect(await count('filters[username][$startsWith]=a')).toBe(1)
    expect(await site.api.get('/api/users/count?filters[email][$startsWith]=b', { token })).toMatchObject(
      refusal(400, 'ValidationError'),
    )
  })
})

describe('S-23: limits that no code enforces stop the start', () => {
  /** A third-party plugin: `/peek` enforces no limit, `/list` enforces both. */
  const peek = definePlugin({
    name: 'peek',
    setup(host) {
      const entries = { type: 'plugin::users-permissions.user', as: 'list' }
      host.actions(() => [
        { name: 'plugin::peek.peek.look' },
        { name: 'plugin::peek.peek.list', entries, enforces: ['where', 'fields'] },
      ])
      host.hook('server:routes', (routes) => {
        for (const name of ['look', 'list'])
          routes.add({
            method: 'GET',
            path: `/${name}`,
            action: `plugin::peek.peek.${name}`,
            handler: (context) => {
              context.body = {}
            },
          })
      })
    },
  })
  const start = async (permission: NonNullable<UsersPermissionsOptions['permissions']>[string][number]) => {
    const database = await createTestDatabase()
    try {
      const server = await createServer({
        plugins: [usersPermissions({ permissions: { public: [permission] } }), peek],
        database: database.url,
        logger: silentLogger,
      })
      await server.close()
    } finally {
      await database.drop()
    }
  }

  it.each([
    ['plugin::peek.peek.look', { where: { id: 1 } }, '"where" of plugin::peek.peek.look is not enforced'],
    [
      'plugin::peek.peek.look',
      { fields: ['username'] },
      '"fields" of plugin::peek.peek.look is not enforced',
    ],
    [
      'plugin::users-permissions.role.find',
      { where: { type: 'public' } },
      '"where" of plugin::users-permissions.role.find',
    ],
    [
      'plugin::users-permissions.auth.callback',
      { fields: ['username'] },
      '"fields" of plugin::users-permissions.auth',
    ],
    [user('find'), { fields: ['usrname'] }, 'did you mean "username"?'],
    ['plugin::peek.peek.lok', {}, 'did you mean "plugin::peek.peek.look"?'],
    [user('fnd'), {}, `did you mean "${user('find')}"?`],
  ])('S-23: %s with %o', async (action, limits, message) => {
    await expect(start({ action, ...limits })).rejects.toThrow(message)
  })

  it('S-23: an action that enforces a limit accepts it', async () => {
    await start({ action: 'plugin::peek.peek.list', where: { id: 1 }, fields: ['username'] })
  })

  it('S-23: a route with an action that its plugin does not declare stops the start', async () => {
    const sloppy = definePlugin({
      name: 'sloppy',
      setup: (host) =>
        host.hook('server:routes', (routes) =>
          routes.add({ method: 'GET', path: '/x', action: 'plugin::sloppy.x.find', handler: () => {} }),
        ),
    })
    const database = await createTestDatabase()
    await expect(
      createServer({ plugins: [sloppy], database: database.url, logger: silentLogger }),
    ).rejects.toThrow(/"sloppy".*plugin::sloppy\.x\.find.*host\.actions/s)
    await database.drop()
  })
})
