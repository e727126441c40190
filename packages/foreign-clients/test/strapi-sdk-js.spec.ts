import FormData from 'form-data'
import sdk from 'strapi-sdk-js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { credentials, openSite, type Site } from './site.ts'

/** The module of strapi-sdk-js, whose default export is the class. Its types describe the CommonJS build. */
const Strapi = sdk as unknown as typeof sdk.default

interface Article {
  readonly id: number
  readonly attributes: {
    readonly title: string
    readonly views: number | null
    readonly author?: { readonly data: { readonly attributes: { readonly name: string } } | null }
  }
}

let site: Site
let strapi: InstanceType<typeof Strapi>
beforeAll(async () => {
  site = await openSite()
  // The SDK stores the token in the storage of a browser.
  const items = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
  vi.stubGlobal('window', { localStorage })
  vi.stubGlobal('localStorage', localStorage)
  strapi = new Strapi({ url: site.url, store: { key: 'jwt', useLocalStorage: true } })
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await site.close()
})

/** The types of the client flatten entries; its answers are those of the server. */
const dataOf = (answer: { readonly data: unknown }): unknown => answer.data

describe('strapi-sdk-js', () => {
  it('lists entries with filters, sort, pages and populated relations', async () => {
    const answer = await strapi.find('articles', {
      sort: 'views:desc',
      filters: { author: { name: { $contains: 'Austen' } } },
      pagination: { page: 1, pageSize: 1 },
      fields: ['title'],
      populate: { author: { fields: ['name'] } },
    })
    expect(dataOf(answer)).toEqual([
      {
        id: 2,
        attributes: { title: 'Persuasion', author: { data: { id: 1, attributes: { name: 'Jane Austen' } } } },
      },
    ])
    expect(answer.meta.pagination).toEqual({ page: 1, pageSize: 1, pageCount: 2, total: 2 })
  })

  it('reads one entry, and a single type', async () => {
    const article = dataOf(await strapi.findOne('articles', 1, { populate: '*' })) as Article
    expect(article.attributes.author?.data?.attributes.name).toBe('Jane Austen')
    expect(dataOf(await strapi.find('homepage'))).toMatchObject({ attributes: { welcome: 'Hello' } })
  })

  it('has errors in the form of Strapi', async () => {
    await expect(strapi.findOne('articles', 999)).rejects.toMatchObject({
      data: null,
      error: { status: 404, name: 'NotFoundError' },
    })
    await expect(strapi.create('articles', { title: 'No' })).rejects.toMatchObject({ error: { status: 403 } })
  })

  it('logs in, reads its account, and writes', async () => {
    const { user } = await strapi.login(credentials)
    expect(user).toMatchObject({ username: 'ada' })
    expect(await strapi.fetchUser()).toMatchObject({ username: 'ada', email: 'ada@example.org' })
    const created = dataOf(await strapi.create('articles', { title: 'Lady Susan', author: 1 })) as Article
    const updated = dataOf(await strapi.update('articles', created.id, { views: 7 })) as Article
    expect(updated.attributes).toMatchObject({ title: 'Lady Susan', views: 7 })
    await strapi.delete('articles', created.id)
    await expect(strapi.findOne('articles', created.id)).rejects.toMatchObject({ error: { status: 404 } })
  })

  it('uploads a file, and reads and deletes it', async () => {
    const form = new FormData()
    form.append('files', 'A text.', { filename: 'a.txt', contentType: 'text/plain' })
    const [file] = await strapi.request<{ id: number; url: string }[]>('post', '/upload', {
      data: form,
      headers: form.getHeaders() as Record<string, string>, // it declares them as any
    })
    expect(await (await fetch(`${site.url}${file?.url}`)).text()).toBe('A text.')
    expect(await strapi.request('get', `/upload/files/${file?.id}`)).toMatchObject({ name: 'a.txt' })
    expect(await strapi.request('delete', `/upload/files/${file?.id}`)).toMatchObject({ name: 'a.txt' })
  })
})
