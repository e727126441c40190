/** A plugin that finds the user of a request by itself, as one for single sign-on does. */
import { UnauthorizedError, unrestricted } from '@octavo/core'
import { definePlugin, defineProblems } from '@octavo/core/plugin'
import type {} from '@octavo/server' // declares the hooks of the server
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stateOfUser } from '../src/index.ts'
import { all, openSite, type Site } from './site.ts'

const problem = defineProblems({
  'proxy/unknown': { error: UnauthorizedError, message: () => 'The proxy names nobody with an account.' },
})

const proxyLogin = definePlugin({
  name: 'proxy-login',
  before: ['users-permissions'],
  setup(host) {
    const octavo = host.start((octavo) => octavo)
    const everything = host.unrestricted('it finds the users whom the proxy names')
    host.hook('server:authenticate', async (context) => {
      const username = context.get('X-Login')
      if (username === '') return undefined
      const { data } = await octavo()
        .entries('plugin::users-permissions.user', everything)
        .find({ filters: { username }, fields: ['id'] })
      const state = data[0] && (await stateOfUser(octavo(), data[0].id))
      if (!state) throw problem('proxy/unknown')
      return state
    })
  },
})

let site: Site
beforeAll(async () => {
  const permissions = {
    public: ['api::note.note.find'],
    authenticated: [...all('api::article.article'), 'plugin::users-permissions.user.me'],
  }
  site = await openSite({ permissions }, {}, undefined, false, [proxyLogin])
})
afterAll(() => site.close())

const as = (name: string) => ({ headers: { 'x-login': name } })

it('A user whom a plugin finds has the rights of the role, and routes know the user', async () => {
  const me = await site.api.get('/api/users/me', as('ada'))
  expect([me.status, me.body.username]).toEqual([200, 'ada'])
  expect((await site.api.get('/api/articles', as('ada'))).status).toBe(200)
  expect((await site.api.get('/api/notes', as('ada'))).status).toBe(403)
})

it('Requests without a user of the plugin have tokens, or the role public', async () => {
  expect((await site.api.get('/api/notes')).status).toBe(200)
  expect((await site.api.get('/api/articles')).status).toBe(403)
  const token = await site.login('ada')
  expect((await site.api.get('/api/articles', { token })).status).toBe(200)
})

it('Each user has idempotency keys of their own', async () => {
  const create = async (name: string) => {
    const headers = { 'x-login': name, 'idempotency-key': 'one' }
    return (await site.api.post('/api/articles', { headers, body: { data: { title: 'Mine' } } })).body.data.id
  }
  const ids = [await create('ada'), await create('bob'), await create('ada')]
  expect(ids[1]).not.toBe(ids[0])
  expect(ids[2]).toBe(ids[0])
})

it('A user who is blocked, or does not exist, has no state', async () => {
  const { octavo } = site.server
  expect(await stateOfUser(octavo, 1)).toMatchObject({ caller: 'user 1' })
  expect(await stateOfUser(octavo, 999)).toBeUndefined()
  await octavo
    .entries('plugin::users-permissions.user', unrestricted('blocks a user'))
    .update(2, { blocked: true })
  expect(await stateOfUser(octavo, 2)).toBeUndefined()
  expect((await site.api.get('/api/articles', as('bob'))).status).toBe(401)
})
