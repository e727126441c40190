import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineComponent, defineContentType } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const shared = { pluginOptions: { i18n: { localized: false } } }
const post = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'post', pluralName: 'posts' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    slug: { type: 'uid', ...localized },
    year: { type: 'integer' },
    code: { type: 'string', unique: true },
    stamp: { type: 'string', visible: false },
    key: { type: 'uid' },
    topics: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    tags: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::tag.tag',
      inversedBy: 'posts',
      ...shared,
    },
    box: { type: 'component', component: 'parts.box' },
    own: { type: 'component', component: 'parts.box', ...localized },
  },
})
const tag = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'tag', pluralName: 'tags' },
  attributes: {
    name: { type: 'string' },
    posts: { type: 'relation', relation: 'manyToMany', target: 'api::post.post', mappedBy: 'tags' },
  },
})
const home = defineContentType({
  kind: 'singleType',
  info: { singularName: 'home', pluralName: 'homes' },
  ...localized,
  attributes: { title: { type: 'string', ...localized } },
})
const issue = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'issue', pluralName: 'issues' },
  ...localized,
  attributes: {
    magazine: { type: 'string' },
    number: { type: 'integer', unique: true, uniqueWithin: ['magazine'] },
  },
})
const box = defineComponent({
  uid: 'parts.box',
  attributes: {
    name: { type: 'string' },
    inner: { type: 'component', component: 'parts.leaf', repeatable: true },
  },
})
const leaf = defineComponent({
  uid: 'parts.leaf',
  attributes: {
    text: { type: 'string' },
    tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [post, tag, home, issue],
    components: [box, leaf],
    plugins: [draftPublish(), i18n({ locales: ['en', 'fr', 'de'] })],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  for (const name of ['a', 'b', 'c']) await api.post('/api/tags', { body: { data: { name } } })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const write = async (path: string, data: object) => {
  const { status, body } = await api.post(path, { body: data })
  expect([path, status, body.error?.message]).toEqual([path, 200, undefined])
  return body.data ?? body
}
/** A post in English with its French sibling, published both. */
async function pair(data: object = {}) {
  const english = await write('/api/posts', { data: { title: 'English', ...data } })
  const french = await write(`/api/posts/${english.id}/localizations`, {
    locale: 'fr',
    title: 'Français',
    publishedAt: new Date().toISOString(),
  })
  return { english: english.id as number, french: french.id as number }
}
const get = async (path: string) => (await api.get(path)).body
const ids = (body: { data: readonly { id: number }[] }) => body.data.map(({ id }) => id)

describe('locale', () => {
  it('chooses the entries of a list; without it they are in the default locale', async () => {
    const { english, french } = await pair()
    const among = (query: string) =>
      get(`/api/posts?filters[id][$in][0]=${english}&filters[id][$in][1]=${french}&sort=id&${query}`)
    expect(ids(await among(''))).toEqual([english])
    expect(ids(await among('locale=fr'))).toEqual([french])
    expect(ids(await among('locale=all'))).toEqual([english, french])
    expect(ids(await among('locale[0]=fr&locale[1]=en'))).toEqual([english, french])
    expect(ids(await among('locale=xx'))).toEqual([])
    expect(ids(await among('locale='))).toEqual([])
    expect((await get(`/api/posts/${french}`)).data.attributes.locale).toBe('fr')
  })

  it('narrows populated entries only where it is given', async () => {
    const { english, french } = await pair({ tags: [3] })
    const populated = async (query: string) =>
      ids((await get(`/api/tags/3?populate[posts][sort]=id&${query}`)).data.attributes.posts).filter((id) =>
        [english, french].includes(id),
      )
    expect(await populated('locale=de')).toEqual([english, french])
    expect(await populated('populate[posts][locale]=fr')).toEqual([french])
  })

  it('of a create must exist, of an update is ignored', async () => {
    const refused = await api.post('/api/posts', { body: { data: { title: 'x', locale: 'xx' } } })
    expect([refused.status, refused.body.error.name]).toEqual([400, 'ApplicationError'])
    const { id } = await write('/api/posts', { data: { title: 'x', locale: 'de' } })
    const { body } = await api.put(`/api/posts/${id}`, { body: { data: { locale: 'en' } } })
    expect(body.data.attributes.locale).toBe('de')
  })

  it('may fall back to the default one, in one statement', async () => {
    const { english, french } = await pair()
    const alone = (await write('/api/posts', { data: { title: 'Only English' } })).id
    const find = (query: string) =>
      get(
        `/api/posts?filters[id][$in][0]=${english}&filters[id][$in][1]=${french}&filters[id][$in][2]=${alone}&sort=id&${query}`,
      )
    expect(ids(await find('locale=fr'))).toEqual([french])
    expect(ids(await find('locale=fr&fallback=true'))).toEqual([french, alone])
    expect((await api.get('/api/posts?fallback=maybe')).status).toBe(400)
  })
})

describe('Siblings', () => {
  it('are populated as localizations, and named in meta', async () => {
    const { english, french } = await pair()
    const { data } = await get(
      `/api/posts/${english}?populate[localizations][fields]=locale&meta=availableLocales`,
    )
    expect(data.attributes.localizations.data).toEqual([{ id: french, attributes: { locale: 'fr' } }])
    expect(data.meta).toEqual({ availableLocales: ['fr'] })
    expect((await get(`/api/posts/${english}`)).data).not.toHaveProperty('meta')
    const { body } = await api.put(`/api/posts/${french}`, { body: { data: {} } })
    expect(body.data.meta).toEqual({ availableLocales: ['en'] })
  })

  it('come in the answer of a localization with the entry of its path first', async () => {
    const { english, french } = await pair()
    const { status, body } = await api.post(`/api/posts/${english}/localizations`, {
      body: { locale: 'de', title: 'Hallo' },
    })
    expect(status).toBe(200)
    expect(body.localizations.map(({ id }: { id: number }) => id)).toEqual([english, french])
  })

  it.each(['meta[x]=y', 'meta[0][x]=y', 'fallback[x]=y', 'locale[x]=y', 'locale[0][x]=y'])(
    'cannot be requested by %s: 400',
    async (query) => {
      const { status, body } = await api.get(`/api/posts?${query}`)
      expect([status, body.error.name]).toEqual([400, 'ValidationError'])
    },
  )

  it('share attributes that are not localized: values, components, and relations that are marked with false', async () => {
    const { english, french } = await pair({
      year: 1815,
      tags: [2, 1],
      box: { name: 'B', inner: [{ text: 'one', tag: 1 }] },
      own: { name: 'mine' },
    })
    const query =
      'populate[tags][fields]=name&populate[box][populate][inner][populate][tag][fields]=name&populate=own'
    const common = async (id: number) => {
      const { year, tags, box: boxed, own } = (await get(`/api/posts/${id}?${query}`)).data.attributes
      return {
        year,
        tags: ids(tags),
        box: JSON.parse(JSON.stringify(boxed ?? null, (key, value) => (key === 'id' ? undefined : value))),
        own: own?.name,
      }
    }
    expect(await common(french)).toEqual({ ...(await common(english)), own: undefined })
    await api.put(`/api/posts/${french}`, {
      body: {
        data: {
          year: 1816,
          tags: { connect: [{ id: 3, position: { start: true } }] },
          box: { name: 'C', inner: [{ text: 'two', tag: 2 }, { text: 'three' }] },
        },
      },
    })
    const changed = await common(english)
    expect(changed).toMatchObject({ year: 1816, tags: [3, 2, 1], own: 'mine', box: { name: 'C' } })
    expect({ ...(await common(french)), own: 'mine' }).toEqual(changed)
    await api.put(`/api/posts/${english}`, { body: { data: { box: null, title: 'Anew' } } })
    expect((await common(french)).box).toBeNull()
    expect((await get(`/api/posts/${french}`)).data.attributes.title).toBe('Français')
  })

  it('keep a shared value that a new localization has as null', async () => {
    const english = await write('/api/posts', { data: { title: 'English', year: 1815, box: { name: 'B' } } })
    await write(`/api/posts/${english.id}/localizations`, {
      locale: 'fr',
      title: 'Français',
      year: null,
      box: null,
      publishedAt: new Date().toISOString(),
    })
    const { data } = await get(
      `/api/posts/${english.id}?populate[box]=true&populate[localizations][populate]=box`,
    )
    expect(data.attributes).toMatchObject({ year: 1815, box: { name: 'B' } })
    const [french] = data.attributes.localizations.data
    expect(french.attributes).toMatchObject({ year: 1815, box: { name: 'B' } })
  })

  it('have each their own relations and uid, without a mark', async () => {
    const { english, french } = await pair({ topics: [2, 1], key: 'one' })
    const own = async (id: number) => {
      const { topics, key } = (await get(`/api/posts/${id}?populate[topics][fields]=name`)).data.attributes
      return [ids(topics), key]
    }
    expect(await own(french)).toEqual([[], null])
    await api.put(`/api/posts/${french}`, { body: { data: { topics: [3], key: 'two' } } })
    expect([await own(english), await own(french)]).toEqual([
      [[2, 1], 'one'],
      [[3], 'two'],
    ])
  })

  it('have each their own values of attributes that are not visible', async () => {
    const { english, french } = await pair({ stamp: 'first' })
    await api.put(`/api/posts/${french}`, { body: { data: { stamp: 'second' } } })
    const stamps = [english, french].map(async (id) => (await get(`/api/posts/${id}`)).data.attributes.stamp)
    expect(await Promise.all(stamps)).toEqual(['first', 'second'])
  })

  it('stay when one is deleted', async () => {
    const { english, french } = await pair()
    await api.delete(`/api/posts/${english}`)
    expect(
      (await get(`/api/posts/${french}?populate=localizations`)).data.attributes.localizations.data,
    ).toEqual([])
  })

  it('are unique within their locale and the scope of the definition', async () => {
    const issueOf = (magazine: string | null, number: number, locale: string) =>
      api.post('/api/issues', { body: { data: { magazine, number, locale } } })
    await write('/api/issues', { data: { magazine: 'Nature', number: 1, locale: 'en' } })
    expect((await issueOf('Science', 1, 'en')).status).toBe(200)
    expect((await issueOf('Nature', 1, 'fr')).status).toBe(200)
    expect((await issueOf('Nature', 1, 'en')).status).toBe(400)
    // An entry whose magazine is null is within none.
    expect((await issueOf(null, 1, 'en')).status).toBe(200)
    expect((await issueOf(null, 1, 'en')).status).toBe(200)
    const { id } = await write('/api/issues', { data: { magazine: 'Nature', number: 2, locale: 'en' } })
    const left = await api.put(`/api/issues/${id}`, { body: { data: { number: 1, magazine: null } } })
    expect(left.status).toBe(200)
  })

  it('are unique within their locale', async () => {
    const { english } = await pair({ slug: 'same', code: 'c1' })
    expect((await api.post('/api/posts', { body: { data: { title: 'x', slug: 'same' } } })).status).toBe(400)
    const german = await write(`/api/posts/${english}/localizations`, {
      locale: 'de',
      title: 'Deutsch',
      slug: 'same',
    })
    expect([german.slug, german.code]).toEqual(['same', 'c1'])
    // All three get the new value, each within its locale.
    const changed = await api.put(`/api/posts/${english}`, { body: { data: { code: 'c2' } } })
    expect([changed.status, changed.body.error?.message]).toEqual([200, undefined])
    const all = await get(`/api/posts?locale=all&publicationState=preview&filters[code]=c2&sort=id`)
    expect(ids(all)).toHaveLength(3)
    const taken = await write('/api/posts', { data: { title: 'x', code: 'c3', locale: 'de' } })
    const refused = await api.put(`/api/posts/${english}`, { body: { data: { code: 'c3' } } })
    expect([refused.status, refused.body.error.message]).toEqual([400, 'This attribute must be unique'])
    expect((await get(`/api/posts/${taken.id}`)).data.attributes.code).toBe('c3')
    expect(ids(await get(`/api/posts?locale=all&publicationState=preview&filters[code]=c2&sort=id`))).toEqual(
      ids(all),
    )
    expect((await api.put(`/api/posts/${german.id}`, { body: { data: { slug: 'same' } } })).status).toBe(200)
  })

  it.each([
    [{ locale: 'fr', title: 'Again' }, 400, 'locale is already used'],
    [{ locale: 'xx', title: 'x' }, 400, 'locale is invalid'],
    [{ title: 'x' }, 400, 'locale is missing'],
  ])('are refused: %o', async (body, status, message) => {
    const { english } = await pair()
    const answer = await api.post(`/api/posts/${english}/localizations`, { body })
    expect([answer.status, answer.body.error.message]).toEqual([status, message])
  })

  it('of a missing entry, or of a type without locales, are refused', async () => {
    expect((await api.post('/api/posts/99999/localizations', { body: { locale: 'fr' } })).status).toBe(404)
    expect((await api.post('/api/tags/1/localizations', { body: { locale: 'fr' } })).status).toBe(405)
  })
})

describe('A single type', () => {
  it('has one entry in each locale', async () => {
    await api.put('/api/home', { body: { data: { title: 'Welcome' } } })
    await write('/api/home/localizations', { locale: 'fr', title: 'Bienvenue' })
    expect((await get('/api/home')).data.attributes.title).toBe('Welcome')
    expect((await get('/api/home?locale=fr')).data.attributes.title).toBe('Bienvenue')
    expect((await api.get('/api/home?locale=de')).status).toBe(404)
    await api.put('/api/home', { body: { data: { title: 'Back' } } })
    expect((await get('/api/home?locale=fr')).data.attributes.title).toBe('Bienvenue')
  })
})

describe('The plugin', () => {
  it('lists the locales', async () => {
    const list = await get('/api/i18n/locales')
    expect(
      list.map(({ code, name, isDefault }: { code: string; name: string; isDefault: boolean }) => [
        code,
        name,
        isDefault,
      ]),
    ).toEqual([
      ['en', 'English (en)', true],
      ['fr', 'French (fr)', false],
      ['de', 'German (de)', false],
    ])
  })

  it('gives existing entries the default locale, and leaves all data when it is removed', async () => {
    const database = await createTestDatabase()
    // A database in memory ends with its server.
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-'))
    const url = database.engine === 'pglite' ? `file:${folder}` : database.url
    const serve = (plugins: ReturnType<typeof i18n>[], withoutPlugin: readonly string[] = []) =>
      createServer({
        contentTypes: [post, tag],
        components: [box, leaf],
        plugins,
        withoutPlugin,
        database: url,
      })
    const before = await serve([])
    await before.octavo.entries('post').create({ title: 'Old' })
    expect((await before.octavo.entries('post').find()).data[0]?.attributes).not.toHaveProperty('locale')
    await before.close()
    const during = await serve([i18n({ locales: ['de', 'en'] })])
    expect(
      (await during.octavo.entries('post').find()).data.map(({ attributes }) => attributes.locale),
    ).toEqual(['de'])
    await during.octavo.entries('post').create({ title: 'Other', locale: 'en' })
    await during.close()
    await expect(serve([])).rejects.toThrow('without "i18n" entries of all locales become visible')
    const after = await serve([], ['i18n'])
    expect((await after.octavo.entries('post').find()).data).toHaveLength(2)
    await after.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })
})

// The embedded database has no `statement_timeout`.
it.runIf(testEngine() === 'postgresql')(
  'Entries that are older than the plugins are changed at the start, even if that takes longer than a request may take',
  async () => {
    const database = await createTestDatabase()
    const note = { ...home, kind: 'collectionType', options: { draftAndPublish: true } } as const
    const start = (plugins: readonly Plugin[]) =>
      createServer({
        contentTypes: [note],
        plugins,
        database: database.url,
        access: 'open',
        limits: { statementTime: 2_000 },
      })
    const before = await start([])
    const { store } = before.octavo
    await before.octavo.entries('home').create({ title: 'Old' })
    await store.query(
      `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(2.5); return new; end'`,
    )
    await store.query('create trigger slow before update on homes for each row execute function slow()')
    await before.close()

    const after = await start([i18n(), draftPublish()])
    try {
      const { data } = await after.octavo.entries('home').find()
      expect(data).toMatchObject([
        { attributes: { title: 'Old', locale: 'en', publishedAt: data[0]?.attributes.createdAt } },
      ])
    } finally {
      await after.close()
      await database.drop()
    }
  },
)
