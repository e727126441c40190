import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Client, createClient, isOctavoError, OctavoError } from '../src/index.ts'
import type { components, contentTypes } from './model.ts'
import { openSite, type Site } from './site.ts'

type Api = Client<typeof contentTypes, typeof components>

let site: Site
/** A client without a user, and one of a user who may write. */
let reader: Api
let api: Api
beforeAll(async () => {
  site = await openSite()
  reader = createClient<typeof contentTypes, typeof components>({ url: site.url })
  api = createClient<typeof contentTypes, typeof components>({ url: site.url })
  await api.auth.register({ username: 'ada', email: 'ada@example.org', password: 'Password123' })
  const { data: ada } = await api.authors.create({ name: 'Ada' })
  for (let n = 1; n <= 7; n += 1)
    await api.articles.create({
      title: `Article ${n}`,
      views: n,
      author: ada.id,
      form: n % 2 ? 'news' : 'review',
    })
})
afterAll(() => site.close())

describe('a collection type', () => {
  it('finds a page, with the populated and selected parts', async () => {
    const { data, meta } = await reader.articles.find({
      filters: { author: { name: 'Ada' }, views: { $gte: 6 } },
      sort: 'views:desc',
      fields: ['title', 'views'],
      populate: { author: true },
    })
    const ada = { id: 1, attributes: expect.objectContaining({ name: 'Ada' }) }
    expect(data).toEqual([
      { id: 7, attributes: { title: 'Article 7', views: 7, author: { data: ada } } },
      { id: 6, attributes: { title: 'Article 6', views: 6, author: { data: ada } } },
    ])
    expect(meta.pagination).toEqual({ page: 1, pageSize: 25, pageCount: 1, total: 2 })
    const [first] = data
    expectTypeOf(first?.attributes.title).toEqualTypeOf<string | undefined>()
    expectTypeOf(first?.attributes.author.data?.attributes.name).toEqualTypeOf<string | undefined>()
    // @ts-expect-error: it is not selected
    first?.attributes.form
    // @ts-expect-error: it is not populated
    first?.attributes.seo
  })

  it('finds one entry', async () => {
    const { data } = await reader.articles.findOne(2, { populate: { author: { fields: ['name'] } } })
    expect(data.attributes.author.data).toEqual({ id: 1, attributes: { name: 'Ada' } })
    const { data: whole } = await reader.articles.findOne(2, { populate: { author: {} } })
    expect(whole.attributes.author.data?.attributes.name).toBe('Ada')
    expectTypeOf(data.attributes.form).toEqualTypeOf<'news' | 'review' | null>()
  })

  it('walks all pages by cursor', async () => {
    const sizes: number[] = []
    for await (const page of reader.articles.pages({ sort: 'views:desc', pageSize: 3 }))
      sizes.push(page.data.length)
    expect(sizes).toEqual([3, 3, 1])
    const titles: string[] = []
    for await (const { attributes } of reader.articles.all({
      sort: 'views',
      pageSize: 2,
      fields: ['title'],
    })) {
      titles.push(attributes.title)
      if (titles.length === 5) break
    }
    expect(titles).toEqual([1, 2, 3, 4, 5].map((n) => `Article ${n}`))
  })

  it('counts', async () => {
    expect(await reader.articles.count()).toBe(7)
    expect(await reader.articles.count({ filters: { form: 'news' } })).toBe(4)
  })

  it('creates, updates and deletes', async () => {
    const { data: created } = await api.articles.create(
      { title: 'New', seo: { metaTitle: 'About it' } },
      { populate: { seo: true } },
    )
    expect(created.attributes.seo).toMatchObject({ metaTitle: 'About it' })
    const { data: updated } = await api.articles.update(created.id, { title: 'Newer' }, { fields: ['title'] })
    expect(updated.attributes).toEqual({ title: 'Newer' })
    expect((await api.articles.delete(created.id)).data.attributes.title).toBe('Newer')
    await expect(reader.articles.findOne(created.id)).rejects.toMatchObject({
      name: 'NotFoundError',
      status: 404,
    })
  })

  it('takes no list for an entry whose id is not there', async () => {
    for (const id of [undefined, null] as unknown[] as number[])
      await expect(reader.articles.findOne(id)).rejects.toThrow(
        'findOne of articles needs the id of an entry',
      )
  })

  it('publishes and unpublishes, by an update or by the actions of the server', async () => {
    const { data } = await api.articles.create({ title: 'Draft', publishedAt: null })
    const own = createClient<typeof contentTypes>({
      url: site.url,
      publishActions: true,
      token: (await api.auth.session())?.jwt ?? '',
    })
    for (const client of [api, own]) {
      expect((await client.articles.publish(data.id)).data.attributes.publishedAt).toEqual(expect.any(String))
      expect((await client.articles.unpublish(data.id)).data.attributes.publishedAt).toBeNull()
    }
    const drafts = await api.articles.find({
      publicationState: 'preview',
      filters: { publishedAt: { $null: true } },
    })
    expect(drafts.data.map(({ id }) => id)).toEqual([data.id])
    await api.articles.delete(data.id)
  })

  it('makes localizations', async () => {
    const made = await api.articles.localize(1, { locale: 'fr', title: 'Article un' })
    expect(made).toMatchObject({
      title: 'Article un',
      locale: 'fr',
      localizations: [{ id: 1, locale: 'en' }],
    })
    expectTypeOf(made.title).toEqualTypeOf<string>()
    const { data } = await api.articles.find({ locale: 'fr', publicationState: 'preview' })
    expect(data.map(({ attributes }) => attributes.title)).toEqual(['Article un'])
    expect((await reader.locales()).map(({ code }) => code)).toEqual(['en', 'fr'])
    await api.articles.delete(made.id)
  })

  it('has a name with a hyphen in camel case', async () => {
    await api.readingLists.create({ title: 'Of the sea' })
    expect((await reader.readingLists.find()).data).toHaveLength(1)
    expect((await reader.entries('reading-lists').find()).data).toHaveLength(1)
  })

  it('has the methods of its definition, and no others', () => {
    // @ts-expect-error: authors have no drafts
    const _noDrafts = () => api.authors.publish(1)
    // @ts-expect-error: authors are not localized
    const _notLocalized = () => api.authors.localize(1, { locale: 'fr' })
    // @ts-expect-error: there is no such content-type
    const _noType = () => api.artcles.find()
    // @ts-expect-error: no article has it
    const _noAttribute = () => api.articles.find({ filters: { titel: 'x' } })
    // @ts-expect-error: a title is text
    const _noText = () => api.articles.create({ title: 7 })
    // @ts-expect-error: an id is needed
    const _noId = () => api.articles.update({ title: 'x' })
    expect(api.authors).toBeDefined()
  })
})

