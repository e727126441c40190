import { importData } from '@octavo/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

const rolesRights = ['find', 'findOne', 'createRole', 'updateRole'].map(
  (action) => `plugin::users-permissions.role.${action}`,
)
let site: Site
let token: string
beforeEach(async () => {
  site = await openSite({ permissions: { authenticated: rolesRights } })
  token = await site.login('ada')
})
afterEach(async () => {
  await site.close()
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
    'S-25: POST /users-permissions/roles with %s.%s is 400, and the server goes on',
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
