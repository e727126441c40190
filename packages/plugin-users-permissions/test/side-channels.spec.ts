import { hash } from 'node:crypto'
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

describe('S-27: names and addresses of other users', () => {
  const update = 'plugin::users-permissions.user.update'
  const own = { id: '$user.id' }
  it.each([
    ['may write other attributes only', { action: update, where: own, fields: ['password'] }, 1, 200, false],
    ['may not change that user', { action: update, where: own }, 2, 404, false],
    ['names no user', { action: update, where: own }, 99, 404, false],
    ['may not change the own address', { action: update, where: { username: 'bob' } }, 1, 404, true],
  ])('S-27: are not told to a caller who %s', async (_, permission, id, status, emailConfirmation) => {
    site = await openSite({ permissions: { authenticated: [permission] }, emailConfirmation })
    const token = await site.login('ada')
    const put = async (body: object) => {
      const answer = await site.api.put(`/api/users/${id}`, { token, body })
      return { status: answer.status, body: answer.body }
    }
    const [email, username] = [
      await put({ email: 'nobody@example.org' }),
      await put({ username: 'nobody at all' }),
    ]
    expect([email.status, username.status]).toEqual([status, status])
    expect(await put({ email: 'bob@example.org' })).toEqual(email)
    expect(await put({ username: 'bob' })).toEqual(username)
  })
})

describe('S-36: If-Match', () => {
  const article = 'api::article.article'
  const writing = [`${article}.update`, `${article}.delete`]
  /** The ETag of an article, as somebody who knows all of it or guesses well computes it. */
  const tagOf = async (id: number, query: string): Promise<string> => {
    const { octavo } = site.server
    const type = octavo.registry.contentType(article)
    const state = unrestricted('a test')
    const { data } = await octavo.read({ type, action: 'findOne', kind: 'one', id, query, state })
    return `"${hash('sha1', `{"data":${data},"meta":{}}`, 'base64url')}"`
  }
  const write = (method: 'put' | 'delete', id: number, query: string, tag: string) =>
    site.api[method](`/api/articles/${id}?${query}`, {
      ...(method === 'put' && { body: { data: {} } }),
      headers: { 'If-Match': tag },
    })

  it.each([
    ['nothing', [], 'fields=budget'],
    ['a part of all', [{ action: `${article}.find`, fields: ['title'] }], ''],
    ['a part of each', [{ action: `${article}.findOne`, fields: ['title'] }], ''],
    ['a list without it', [{ action: `${article}.find`, where: { title: 'x' } }], 'fields=budget'],
    ['each of others', [{ action: `${article}.findOne`, where: { title: 'x' } }], 'fields=budget'],
  ])('S-36: does not tell what an entry has to a caller who may read %s', async (_, reading, query) => {
    site = await openSite({ permissions: { public: [...writing, ...reading] } })
    const known = await tagOf(1, query)
    for (const tag of [known, '"another"'])
      for (const method of ['put', 'delete'] as const)
        expect(await write(method, 1, query, tag), `${method} ${tag}`).toMatchObject({ status: 412 })
    expect(await write('put', 1, query, '*')).toMatchObject({ status: 200 })
    expect(await write('put', 99, query, '*')).toMatchObject({ status: 412 })
  })

  it('S-36: compares what the caller may read', async () => {
    const reading = { action: `${article}.findOne`, where: { title: "Ada's" } }
    site = await openSite({ permissions: { public: [...writing, reading] } })
    const query = 'fields=budget'
    expect(await write('put', 1, query, '"another"')).toMatchObject({ status: 412 })
    expect(await write('put', 1, query, await tagOf(1, query))).toMatchObject({ status: 200 })
    expect(await write('put', 2, query, await tagOf(2, query))).toMatchObject({ status: 412 })
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
