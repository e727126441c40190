import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { definePlugin, tagsOfWrite } from '@octavo/core/plugin'
import { afterEach, describe, expect, it } from 'vitest'
import { roleUid } from '../src/content-types.ts'
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
      'octavo:rights',
    ])
  })
})

describe('A change of rights', () => {
  it('has a tag in common with the answers that callers without a login get', async () => {
    const stale = new Set<string>()
    const purging = definePlugin({
      name: 'purging',
      setup(host) {
        const octavo = host.start((octavo) => octavo)
        host.hook('entry:committed', (event) => {
          for (const tag of tagsOfWrite(event, octavo().registry)) stale.add(tag)
        })
      },
    })
    const rights = [...all('api::article.article'), `${roleUid}.updateRole`]
    site = await openSite(
      { permissions: { public: rights } },
      { cache: { tags: 'Surrogate-Key' } },
      undefined,
      false,
      [purging],
    )
    const { api, server } = site
    const read = async () => {
      const { body, headers } = await api.get('/api/articles?populate=note')
      return { note: body.data[0].attributes.note, tags: headers.get('surrogate-key')?.split(' ') ?? [] }
    }
    const command = async (name: string): Promise<void> => {
      stale.clear()
      const run = server.octavo.commands.get(`permissions ${name}`)?.run
      await run?.(server.octavo, new Set(), () => {}, ['public', 'api::note.note.find'])
    }
    const without = await read()
    await command('grant')
    expect(without.tags.filter((tag) => stale.has(tag))).toEqual(['octavo:rights'])
    const shown = await read()
    expect(shown).toMatchObject({ note: { data: { id: 1 } }, tags: expect.arrayContaining(['note/1']) })
    await command('revoke')
    expect(shown.tags.filter((tag) => stale.has(tag))).toEqual(['octavo:rights'])
    expect((await read()).note).toBeUndefined()
    await command('grant')
    stale.clear()
    const roles = server.octavo.entries('role', unrestricted('a test'))
    const [role] = (await roles.find({ filters: { type: 'public' } })).data
    const body = { permissions: {} }
    expect((await api.put(`/api/users-permissions/roles/${role?.id}`, { body })).status).toBe(200)
    expect(stale).toContain('octavo:rights')
    expect((await read()).note).toBeUndefined()
  })
})
