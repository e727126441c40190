import { type ContentTypeDefinition, exportData, importData, silentLogger } from '@octavo/core'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServer, type Server } from '../../src/index.ts'

const type = (
  singularName: string,
  pluralName: string,
  attributes: ContentTypeDefinition['attributes'],
): ContentTypeDefinition => ({ kind: 'collectionType', info: { singularName, pluralName }, attributes })

const comment = 'api::comment.comment'
const contentTypes = [
  type('article', 'articles', {
    title: { type: 'string' },
    comments: { type: 'relation', relation: 'morphMany', target: comment, morphBy: 'subject' },
    pinned: { type: 'relation', relation: 'morphOne', target: 'api::badge.badge', morphBy: 'holders' },
  }),
  type('page', 'pages', {
    title: { type: 'string' },
    remark: { type: 'relation', relation: 'morphOne', target: comment, morphBy: 'subject' },
    first: { type: 'relation', relation: 'morphMany', target: 'api::badge.badge', morphBy: 'holders' },
    second: { type: 'relation', relation: 'morphMany', target: 'api::badge.badge', morphBy: 'holders' },
  }),
  type('plain', 'plains', { title: { type: 'string' } }),
  type('comment', 'comments', {
    text: { type: 'string' },
    subject: { type: 'relation', relation: 'morphToOne' },
  }),
  type('badge', 'badges', {
    text: { type: 'string' },
    holders: { type: 'relation', relation: 'morphToMany' },
  }),
]

let server: Server
let api: Client
let drop: () => Promise<void>
const open = async (): Promise<void> => {
  const database = await createTestDatabase()
  server = await createServer({ contentTypes, database: database.url, logger: silentLogger, access: 'open' })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
}
const close = async (): Promise<void> => {
  await server.close()
  await drop()
}
beforeEach(open)
afterEach(close)