describe('a single type', () => {
  it('is found, written and deleted without an id', async () => {
    await expect(reader.homepage.find()).rejects.toMatchObject({ name: 'NotFoundError' })
    const { data } = await api.homepage.update({ title: 'Welcome', featured: [1, 2] })
    expectTypeOf(data.attributes.title).toEqualTypeOf<string>()
    const found = await reader.homepage.find({ populate: { featured: { fields: ['title'] } } })
    expect(found.data.attributes.featured.data.map(({ attributes }) => attributes.title)).toEqual([
      'Article 1',
      'Article 2',
    ])
    expect((await api.homepage.delete()).data.attributes.title).toBe('Welcome')
  })

  it('without types is written and found without an id as well', async () => {
    const homepage = api.entries('homepage')
    await homepage.update({ title: 'Hello' })
    expect((await homepage.findOne({ fields: ['title'] })).data.attributes).toEqual({ title: 'Hello' })
    expect((await homepage.delete({ fields: ['title'] })).data.attributes).toEqual({ title: 'Hello' })
  })
})

describe('zones and components', () => {
  it('are discriminated by their component', async () => {
    const body = [
      { __component: 'body.text' as const, text: 'Once' },
      { __component: 'shared.seo' as const, metaTitle: 'Twice' },
    ]
    const { data } = await api.articles.create(
      { title: 'Zone', body },
      { populate: { body: { populate: '*' } } },
    )
    const [first] = data.attributes.body
    expect(first?.__component === 'body.text' && first.text).toBe('Once')
    await api.articles.delete(data.id)
  })
})

describe('an error', () => {
  it('has the name, the code and the mistakes of the answer', async () => {
    const error = await api.articles
      .create({ title: 'x'.repeat(121), form: 'news' })
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(OctavoError)
    if (!isOctavoError(error, 'ValidationError')) throw error
    expectTypeOf(error.status).toEqualTypeOf<400>()
    expect([error.status, error.details.errors?.[0]?.path]).toEqual([400, ['title']])
    expect(error.requestId).toEqual(expect.any(String))
    await expect(reader.articles.find({ filters: { titel: 'x' } } as never)).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'query/unknown-attribute',
    })
    await expect(reader.articles.delete(1)).rejects.toMatchObject({ name: 'ForbiddenError', status: 403 })
  })

  it('narrows by its name', () => {
    const shown = (error: unknown): string => {
      if (!isOctavoError(error)) return 'no error of a request'
      switch (error.name) {
        case 'RateLimitError':
          expectTypeOf(error.status).toEqualTypeOf<429>()
          return `again in ${error.retryAfter} s`
        case 'NetworkError':
        case 'TimeoutError':
          return 'offline'
        default:
          return error.message
      }
    }
    expect(shown(new OctavoError({ name: 'NetworkError', status: 0, message: '' }))).toBe('offline')
    expect(shown(new Error('x'))).toBe('no error of a request')
  })

  it('has a name and a status that the types know', () => {
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
    const types = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8')
    const given = new Set(
      [...page.matchAll(/^\| `[^`]+` \| (\d+) \| (\w+) \|/gm)].map(
        ([, status, name]) => `${name}: ${status}`,
      ),
    )
    expect(given.size).toBeGreaterThan(15)
    for (const pair of given) expect(types).toContain(`  ${pair}\n`)
  })

  it('is a NetworkError when there is no server', async () => {
    const nowhere = createClient({ url: 'http://127.0.0.1:9', retries: 0 })
    await expect(nowhere.entries('articles').find()).rejects.toMatchObject({
      name: 'NetworkError',
      status: 0,
    })
  })
})
