/** The messages of a write to PostgreSQL, with the plugins of a server that people run and a caller that is signed in. */
import { silentLogger, unrestricted } from '@octavo/core'
import { changes } from '@octavo/plugin-changes'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { countMessages } from '@octavo/testing/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const named = (singularName: string, attributes: object) =>
  ({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: { name: { type: 'string' }, ...attributes },
  }) as const
const tag = named('tag', {
  articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
})
const author = named('author', {})
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    slug: { type: 'uid', ...localized },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', ...localized },
    tags: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::tag.tag',
      inversedBy: 'articles',
      ...localized,
    },
    cover: { type: 'media', multiple: false, ...localized },
    seo: { type: 'component', component: 'shared.seo', ...localized },
    body: { type: 'dynamiczone', components: ['shared.seo', 'shared.links'], ...localized },
    views: { type: 'integer' },
    related: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::tag.tag',
      pluginOptions: { i18n: { localized: false } },
    },
    facts: { type: 'component', component: 'shared.links', repeatable: true },
  },
} as const
const components = [
  {
    uid: 'shared.seo',
    attributes: { text: { type: 'string', required: true }, image: { type: 'media', multiple: false } },
  },
  {
    uid: 'shared.links',
    attributes: { seo: { type: 'component', component: 'shared.seo', repeatable: true } },
  },
] as const

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

