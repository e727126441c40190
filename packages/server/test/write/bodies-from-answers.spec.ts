import { type ContentTypeDefinition, defineComponent, silentLogger } from '@octavo/core'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServer } from '../../src/index.ts'

const type = (
  singularName: string,
  pluralName: string,
  attributes: ContentTypeDefinition['attributes'],
): ContentTypeDefinition => ({ kind: 'collectionType', info: { singularName, pluralName }, attributes })

const contentTypes = [
  type('article', 'articles', {
    title: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.link'] },
  }),
  type('author', 'authors', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    remarks: { type: 'relation', relation: 'morphMany', target: 'api::remark.remark', morphBy: 'about' },
  }),
  type('remark', 'remarks', {
    text: { type: 'string' },
    about: { type: 'relation', relation: 'morphToOne' },
  }),
]
const components = [
  defineComponent({ uid: 'shared.link', attributes: { label: { type: 'string' } } }),
  defineComponent({
    uid: 'shared.seo',
    attributes: {
      metaTitle: { type: 'string' },
      more: { type: 'component', component: 'shared.link', repeatable: true },
    },
  }),
]

let api: Client
let close: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes,
    components,
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  close = async () => {
    await server.close()
    await database.drop()
  }
})
afterAll(() => close())

const created = async (plural: string, data: object): Promise<number> => {
  const { status, body } = await api.post(`/api/${plural}`, { body: { data } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.id
}

describe('type beside the id of a related entry', () => {
  it.each([
    ['alone', (id: number) => ({ id, type: 'author' })],
    ['of another content-type', (id: number) => ({ id, type: 'api::article.article' })],
    ['that is no text', (id: number) => ({ id, type: 7 })],
    ['in connect', (id: number) => ({ connect: [{ id, type: 'authors' }] })],
    ['in set', (id: number) => ({ set: [{ id, type: 'authors' }] })],
  ])('is ignored: %s', async (_, author) => {
    const id = await created('authors', { name: 'Ada' })
    const article = await created('articles', { title: 'One', author: author(id) })
    const { body } = await api.get(`/api/articles/${article}?populate=author`)
    expect(body.data.attributes.author.data.id).toBe(id)
  })

  it('is ignored in disconnect', async () => {
    const author = await created('authors', { name: 'Ada' })
    const article = await created('articles', { title: 'One', author })
    const data = { author: { disconnect: [{ id: author, type: 'writer' }] } }
    const { status, body } = await api.put(`/api/articles/${article}?populate=author`, { body: { data } })
    expect([status, body.data?.attributes.author]).toEqual([200, { data: null }])
  })

  it.each(['api::author.author', 'author'])('is read by a polymorphic relation: %s', async (name) => {
    const author = await created('authors', { name: 'Ada' })
    const remark = await created('remarks', { text: 'Yes', about: { id: author, type: name } })
    const { body } = await api.get(`/api/authors/${author}?populate=remarks`)
    expect(body.data.attributes.remarks.data.map(({ id }: { id: number }) => id)).toEqual([remark])
  })

  it('names one entry, by its uid and by its singular name', async () => {
    const author = await created('authors', { name: 'Ada' })
    const remark = await created('remarks', { text: 'Yes', about: { id: author, type: 'author' } })
    const about = { disconnect: [{ id: author, type: 'api::author.author' }] }
    expect((await api.put(`/api/remarks/${remark}`, { body: { data: { about } } })).status).toBe(200)
    const { body } = await api.get(`/api/authors/${author}?populate=remarks`)
    expect(body.data.attributes.remarks.data).toEqual([])
  })

  it('is refused by a polymorphic relation when no content-type has the name', async () => {
    const { status, body } = await api.post('/api/remarks', {
      body: { data: { about: { id: 1, type: 'writer' } } },
    })
    expect([status, body.error.details.errors[0].path]).toEqual([400, ['about']])
    expect(body.error.message).toContain('"writer"')
  })
})

it('a set of null changes no relation', async () => {
  const author = await created('authors', { name: 'Ada' })
  const article = await created('articles', { title: 'One', author })
  const data = { author: { set: null } }
  const { status, body } = await api.put(`/api/articles/${article}?populate=author`, { body: { data } })
  expect([status, body.data?.attributes.author.data.id]).toEqual([200, author])
})

describe('an entry that is read and posted again', () => {
  const populate = 'populate[seo][populate]=more&populate[links]=*&populate[blocks][populate]=*'
  const withoutIds = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, item) => (key === 'id' ? undefined : item)))
  const idsIn = (value: unknown): number[] => {
    const ids: number[] = []
    JSON.stringify(value, (key, item) => {
      if (key === 'id') ids.push(item)
      return item
    })
    return ids
  }

  it('is a copy with components of its own, at any depth and in zones', async () => {
    const more = [{ label: 'in' }, { label: 'deep' }]
    const id = await created('articles', {
      title: 'One',
      seo: { metaTitle: 'Meta', more },
      links: [{ label: 'a' }, { label: 'b' }],
      blocks: [
        { __component: 'shared.link', label: 'zone' },
        { __component: 'shared.seo', metaTitle: 'zone', more },
      ],
    })
    const { body: original } = await api.get(`/api/articles/${id}?${populate}`)
    const { status, body: copy } = await api.post(`/api/articles?${populate}`, {
      body: { data: original.data.attributes },
    })
    expect(status).toBe(200)
    const { createdAt: _, updatedAt: __, ...attributes } = original.data.attributes
    expect(withoutIds(copy.data.attributes)).toMatchObject(withoutIds(attributes) as object)
    expect((await api.get(`/api/articles/${id}?${populate}`)).body).toEqual(original)
    // Ids are unique within a table of components, and each occurs in one of the two entries.
    const twice = [...idsIn(attributes.links), ...idsIn(copy.data.attributes.links)]
    expect(new Set(twice).size).toBe(4)
  })

  it('may have any id in its components, of none and of no number too', async () => {
    const links = [{ id: 99_999, label: 'a' }, { id: 'x', label: 'b' }, { id: null }]
    const { status, body } = await api.post('/api/articles?populate=links', { body: { data: { links } } })
    expect(status).toBe(200)
    expect(body.data.attributes.links.map(({ label }: { label: string | null }) => label)).toEqual([
      'a',
      'b',
      null,
    ])
  })

  it('still needs the ids of its own components in a PUT', async () => {
    const other = await created('articles', { links: [{ label: 'mine' }] })
    const { body } = await api.get(`/api/articles/${other}?populate=links`)
    const { links } = body.data.attributes
    const id = await created('articles', { title: 'Two' })
    expect((await api.put(`/api/articles/${id}`, { body: { data: { links } } })).status).toBe(400)
  })

  it.each([
    ['of no entry', 99_999],
    ['no number', 'x'],
    ['of the component that is replaced', undefined],
  ])('has new components inside a new one of a PUT, whatever their ids are: %s', async (_, given) => {
    const path = '/api/articles/%?populate[seo][populate]=more'
    const id = await created('articles', {
      seo: { metaTitle: 'old', more: [{ label: 'a' }, { label: 'b' }] },
    })
    const before = (await api.get(path.replace('%', String(id)))).body.data.attributes.seo.more
    const seo = { metaTitle: 'new', more: [{ id: given ?? before[0].id }] }
    const { status, body } = await api.put(path.replace('%', String(id)), { body: { data: { seo } } })
    expect(status, JSON.stringify(body)).toBe(200)
    const { more } = body.data.attributes.seo
    expect(more).toEqual([{ id: expect.any(Number), label: null }])
    expect(before.map((one: { id: number }) => one.id)).not.toContain(more[0].id)
  })

  it('needs the ids of its own components inside one that it keeps', async () => {
    const other = await created('articles', { links: [{ label: 'mine' }] })
    const { links } = (await api.get(`/api/articles/${other}?populate=links`)).body.data.attributes
    const id = await created('articles', { seo: { metaTitle: 'old' } })
    const { seo } = (await api.get(`/api/articles/${id}?populate=seo`)).body.data.attributes
    const data = { seo: { id: seo.id, more: links } }
    const { status, body } = await api.put(`/api/articles/${id}`, { body: { data } })
    expect([status, body.error.name]).toEqual([400, 'ApplicationError'])
  })
})
