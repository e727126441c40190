import { AuthHelper, DataProvider } from '@refinedev/strapi-v4'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentials, openSite, type Site } from './site.ts'

let site: Site
let url: string
beforeAll(async () => {
  site = await openSite()
  url = `${site.url}/api`
})
afterAll(() => site.close())

const loggedIn = async (): Promise<ReturnType<typeof DataProvider>> => {
  const { data } = await AuthHelper(url).login(credentials.identifier, credentials.password)
  const client: unknown = axios.create({ headers: { Authorization: `Bearer ${data.jwt}` } })
  // Its types name those of the CommonJS build of axios.
  return DataProvider(url, client as Parameters<typeof DataProvider>[1])
}

describe('@refinedev/strapi-v4', () => {
  it('lists entries with filters, sorters, pages and populated relations', async () => {
    const { data, total } = await DataProvider(url).getList({
      resource: 'articles',
      pagination: { currentPage: 1, pageSize: 10 },
      filters: [
        { field: 'author.name', operator: 'contains', value: 'Austen' },
        {
          operator: 'or',
          value: [
            { field: 'views', operator: 'eq', value: 1 },
            { field: 'views', operator: 'gte', value: 2 },
          ],
        },
      ],
      sorters: [{ field: 'views', order: 'desc' }],
      meta: { populate: ['author'], publicationState: 'live', locale: 'en' },
    })
    expect(data.map(({ title, author }) => [title, author])).toEqual([
      ['Persuasion', expect.objectContaining({ name: 'Jane Austen' })],
      ['Emma', expect.objectContaining({ name: 'Jane Austen' })],
    ])
    expect(total).toBe(2)
  })

  it('reads one entry, and several by their ids', async () => {
    const provider = DataProvider(url)
    const { data } = await provider.getOne({ resource: 'articles', id: 1, meta: { populate: '*' } })
    expect(data).toMatchObject({ id: 1, title: 'Emma', author: { name: 'Jane Austen' } })
    const many = await provider.getMany({ resource: 'articles', ids: [1, 2] })
    expect(many.data.map(({ id }) => id)).toEqual([1, 2])
  })

  it('knows the user', async () => {
    const { data } = await AuthHelper(url).login(credentials.identifier, credentials.password)
    expect((await AuthHelper(url).me(data.jwt)).data).toMatchObject({ username: 'ada' })
  })

  it('creates, updates and deletes, one and several', async () => {
    const provider = await loggedIn()
    const resource = 'articles'
    const created = await provider.create({ resource, variables: { title: 'Lady Susan' } })
    const { id } = (created.data as unknown as { data: { id: number } }).data
    await provider.update({ resource, id, variables: { views: 7 } })
    await provider.updateMany({ resource, ids: [id], variables: { author: 1 } })
    const { data } = await provider.getOne({ resource, id, meta: { populate: '*' } })
    expect(data).toMatchObject({ title: 'Lady Susan', views: 7, author: { id: 1 } })
    await provider.deleteOne({ resource, id })
    const { data: left } = await provider.getMany({ resource, ids: [id] })
    expect(left).toEqual([])
  })

  it('gives the mistakes of a form by their fields', async () => {
    const provider = await loggedIn()
    const refused = provider.create({
      resource: 'articles',
      variables: { title: null, publishedAt: '2026-01-01' },
    })
    await expect(refused).rejects.toMatchObject({ statusCode: 400, errors: { title: expect.anything() } })
  })
})
