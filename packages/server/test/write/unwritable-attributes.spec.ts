/** Attributes with `"writable": false`, which programs write and no caller does: S-70 of docs/contract/threats.md. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../support/site.ts'

const attributes: ContentTypeDefinition['attributes'] = {
  name: { type: 'string' },
  balance: { type: 'integer', default: 0, writable: false },
  owner: { type: 'relation', relation: 'manyToOne', target: 'api::owner.owner', writable: false },
  terms: { type: 'component', component: 'bank.terms', writable: false },
  note: { type: 'component', component: 'bank.terms' },
}
const account: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'account', pluralName: 'accounts' },
  attributes,
}
const reserve: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'reserve', pluralName: 'reserves' },
  attributes,
}
const owner: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'owner', pluralName: 'owners' },
  attributes: { name: { type: 'string' }, number: { type: 'integer', required: true, writable: false } },
}
const terms = { uid: 'bank.terms', attributes: { rate: { type: 'integer', writable: false } } } as const

/** Numbers new owners, and keeps the names that it gets from callers. */
const seen: (readonly string[])[] = []
const numbers = definePlugin({
  name: 'numbers',
  setup: (host) =>
    host.hook(
      'entry:input',
      (input, { type, action }) => {
        seen.push(Object.keys(input))
        return type.uid === 'api::owner.owner' && action === 'create' ? { number: 7, ...input } : input
      },
      { database: false },
    ),
})

let site: Site
beforeAll(async () => {
  site = await openSite(
    {
      api: { rest: { bulk: true } },
      contentTypes: [account, reserve, owner],
      components: [terms],
      plugins: [numbers],
    },
    false,
  )
  await site.server.octavo.entries('owner').create({ name: 'Grace' })
})
afterAll(() => site.close())
beforeEach(() => {
  seen.length = 0
})

/** Values for every attribute, as a caller sends them. */
const all = { name: 'Ada', balance: 1_000_000, owner: 1, terms: { rate: 9 }, note: { rate: 9 } }
const query = '?populate=*'
const untouched = { balance: 0, owner: { data: null }, terms: null, note: { rate: 9 } }

describe('S-70: a body of REST', () => {
  it('creates an entry without their values', async () => {
    const { status, body } = await site.api.post(`/api/accounts${query}`, { body: { data: all } })
    expect(status).toBe(200)
    expect(body.data.attributes).toMatchObject({ ...untouched, name: 'Ada' })
    expect(seen).toEqual([['name', 'note']])
  })

  it('updates the other attributes of an entry, whose values stay', async () => {
    const accounts = site.server.octavo.entries('account')
    const { id } = await accounts.create({ balance: 5, owner: 1, terms: { rate: 1 } })
    const { status, body } = await site.api.put(`/api/accounts/${id}${query}`, { body: { data: all } })
    expect(status).toBe(200)
    expect(body.data.attributes).toMatchObject({
      name: 'Ada',
      balance: 5,
      owner: { data: { id: 1 } },
      terms: { rate: 1 },
    })
  })

  it('creates and updates the entry of a single type without them', async () => {
    for (const name of ['created', 'updated']) {
      const { status, body } = await site.api.put(`/api/reserve${query}`, {
        body: { data: { ...all, name } },
      })
      expect(status).toBe(200)
      expect(body.data.attributes).toMatchObject({ ...untouched, name })
    }
  })

  it('writes many entries without them', async () => {
    const path = '/api/accounts/actions/bulk'
    const { status, body: made } = await site.api.post(path, { body: { create: [all, all] } })
    expect(status, JSON.stringify(made)).toBe(200)
    const [id] = made.data.created
    const update = [{ id, ...all, name: 'Mary' }]
    expect((await site.api.post(path, { body: { update } })).status).toBe(200)
    for (const one of made.data.created) {
      const { body } = await site.api.get(`/api/accounts/${one}${query}`)
      expect(body.data.attributes).toMatchObject({ ...untouched, name: one === id ? 'Mary' : 'Ada' })
    }
  })

  it('need not have a required one that a plugin sets, and cannot set it', async () => {
    const { body } = await site.api.post('/api/owners', { body: { data: { name: 'Ada', number: 1 } } })
    expect(body.data.attributes).toMatchObject({ name: 'Ada', number: 7 })
  })
})

describe('A program', () => {
  it.each([
    ['without a state', {}],
    ['with unrestricted access', { caller: 'user 1', ...unrestricted('pays') }],
  ])('writes them %s', async (_, state) => {
    const accounts = site.server.octavo.entries('account', state)
    const { id } = await accounts.create({ balance: 5, terms: { rate: 1 } })
    await accounts.update(id, { balance: 6 })
    expect(await accounts.findOne(id, { populate: { terms: true } })).toMatchObject({
      attributes: { balance: 6, terms: { rate: 1 } },
    })
  })

  it('writes none with the state of a request', async () => {
    const accounts = site.server.octavo.entries('account', { requestId: 'a' })
    expect(await accounts.create({ balance: 5 })).toMatchObject({ attributes: { balance: 0 } })
  })

  it('gets the names of the others from octavo.writable', () => {
    const { octavo } = site.server
    const type = octavo.registry.contentType('api::account.account')
    const names = octavo.writable({ type, action: 'update', state: { requestId: 'a' } })
    expect([...names].filter((name) => Object.hasOwn(attributes, name))).toEqual(['name', 'note'])
  })
})
