import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { all, openSite, type Site } from './site.ts'

const account: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'account', pluralName: 'accounts' },
  attributes: {
    title: { type: 'string' },
    number: { type: 'string', unique: true, private: true },
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  },
}
const uid = 'api::account.account'
let site: Site
afterEach(() => site?.close())

describe('S-27: side channels', () => {
  it('S-27: a private unique attribute does not reveal values of other entries', async () => {
    site = await openSite({ permissions: { public: all(uid) } }, { contentTypes: [account] }, undefined, true)
    const accounts = site.server.octavo.entries('account', unrestricted('a test'))
    await accounts.create({ title: 'known', number: 'A1' })
    for (const number of ['A1', 'B2']) {
      const { status } = await site.api.post('/api/accounts', { body: { data: { title: 'x', number } } })
      expect(status, number).toBe(200)
    }
    const numbers = await site.server.octavo.store.query('select "number" from "accounts" order by "id"')
    expect(numbers.flat()).toEqual(['A1', null, null])
  })

  it('S-27: the tags of a response do not name types that only a permission reads', async () => {
    site = await openSite(
      { permissions: { public: [{ action: `${uid}.find`, where: { owner: { username: 'ada' } } }] } },
      { contentTypes: [account], cache: { tags: 'Surrogate-Key' } },
      undefined,
      true,
    )
    const { headers } = await site.api.get('/api/accounts')
    expect(headers.get('surrogate-key')?.split(' ').sort()).toEqual([
      'account:list',
      'account:values',
      'octavo:any-write',
    ])
  })
})