const all = (name: string) =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::${name}.${name}.${action}`)

let server: Server
let api: Client
let drop: () => Promise<void>
let headers: Readonly<Record<string, string>>
beforeAll(async () => {
  const database = await createTestDatabase()
  const authenticated = [
    ...['article', 'tag', 'author'].flatMap(all),
    'api::article.article.createLocalization',
    'plugin::upload.content-api.find',
    'plugin::upload.content-api.findOne',
    'plugin::upload.content-api.upload',
  ]
  server = await createServer({
    contentTypes: [article, tag, author] as never,
    components: components as never,
    plugins: [
      i18n({ locales: ['en', 'fr', 'de'] }),
      draftPublish(),
      usersPermissions({ permissions: { authenticated } }),
      openapi(),
      pages(),
      upload(),
      changes(),
      webhooks({ webhooks: [{ name: 'site', url: 'http://127.0.0.1:1/', secrets: [secret] }] }),
    ],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
  })
  const state = unrestricted('fills the tests')
  const { octavo } = server
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  await octavo.entries('user', state).create({
    username: 'ada',
    email: 'ada@example.org',
    password: 'Password123',
    provider: 'local',
    confirmed: true,
    role: role?.id,
  } as never)
  for (const name of ['one', 'two', 'three'])
    for (const type of ['tag', 'author']) await octavo.entries(type, state).create({ name } as never)
  const { url } = await server.listen(0, '127.0.0.1')
  api = createClient(url)
  const { body } = await api.post('/api/auth/local', { body: { identifier: 'ada', password: 'Password123' } })
  headers = { Authorization: `Bearer ${body.jwt}` }
  drop = async () => {
    await server.close()
    await database.drop()
  }
})
afterAll(() => drop())

interface Request {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly id?: number
  readonly data?: object
  readonly query?: string
}

const send = async ({ method, id, data, query = '' }: Request) => {
  const path = `/api/articles${id === undefined ? '' : `/${id}`}${query && `?${query}`}`
  const options = { headers, ...(data && { body: { data } }) }
  if (method === 'POST') return api.post(path, options)
  return method === 'PUT' ? api.put(path, options) : api.delete(path, options)
}

const messagesOf = (request: Request) => countMessages(() => send(request))

const full = {
  title: 'Emma',
  author: 1,
  tags: [1, 2],
  seo: { text: 'a' },
  body: [{ __component: 'shared.links', seo: [{ text: 'b' }] }],
}

const deep = 'populate[tags][populate]=articles&populate[body][populate]=*&populate[author]=true'

// The embedded engine has no messages.
describe.runIf(testEngine() === 'postgresql')('A write of a signed-in user, with all plugins', () => {
  // The first write of a connection that is new asks for its caller.
  beforeAll(() => send({ method: 'POST', data: { title: 'first' } }))

  it.each<[string, Request, number]>([
    ['a create', { method: 'POST', data: { title: 'Emma' } }, 200],
    ['a create with components and links', { method: 'POST', data: { ...full, slug: 'emma' } }, 200],
    ['a create with a populated answer', { method: 'POST', data: full, query: 'populate=*' }, 200],
    ['an answer with lists in lists', { method: 'PUT', id: 3, data: full, query: deep }, 200],
    ['a draft', { method: 'POST', data: { publishedAt: null } }, 200],
    ['a create that names what does not exist', { method: 'POST', data: { ...full, author: 99 } }, 400],
    ['a create with a slug that is taken', { method: 'POST', data: { title: 'a', slug: 'emma' } }, 400],
    ['an update', { method: 'PUT', id: 1, data: { title: 'Persuasion' } }, 200],
    ['an update of a draft', { method: 'PUT', id: 5, data: { title: 'Persuasion' } }, 200],
    ['an update with components and links', { method: 'PUT', id: 3, data: full }, 200],
    [
      'an update that connects an entry beside another',
      { method: 'PUT', id: 3, data: { tags: { connect: [{ id: 3, position: { before: 2 } }] } } },
      200,
    ],
    [
      'an update beside an entry that is not connected',
      { method: 'PUT', id: 1, data: { tags: { connect: [{ id: 3, position: { before: 2 } }] } } },
      400,
    ],
    [
      'an update of what locales share',
      { method: 'PUT', id: 1, data: { views: 2, related: [1], facts: [{ seo: [{ text: 'b' }] }] } },
      200,
    ],
    ['a publication', { method: 'PUT', id: 3, data: { publishedAt: '2026-01-01T00:00:00.000Z' } }, 200],
    ['an update of an entry that does not exist', { method: 'PUT', id: 99, data: { title: 'a' } }, 404],
    ['a delete', { method: 'DELETE', id: 3 }, 200],
  ])('is one message: %s', async (_, request, status) => {
    expect(await messagesOf(request)).toEqual({ messages: 1, status })
  })

  it('is one message: the row of a file', async () => {
    const upload = () => {
      const form = new FormData()
      form.set('files', new Blob(['some notes'], { type: 'text/plain' }), 'notes.txt')
      return api.post('/api/upload', { body: form, headers })
    }
    expect(await countMessages(upload)).toEqual({ messages: 1, status: 200 })
  })

  it('is two messages with If-Match: the entry is locked and read first', async () => {
    const etag = String((await api.get('/api/articles/1', { headers })).headers.get('ETag'))
    const update = () =>
      api.put('/api/articles/1', {
        headers: { ...headers, 'If-Match': etag },
        body: { data: { title: 'Matched' } },
      })
    expect(await countMessages(update)).toEqual({ messages: 2, status: 200 })
    expect(await countMessages(update)).toMatchObject({ status: 412 })
  })

  it('writes what locales share in as many messages to each as to one', async () => {
    const { data } = (await send({ method: 'POST', data: full })).body
    const localize = (locale: string) =>
      api.post(`/api/articles/${data.id}/localizations`, { headers, body: { title: locale, locale } })
    const shared = { related: [2, 1], facts: [{ seo: [{ text: 'b' }] }] }
    const update = (views: number, id = data.id) =>
      messagesOf({ method: 'PUT', id, data: { ...shared, views } })
    expect(await countMessages(() => localize('fr'))).toEqual({ messages: 3, status: 200 })
    expect(await update(4)).toEqual({ messages: 3, status: 200 })
    expect(await countMessages(() => localize('de'))).toEqual({ messages: 3, status: 200 })
    expect(await update(5)).toEqual({ messages: 3, status: 200 })
    expect(await update(5)).toEqual({ messages: 2, status: 200 })
    // This process does not know yet that this one has others.
    const german = data.id + 2
    expect(await update(6, german)).toEqual({ messages: 4, status: 200 })
    expect(await update(5, german)).toEqual({ messages: 3, status: 200 })
    const list =
      'filters[views]=5&publicationState=preview&locale=all&sort=id&fields=locale&populate=related,facts.seo'
    const { body } = await api.get(`/api/articles?${list}`, { headers })
    type Article = { readonly attributes: { readonly [name: string]: unknown } }
    expect(body.data.map(({ attributes }: Article) => attributes)).toEqual(
      ['en', 'fr', 'de'].map((locale) => ({
        locale,
        related: { data: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 1 })] },
        facts: [expect.objectContaining({ seo: [expect.objectContaining({ text: 'b' })] })],
      })),
    )
  })

  it('has a row for each event and each change', async () => {
    const count = async (table: string): Promise<number> =>
      Number((await server.octavo.store.query(`select count(*) from ${table}`))[0]?.[0])
    const tables = ['octavo_webhook_deliveries', 'octavo_changes_inbox']
    const before = await Promise.all(tables.map(count))
    await send({ method: 'PUT', id: 1, data: { title: 'Recorded' } })
    await send({ method: 'PUT', id: 1, data: { author: 99 } })
    expect(await Promise.all(tables.map(count))).toEqual(before.map((n) => n + 1))
  })

  it('leaves no row of a deleted entry', async () => {
    const { store, registry } = server.octavo
    const { data } = (await send({ method: 'POST', data: full })).body
    expect(await messagesOf({ method: 'DELETE', id: data.id })).toEqual({ messages: 1, status: 200 })
    for (const uid of ['shared.seo', 'shared.links']) {
      const { table } = registry.component(uid)
      const left = await store.query(
        `select count(*) from ${table} c where owner_type = 'api::article.article' and not exists (select 1 from articles a where a.id = c.owner_id)`,
      )
      expect([uid, left]).toEqual([uid, [['0']]])
    }
  })
})
