/** The attributes of the entry that is answered: those that the permissions which reach this entry show. */
import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import { afterEach, expect, it } from 'vitest'
import { contentTypes, openSite, type Site } from './site.ts'

const plugin = 'plugin::users-permissions'
const articles = 'api::article.article'
const books = 'api::book.book'
const notes = 'api::note.note.find'
const roles = `${plugin}.role.find`
const book: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string' },
    price: { type: 'component', component: 'shop.price' },
  },
}
const price = { uid: 'shop.price', attributes: { amount: { type: 'integer' } } } as const

let site: Site
afterEach(() => site?.close())

const read = { method: 'get' } as const
const change = { method: 'put', body: { data: {} } } as const
const oneArticle = { action: `${articles}.findOne`, fields: ['title'] }
const oneBook = { action: `${books}.findOne`, fields: ['title'] }

it.each([
  ['one entry', '/api/articles/1', [oneArticle], read],
  [
    'one entry that no list has',
    '/api/articles/1',
    [oneArticle, { action: `${articles}.find`, where: { title: 'x' } }],
    read,
  ],
  ['a changed entry', '/api/articles/1', [oneArticle, `${articles}.update`], change],
  ['an entry with a component', '/api/books/1', [oneBook], read],
  ['a changed entry with a component', '/api/books/1', [oneBook, `${books}.update`], change],
  ['the own account', '/api/users/me', [{ action: `${plugin}.user.me`, fields: ['username'] }], read],
])(
  'S-05: populate shows no attribute of %s that the permission of the action hides',
  async (_, path, rights, { method, ...request }) => {
    site = await openSite(
      { permissions: { authenticated: [...rights, notes, roles] } },
      { contentTypes: [...contentTypes, book], components: [price] },
    )
    await site.server.octavo
      .entries('book', unrestricted('a test'))
      .create({ title: 'Emma', price: { amount: 5 } })
    const token = await site.login('ada')
    const answer = async (query: string) => {
      const { status, body } = await site.api[method](path + query, { token, ...request })
      return { status, body }
    }
    const plain = await answer('')
    expect(plain.status).toBe(200)
    for (const query of ['*', 'note', 'role', 'price', 'author'])
      expect(await answer(`?populate=${query}`), query).toEqual(plain)
  },
)

it('populate shows what the action may read, whatever a list may', async () => {
  const list = { action: `${articles}.find`, fields: ['title'] }
  site = await openSite({ permissions: { public: [`${articles}.findOne`, list, notes] } })
  const { body: one } = await site.api.get('/api/articles/1?populate=note')
  expect(one.data.attributes.note.data.attributes.text).toBe('nobody knows')
  const { body: all } = await site.api.get('/api/articles?populate=note')
  expect(all.data[0].attributes).toEqual({ title: "Ada's" })
})

const adas = { title: "Ada's" }
it.each([
  [
    'lists',
    { action: `${articles}.find`, fields: ['title'] },
    { action: `${articles}.findOne`, where: adas },
  ],
  [
    'entries',
    { action: `${articles}.findOne`, fields: ['title'] },
    { action: `${articles}.find`, where: adas },
  ],
])(
  'S-05: the answer of a write shows no more of an entry than a caller may read of it, in %s',
  async (_, all, own) => {
    const update = `${articles}.update`
    site = await openSite({ permissions: { public: [update, all, own, notes] } })
    const put = async (id: number) => {
      const answer = await site.api.put(`/api/articles/${id}?populate=note`, { body: { data: {} } })
      return answer.body.data.attributes
    }
    expect(await put(2)).toEqual({ title: "Bob's" })
    await site.close()
    // Where both permissions reach the same entries, the answer shows what either does.
    site = await openSite({ permissions: { public: [update, { ...all, where: adas }, own, notes] } })
    expect(await put(2)).toEqual({})
    expect(await put(1)).toMatchObject({ title: "Ada's", budget: 10, note: { data: { id: 1 } } })
  },
)

it('S-05: the answer about another account does not show what the own one may read of itself', async () => {
  const user = `${plugin}.user`
  const own = { action: `${user}.me`, fields: ['username', 'email'] }
  const others = { action: `${user}.find`, fields: ['username'] }
  site = await openSite({ permissions: { authenticated: [own, others, `${user}.update`, roles] } })
  const token = await site.login('ada')
  const { body } = await site.api.put('/api/users/2', { token, body: {} })
  expect(body).toEqual({ id: 2, username: 'bob' })
})
