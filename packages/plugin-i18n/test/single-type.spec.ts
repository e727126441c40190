import { defineContentType, ForbiddenError, importData, silentLogger, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const single = (singularName: string, options: object) =>
  defineContentType({
    kind: 'singleType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: { title: { type: 'string', ...localized }, rank: { type: 'integer', ...localized } },
    ...options,
  })

/** The rights of an example project: anonymous callers may not read French, and no caller may read secrets. */
const rights = definePlugin({
  name: 'rights',
  after: ['i18n'],
  setup(host) {
    host.hook('query:node', ({ model, use }) => {
      if (model.uid === 'api::secret.secret') return 'forbid'
      const locale = model.attributes.get('locale')
      if (model.uid !== 'api::homepage.homepage' || use !== 'root' || locale?.kind !== 'scalar')
        return undefined
      return {
        kind: 'compare',
        attribute: locale,
        operator: '$ne',
        operands: [{ kind: 'value', value: 'fr' }],
        asText: false,
      }
    })
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [
      single('homepage', { options: { draftAndPublish: true }, ...localized }),
      single('about', localized),
      single('secret', localized),
      single('empty', localized),
      single('fresh', localized),
      single('made', localized),
      single('never', localized),
      single('plain', {}),
    ],
    plugins: [draftPublish(), i18n({ locales: ['en', 'fr', 'de', 'it'] }), rights],
    access: 'open',
    database: database.url,
    logger: silentLogger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
  const published = '2024-01-01T00:00:00.000Z'
  const entry = (id: number, locale: string, rank: number, more: object = {}) => ({
    id,
    locale,
    title: `${locale} title`,
    rank,
    localizations: [1, 2, 3, 4].filter((other) => other !== id),
    ...more,
  })
  const four = (more: object) => [
    entry(1, 'en', 3, more),
    entry(2, 'fr', 2, more),
    entry(3, 'de', 1, more),
    entry(4, 'it', 0, { ...more, ...('publishedAt' in more && { publishedAt: null }) }),
  ]
  await importData(server.octavo, {
    entries: {
      'api::homepage.homepage': four({ publishedAt: published }),
      'api::about.about': four({}),
      'api::secret.secret': four({}),
      'api::plain.plain': [{ id: 1, title: 'plain' }],
    },
  })
})
afterAll(async () => {
  await server.close()
  await drop()
})

const locales = async (path: string): Promise<unknown> => {
  const { status, body } = await api.get(path)
  if (status !== 200) return `${status} ${body.error.name}`
  return body.data.map(({ attributes }: { attributes: { locale: string } }) => attributes.locale)
}

describe('GET of a single type with locale=all', () => {
  it('answers the list of its localizations', async () => {
    const { status, body } = await api.get('/api/about?locale=all&fields[0]=title&fields[1]=locale')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        { id: 1, attributes: { title: 'en title', locale: 'en' } },
        { id: 2, attributes: { title: 'fr title', locale: 'fr' } },
        { id: 3, attributes: { title: 'de title', locale: 'de' } },
        { id: 4, attributes: { title: 'it title', locale: 'it' } },
      ],
      meta: {},
    })
  })

  it('has only entries that the caller may read: no drafts, and none that rights hide', async () => {
    expect(await locales('/api/homepage?locale=all')).toEqual(['en', 'de'])
    expect(await locales('/api/homepage?locale=all&publicationState=preview')).toEqual(['en', 'de', 'it'])
  })

  it('is refused as the entry is', async () => {
    expect(await locales('/api/secret?locale=all')).toBe(
      `403 ${new ForbiddenError('entry/forbidden', '').name}`,
    )
  })

  it('takes sort, filters and populate', async () => {
    expect(await locales('/api/about?locale=all&sort=rank')).toEqual(['it', 'de', 'fr', 'en'])
    expect(await locales('/api/about?locale=all&filters[rank][$gt]=1')).toEqual(['en', 'fr'])
    const { body } = await api.get('/api/about?locale=all&populate=localizations')
    expect(body.data[0].attributes.localizations.data).toHaveLength(3)
  })

  it('has no pages', async () => {
    expect(await locales('/api/about?locale=all&pagination[pageSize]=1')).toEqual(['en', 'fr', 'de', 'it'])
  })

  it('is an empty list when there is no entry', async () => {
    expect((await api.get('/api/empty?locale=all')).body).toEqual({ data: [], meta: {} })
    expect((await api.get('/api/empty')).status).toBe(404)
  })

  it('answers one entry for one locale, for a list of locales, and for a type that is not localized', async () => {
    expect((await api.get('/api/about?locale=fr')).body.data.attributes.locale).toBe('fr')
    expect((await api.get('/api/about?locale[0]=fr&locale[1]=de')).body.data.attributes.locale).toBe('fr')
    expect((await api.get('/api/plain?locale=all')).body.data.attributes.title).toBe('plain')
  })

  it('leaves PUT and programs with one entry', async () => {
    const { body } = await api.put('/api/about?locale=all', { body: { data: { rank: 3 } } })
    expect(body.data.id).toBe(1)
    const about = await server.octavo.entries('about').findOne(undefined, { locale: 'all' })
    expect(about?.attributes.locale).toBe('en')
  })
})

describe('Creates of a localized single type by a program', () => {
  const create = (locale?: string) =>
    server.octavo.entries('made', unrestricted('makes it')).create({ title: 'a', ...(locale && { locale }) })

  it('make its first entry, and are refused with the way to change it, or to add a locale', async () => {
    await create()
    await expect(create()).rejects.toMatchObject({ code: 'entry/second-single' })
    await expect(create('fr')).rejects.toMatchObject({ code: 'i18n/already-exists' })
    const type = server.octavo.registry.contentType('api::made.made')
    const [state, two] = [unrestricted('makes two'), [{ locale: 'en' }, { locale: 'fr' }]]
    await expect(server.octavo.bulk({ type, create: two, state })).rejects.toMatchObject({ status: 400 })
    expect(await locales('/api/made?locale=all')).toEqual(['en'])
  })

  it('are refused for two entries at once', async () => {
    const type = server.octavo.registry.contentType('api::never.never')
    const [state, two] = [unrestricted('makes two'), [{ locale: 'en' }, { locale: 'fr' }]]
    await expect(server.octavo.bulk({ type, create: two, state })).rejects.toMatchObject({
      code: 'entry/second-single',
    })
    expect(await locales('/api/never?locale=all')).toEqual([])
  })
})

describe('A PUT of a single type that lacks the locale of the query', () => {
  it('is refused with the request that adds the locale', async () => {
    const put = (locale: string) => api.put(`/api/fresh?locale=${locale}`, { body: { data: { title: 'x' } } })
    expect((await put('en')).status).toBe(200)
    const { status, body } = await put('fr')
    expect([status, body.error.details.code]).toEqual([400, 'entry/second-single'])
    expect(body.error.message).toMatch(/POST \/fresh\/localizations adds one in another locale/)
    await api.delete('/api/fresh?locale=en')
  })
})

describe('First PUTs of a single type at the same time', () => {
  it('make one entry, and each of them is acknowledged', async () => {
    const put = (title: string) => api.put('/api/fresh', { body: { data: { title } } })
    const all = await Promise.all(['a', 'b', 'c'].map(put))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(all.map(({ body }) => body.data.id)).size).toBe(1)
    expect(await locales('/api/fresh?locale=all')).toEqual(['en'])
  })
})
