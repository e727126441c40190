import { importData } from '@octavo/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

const rolesRights = ['find', 'findOne', 'createRole', 'updateRole'].map(
  (action) => `plugin::users-permissions.role.${action}`,
)
let site: Site
let token: string
// One for all: each attempt grants nothing, so nothing is different for the next.
beforeAll(async () => {
  site = await openSite({ permissions: { authenticated: rolesRights } })
  token = await site.login('ada')
})
afterAll(() => site?.close())
afterEach(() => {
  // Removes properties that a failing server left on the prototypes of this process.
  for (const name of ['unrestricted', 'caller', 'find'])
    if (Object.hasOwn(Object.prototype, name)) Reflect.deleteProperty(Object.prototype, name)
})

/** The property names of the shared prototypes. */
const shared = () => [Object.prototype, Object, Function.prototype].map((one) => Reflect.ownKeys(one))

describe('S-25: names that every object inherits', () => {
  it.each([
    ['constructor', 'assign'],
    ['constructor', 'unrestricted'],
    ['__proto__', 'unrestricted'],
    ['toString', 'find'],
    ['article', 'constructor'],
    ['article', 'hasOwnProperty'],
  ])(
    'S-25: POST /users-permissions/roles with %s.%s is 400, and the server still answers',
    async (controller, name) => {
      const before = shared()
      const permissions = JSON.parse(
        `{"api::article":{"controllers":{"${controller}":{"${name}":{"enabled":true}}}}}`,
      ) as object
      const body = { name: 'Mole', permissions }
      expect((await site.api.post('/api/users-permissions/roles', { body, token })).status).toBe(400)
      expect((await site.api.get('/api/users-permissions/roles/1', { token })).status).toBe(200)
      expect(shared()).toEqual(before)
      await site.login('bob')
    },
  )

  it('S-25: __proto__ as a type in a role is 400', async () => {
    const permissions = JSON.parse('{"__proto__":{"controllers":{"x":{"y":{"enabled":true}}}}}') as object
    const body = { name: 'Mole', permissions }
    expect((await site.api.put('/api/users-permissions/roles/1', { body, token })).status).toBe(400)
  })

  it.each([
    'api::article.__proto__.unrestricted',
    'api::article.__proto__.caller',
    'api::article.constructor.assign',
  ])('S-25: a data file with the permission %s is refused', async (action) => {
    const { octavo } = site.server
    const roles = [{ id: 9, type: 'mole', name: 'Mole', permissions: [action] }]
    await expect(importData(octavo, { roles })).rejects.toThrow(action)
  })

  it.each([
    ['a section', '{"__proto__":{"unrestricted":true},"roles":[]}'],
    ['a content-type', '{"entries":{"__proto__":[{"id":1}]}}'],
    ['a role', '{"roles":[{"id":9,"type":"mole","name":"Mole","__proto__":{"permissions":["x"]}}]}'],
    ['a user', '{"users":[{"id":9,"username":"mole","email":"mole@example.org","__proto__":{"role":1}}]}'],
    ['an entry', '{"entries":{"article":[{"id":9,"__proto__":{"title":"x"}}]}}'],
    [
      'the value of an attribute',
      '{"entries":{"article":[{"id":9,"title":{"__proto__":{"unrestricted":true}}}]}}',
    ],
  ])('S-25: __proto__ in %s of a data file changes no prototype and grants nothing', async (_, text) => {
    const before = shared()
    await importData(site.server.octavo, JSON.parse(text)).catch((error: unknown) => error)
    expect(shared()).toEqual(before)
    expect((await site.api.get('/api/users')).status).toBe(403)
    const roles = await site.server.octavo.store.query('select "role_id" from "up_users" where "id" = 9')
    expect(roles.flat().filter((role) => role === 1)).toEqual([])
  })

  it.each([
    '/api/articles',
    '/api/users',
    '/api/users-permissions/roles',
    '/api/auth/local/register',
    '/api/auth/local',
  ])('S-25: __proto__ and constructor in a body of %s change no prototype', async (path) => {
    const before = shared()
    for (const name of ['__proto__', 'constructor']) {
      const inner = `{"${name}":{"unrestricted":true,"role":1,"prototype":{"caller":1}},"username":"m","name":"m"}`
      for (const body of [inner, `{"data":${inner}}`, `{"${name}":${inner}}`])
        expect((await site.api.post(path, { body: JSON.parse(body) as object, token })).status).toBeLessThan(
          500,
        )
    }
    expect(shared()).toEqual(before)
    expect((await site.api.get('/api/users')).status).toBe(403)
  })

  it.each(['api::article.__proto__.unrestricted', 'api::article.constructor.assign'])(
    'S-25: %s in the database grants nothing',
    async (action) => {
      const before = shared()
      await site.server.octavo.store.query(
        `insert into "up_permissions" ("action", "role_id") select $1, "id" from "up_roles" where "type" = 'public'`,
        [action],
      )
      const { id } = (await site.api.get('/api/users-permissions/roles', { token })).body.roles[1]
      expect((await site.api.get(`/api/users-permissions/roles/${id}`, { token })).status).toBe(200)
      expect(shared()).toEqual(before)
      expect((await site.api.get('/api/articles')).status).toBe(403)
    },
  )

  it('S-25: inherited properties of a state grant nothing', async () => {
    for (const name of ['unrestricted', 'caller'])
      Object.defineProperty(Object.prototype, name, {
        value:
          name === 'caller' ? { grants: { key: '*', of: (action: string) => ({ action }) } } : 'a mistake',
        configurable: true,
      })
    expect((await site.api.get('/api/articles')).status).toBe(403)
    await expect(site.server.octavo.entries('article').find()).rejects.toMatchObject({ status: 403 })
  })
})