const create = async (plural: string, data: object): Promise<number> => {
  const { status, body } = await api.post(`/api/${plural}`, { body: { data } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.id
}
/** Ids of the targets of an attribute. */
const led = async (path: string, name: string): Promise<unknown> => {
  const { body } = await api.get(`/api/${path}?populate=${name}`)
  const { data } = body.data.attributes[name]
  return Array.isArray(data) ? data.map(({ id }) => id) : (data?.id ?? null)
}
const article = (id: number) => ({ id, type: 'api::article.article' })
const page = (id: number) => ({ id, type: 'api::page.page' })
const change = (path: string, data: object) => api.put(`/api/${path}`, { body: { data } })
/** Rows of link tables whose one end is not there. */
const dangling = () =>
  server.octavo.store.query(
    ['comments_subject_morphs', 'badges_holders_morphs']
      .map(
        (table) =>
          `select 1 from "${table}" l where not exists (select from articles where id = owner_id and owner_type = 'api::article.article') and not exists (select from pages where id = owner_id and owner_type = 'api::page.page') and not exists (select from plains where id = owner_id and owner_type = 'api::plain.plain')`,
      )
      .join(' union all '),
  )

describe('A polymorphic relation', () => {
  it('is written by { id, type }, and read from the other side, in order', async () => {
    const a = await create('articles', { title: 'A' })
    const first = await create('comments', { text: '1', subject: article(a) })
    const second = await create('comments', {
      text: '2',
      subject: { id: String(a), __type: 'api::article.article' },
    })
    expect(await led(`articles/${a}`, 'comments')).toEqual([first, second])
    const { body } = await api.get(`/api/articles/${a}?populate=*`)
    expect(body.data.attributes.comments.data[0]).toMatchObject({ id: first, attributes: { text: '1' } })
    expect(body.data.attributes.pinned).toEqual({ data: null })
  })

  it('never appears itself: not in populate, and unknown to fields, filters and sort', async () => {
    const a = await create('articles', { title: 'A' })
    const id = await create('comments', { text: '1', subject: article(a) })
    const plain = (await api.get(`/api/comments/${id}`)).text
    for (const query of ['populate=*', 'populate=subject', 'populate[subject][populate]=*'])
      expect((await api.get(`/api/comments/${id}?${query}`)).text).toBe(plain)
    for (const query of ['fields=subject', 'filters[subject][id]=1', 'sort=subject', 'filters[subject]=1'])
      expect((await api.get(`/api/comments?${query}`)).status, query).toBe(400)
    expect((await api.get('/api/articles?filters[comments][text]=1')).status).toBe(400)
  })

  it('is taken from its former place where one end takes one', async () => {
    const [a, b] = [await create('articles', { title: 'A' }), await create('articles', { title: 'B' })]
    const p = await create('pages', { title: 'P' })
    const [x, y] = [
      await create('comments', { text: 'x', subject: article(a) }),
      await create('comments', { text: 'y', subject: article(a) }),
    ]
    await change(`comments/${x}`, { subject: page(p) })
    expect([await led(`articles/${a}`, 'comments'), await led(`pages/${p}`, 'remark')]).toEqual([[y], x])
    // A page has one remark.
    await change(`comments/${y}`, { subject: page(p) })
    expect([await led(`articles/${a}`, 'comments'), await led(`pages/${p}`, 'remark')]).toEqual([[], y])
    // From the other side: a comment has one subject.
    await change(`articles/${b}`, { comments: [x, y] })
    expect([await led(`articles/${b}`, 'comments'), await led(`pages/${p}`, 'remark')]).toEqual([
      [x, y],
      null,
    ])
    await change(`articles/${a}`, { comments: { connect: [y] } })
    expect([await led(`articles/${a}`, 'comments'), await led(`articles/${b}`, 'comments')]).toEqual([
      [y],
      [x],
    ])
    await change(`comments/${x}`, { subject: null })
    expect(await led(`articles/${b}`, 'comments')).toEqual([])
  })

  it('to many takes lists, connect, disconnect and set, over several types', async () => {
    const [a, b] = [await create('articles', { title: 'A' }), await create('articles', { title: 'B' })]
    const p = await create('pages', { title: 'P' })
    const badge = await create('badges', {
      text: 'x',
      holders: [article(a), { ...page(p), field: 'second' }],
    })
    const all = async () => [
      await led(`articles/${a}`, 'pinned'),
      await led(`articles/${b}`, 'pinned'),
      await led(`pages/${p}`, 'first'),
      await led(`pages/${p}`, 'second'),
    ]
    expect(await all()).toEqual([badge, null, [], [badge]])
    await change(`badges/${badge}`, { holders: { connect: [article(b)], disconnect: [article(a)] } })
    expect(await all()).toEqual([null, badge, [], [badge]])
    await change(`badges/${badge}`, { holders: { set: [article(a), { ...page(p), field: 'first' }] } })
    expect(await all()).toEqual([badge, null, [badge], []])
    const other = await create('badges', { text: 'y', holders: [article(a)] })
    expect(await all()).toEqual([other, null, [badge], []])
    await change(`badges/${badge}`, { holders: [] })
    expect(await all()).toEqual([other, null, [], []])
  })

  it.each([
    [7, /type/],
    [{ id: 1 }, /type/],
    [{ id: 1, type: 'api::nothing.nothing' }, /there is no "api::nothing.nothing"/],
    [{ id: 'x', type: 'api::article.article' }, /whole numbers/],
    [{ id: 1, type: 'api::article.article', field: 'title' }, /comments/],
    [[article(1), article(2)], /one entry/],
    [article(99), /1 relation\(s\) of type api::article.article associated with this entity do not exist/],
  ])('refuses %j and writes nothing', async (subject, message) => {
    for (let i = 0; i < 2; i++) await create('articles', { title: 'A' })
    const { status, body } = await api.post('/api/comments', { body: { data: { text: 'x', subject } } })
    expect(status).toBe(400)
    expect(body.error.details.errors[0]).toMatchObject({
      path: ['subject'],
      message: expect.stringMatching(message),
    })
    expect((await api.get('/api/comments')).body.data).toEqual([])
  })

  it('requires the name of a field where several have this target', async () => {
    const p = await create('pages', { title: 'P' })
    const { body } = await api.post('/api/badges', { body: { data: { text: 'x', holders: [page(p)] } } })
    expect(body.error.message).toMatch(/first or second/)
  })

  it('leaves no link behind when either end is deleted', async () => {
    const a = await create('articles', { title: 'A' })
    const p = await create('plains', { title: 'no way back' })
    const badge = await create('badges', { holders: [article(a), { id: p, type: 'api::plain.plain' }] })
    await create('comments', { subject: article(a) })
    const links = async () => (await server.octavo.store.query('select 1 from badges_holders_morphs')).length
    expect(await links()).toBe(2)
    await api.delete(`/api/plains/${p}`)
    expect(await links()).toBe(1)
    await api.delete(`/api/articles/${a}`)
    expect([await links(), await dangling()]).toEqual([0, []])
    const b = await create('articles', { title: 'B', pinned: badge })
    await api.delete(`/api/badges/${badge}`)
    expect([await led(`articles/${b}`, 'pinned'), await links()]).toEqual([null, 0])
  })

  it('survives export and import', async () => {
    const a = await create('articles', { title: 'A' })
    const p = await create('plains', { title: 'P' })
    const badge = await create('badges', { holders: [article(a), { id: p, type: 'api::plain.plain' }] })
    const ids = [
      await create('comments', { subject: article(a) }),
      await create('comments', { subject: article(a) }),
    ]
    const dump = async (): Promise<string> => {
      let text = ''
      await exportData(server.octavo, (piece) => {
        text += piece
      })
      return text
    }
    const before = await dump()
    await close()
    await open()
    await importData(server.octavo, JSON.parse(before))
    expect(await dump()).toBe(before)
    expect([await led(`articles/${a}`, 'comments'), await led(`articles/${a}`, 'pinned')]).toEqual([
      ids,
      badge,
    ])
    expect(await server.octavo.store.query('select 1 from badges_holders_morphs')).toHaveLength(2)
  })
})
