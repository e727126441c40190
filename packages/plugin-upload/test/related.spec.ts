/** `related`: the entries that use a file. Source: docs/contract/accounts-and-files.md#where-a-file-is-used. */
import { type ContentTypeDefinition, defineComponent, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { type Permission, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, runs, storedFile } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type FileAttributes, type FileUse, upload } from '../src/index.ts'

const contentTypes: readonly ContentTypeDefinition[] = [
  {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      open: { type: 'boolean', private: true },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      proof: { type: 'media', private: true },
      internal: { type: 'string', private: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors' },
    attributes: {
      name: { type: 'string' },
      born: { type: 'integer' },
      avatar: { type: 'media' },
      papers: { type: 'media', multiple: true },
    },
  },
]
const components = [
  defineComponent({
    uid: 'shared.seo',
    attributes: {
      text: { type: 'string' },
      image: { type: 'media' },
      by: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    },
  }),
]

/** Any JSON. */
type Body = Awaited<ReturnType<Client['get']>>['body']

const program = unrestricted('fills the test')
const find = 'plugin::upload.content-api.find'
const findOne = 'plugin::upload.content-api.findOne'

interface Site {
  readonly server: Server
  readonly api: Client
  close(): Promise<void>
}

async function openSite(
  permissions: readonly (string | Permission)[],
  limits = {},
  roles = {},
): Promise<Site> {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes,
    components,
    plugins: [draftPublish(), usersPermissions({ permissions: { ...roles, public: permissions } }), upload()],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
    limits,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const close = async (): Promise<void> => {
    await server.close()
    await database.drop()
  }
  return { server, api: createClient(url), close }
}

/** Files 1 to 3, authors 1 and 2, articles 1 to 3 (of which 2 is a draft); file 1 is used by all of them. */
async function fill({ server: { octavo } }: Site): Promise<void> {
  const files = octavo.entries('plugin::upload.file', program)
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await files.create(storedFile(name))
  const authors = octavo.entries('api::author.author', program)
  await authors.create({ name: 'Ada', born: 1815, avatar: 1, papers: [1, 2] })
  await authors.create({ name: 'Bob', born: 1900, papers: [1] })
  const articles = octavo.entries('api::article.article', program)
  const part = { text: 'part', image: 1, by: 1 }
  await articles.create({
    title: 'First',
    cover: 1,
    gallery: [2, 1],
    internal: 'hidden',
    author: 1,
    tags: [2, 1],
    seo: part,
    blocks: [{ __component: 'shared.seo', ...part }],
  })
  await articles.create({ title: 'Draft', cover: 1, publishedAt: null })
  await articles.create({ title: 'Second', gallery: [1], proof: 3 })
}

const all: readonly string[] = [
  find,
  findOne,
  'api::article.article.find',
  'api::article.article.findOne',
  'api::author.author.find',
  'api::author.author.findOne',
]

const article = 'api::article.article'
const author = 'api::author.author'
/** `article 1` of each item. */
const short = (list: readonly { __type: string; id: number }[]): readonly string[] =>
  list.map(({ __type, id }) => `${__type.split('.').at(-1)} ${id}`)

describe('related of a file', () => {
  let site: Site
  const related = async (path: string): Promise<Body> => {
    const { status, body } = await site.api.get(path)
    expect([status, body.error]).toEqual([200, undefined])
    return body.related
  }
  beforeAll(async () => {
    site = await openSite(all)
    await fill(site)
  })
  afterAll(() => site.close())

  it('lists each published entry once, by content-type and id, with __type and its fields', async () => {
    const list = await related('/api/upload/files/1?populate=related')
    expect(short(list)).toEqual(['article 1', 'article 3', 'author 1', 'author 2'])
    expect(list[0]).toEqual({
      __type: article,
      id: 1,
      title: 'First',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      publishedAt: expect.any(String),
    })
    expect(list[2]).toMatchObject({ __type: author, id: 1, name: 'Ada', born: 1815 })
  })

  it('is in a list of files, with every option of the list, and empty where nothing uses a file', async () => {
    const { body } = await site.api.get('/api/upload/files?populate[related][fields]=id&sort=name:asc')
    expect(body.map((file: Body) => [file.name, short(file.related)])).toEqual([
      ['one.txt', ['article 1', 'article 3', 'author 1', 'author 2']],
      ['three.txt', []],
      ['two.txt', ['article 1', 'author 1']],
    ])
  })

  it('is part of populate=* of files, and of nothing below an entry', async () => {
    expect(short(await related('/api/upload/files/2?populate=*'))).toEqual(['article 1', 'author 1'])
    const { body } = await site.api.get('/api/articles/1?populate[cover][populate]=*')
    expect(body.data.attributes.cover.data.attributes).not.toHaveProperty('related')
    expect((await site.api.get('/api/upload/files/1')).body).not.toHaveProperty('related')
    const { body: without } = await site.api.get('/api/upload/files/1?populate[0]=*&populate[related]=false')
    expect(without).not.toHaveProperty('related')
  })

  it.each([
    ['/api/articles/1?populate[cover][populate]=related', (body: Body) => body.data.attributes.cover.data],
    ['/api/articles/1?populate=gallery.related', (body: Body) => body.data.attributes.gallery.data[1]],
    ['/api/articles/1?populate=seo.image.related', (body: Body) => body.data.attributes.seo.image.data],
    [
      '/api/articles/1?populate[blocks][populate][image][populate]=related',
      (body: Body) => body.data.attributes.blocks[0].image.data,
    ],
    [
      '/api/articles?populate[author][populate][avatar][populate]=related',
      (body: Body) => body.data[0].attributes.author.data.attributes.avatar.data,
    ],
  ])('is there by its name at every level: %s', async (path, fileIn) => {
    const { body } = await site.api.get(path)
    expect(short(fileIn(body).attributes.related)).toEqual(['article 1', 'article 3', 'author 1', 'author 2'])
  })

  it('has the parts of entries without envelopes, at every depth', async () => {
    const populate = 'populate[related][populate]'
    const [first, second] = await related(
      `/api/upload/files/1?${populate}[author][populate]=avatar&${populate}[tags][fields]=name&${populate}[gallery][fields]=name&${populate}[seo][populate][by][fields]=name&${populate}[blocks][populate][image][populate][related][fields]=id`,
    )
    expect(first.author).toMatchObject({ id: 1, name: 'Ada', avatar: { id: 1, name: 'one.txt' } })
    expect(first.tags).toEqual([
      { id: 2, name: 'Bob' },
      { id: 1, name: 'Ada' },
    ])
    expect(first.gallery).toEqual([
      { id: 2, name: 'two.txt' },
      { id: 1, name: 'one.txt' },
    ])
    expect(first.seo).toEqual({ id: expect.any(Number), text: 'part', by: { id: 1, name: 'Ada' } })
    expect(first.blocks).toMatchObject([{ __component: 'shared.seo', image: { id: 1, name: 'one.txt' } }])
    expect(short(first.blocks[0].image.related)).toEqual(['article 1', 'article 3', 'author 1', 'author 2'])
    expect([second.author, second.tags, second.seo, second.blocks]).toEqual([null, [], null, []])
    const [none] = await related('/api/upload/files/1?populate[related][populate][tags][count]=true')
    expect(none.tags).toEqual({ count: 2 })
    const [zone] = await related('/api/upload/files/1?populate[related][populate]=*')
    expect(zone.blocks[0]).toEqual({ __component: 'shared.seo', id: expect.any(Number), text: 'part' })
    expect(zone.cover.id).toBe(1)
    // An unset media list is null, as everywhere.
    expect(
      (await related('/api/upload/files/1?populate[related][populate]=gallery,papers'))[3].papers,
    ).toHaveLength(1)
  })

  it('takes options for the content-types that have the attributes', async () => {
    const at = (options: string) =>
      related(`/api/upload/files/1?${options.replaceAll('@', 'populate[related]')}`)
    expect(await at('@[fields][0]=title&@[fields][1]=name')).toEqual([
      { __type: article, id: 1, title: 'First' },
      { __type: article, id: 3, title: 'Second' },
      { __type: author, id: 1, name: 'Ada' },
      { __type: author, id: 2, name: 'Bob' },
    ])
    expect(short(await at('@[sort]=title:desc&@[fields]=id'))).toEqual([
      'article 3',
      'article 1',
      'author 1',
      'author 2',
    ])
    expect(short(await at('@[sort][0]=born:desc&@[fields]=id'))).toEqual([
      'article 1',
      'article 3',
      'author 2',
      'author 1',
    ])
    expect(short(await at('@[filters][id]=1&@[fields]=id'))).toEqual(['article 1', 'author 1'])
    expect(short(await at('@[filters][name]=Bob&@[fields]=id'))).toEqual(['author 2'])
    expect(short(await at('@[fields]=id&@[start]=1&@[limit]=2'))).toEqual(['article 3', 'author 1'])
    expect(short(await at(`@[on][${author}][fields]=name`))).toEqual(['author 1', 'author 2'])
    expect(
      await at(`@[on][${author}][fields]=name&@[on][${author}][sort]=born:desc&@[on][api::x.x]=true`),
    ).toEqual([
      { __type: author, id: 2, name: 'Bob' },
      { __type: author, id: 1, name: 'Ada' },
    ])
    expect(short(await at('@[publicationState]=preview&@[fields]=id'))).toContain('article 2')
  })

  it.each([
    'populate[related][fields]=nothing',
    'populate[related][fields]=internal',
    'populate[related][sort]=nothing',
    'populate[related][filters][nothing]=1',
    `populate[related][on][${article}][fields]=name`,
    'populate[related][fields]=author',
    'fields=related',
    'sort=related',
    'filters[related][id]=1',
  ])('is refused with %s', async (query) => {
    expect((await site.api.get(`/api/upload/files/1?${query}`)).status, query).toBe(400)
  })

  it('is read by programs too, and no body changes it', async () => {
    const files = site.server.octavo.entries('plugin::upload.file', program)
    const file = await files.findOne(2, { populate: { related: { fields: ['id'] } } } as never)
    expect(file?.attributes).toMatchObject({
      related: [
        { __type: article, id: 1 },
        { __type: author, id: 1 },
      ],
    })
    await files.update(2, { related: [] } as never)
    expect(short(await related('/api/upload/files/2?populate=related'))).toHaveLength(2)
    await expect(files.find({ populate: ['relatd'] } as never)).rejects.toThrow(/did you mean "related"/)
  })
})

describe('related of a file is bounded', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(all, { answerRows: 20, tables: 10, listLevels: 2, listRows: 3 })
    await fill(site)
  })
  afterAll(() => site.close())

  const two = 'populate[related][populate][gallery][fields]=id&populate[related][populate][tags][fields]=id'
  it.each([
    ['rows', `files?${two}&populate[related][populate][papers][fields]=id`, 413, /20 entries/],
    ['tables', `files/3?${two}&populate[related][populate]=papers,author`, 400, /tables/],
    ['lists within lists', 'files/3?populate=related.gallery.related', 400, /within each other/],
  ])('in %s', async (_, path, status, message) => {
    const { status: found, body } = await site.api.get(`/api/upload/${path}`)
    expect([found, body.error?.message]).toEqual([status, expect.stringMatching(message)])
  })

  it('in the entries of one list, where the server has such a limit', async () => {
    const { body } = await site.api.get('/api/upload/files/1?populate[related][fields]=id')
    expect(short(body.related)).toEqual(['article 1', 'article 3', 'author 1'])
  })
})

describe('rights on related', () => {
  const limited = (action: string, fields: readonly string[]): Permission => ({ action, fields })
  const articles = (fields: readonly string[]) => [
    find,
    findOne,
    limited('api::article.article.find', fields),
  ]
  /** The role with its permissions, and the uses of the first file that it sees. */
  const cases: readonly (readonly [
    string,
    readonly (string | Permission)[],
    readonly string[] | undefined,
  ])[] = [
    ['files only', [find, findOne], []],
    ['one content-type', [find, findOne, 'api::author.author.find'], ['author 1', 'author 2']],
    [
      'entries within a condition',
      [find, findOne, { action: 'api::article.article.find', where: { title: 'First' } }],
      ['article 1'],
    ],
    ['some attributes', articles(['title', 'gallery']), ['article 1', 'article 3']],
    ['other attributes', articles(['title', 'cover']), ['article 1']],
    ['no attribute that uses files', articles(['title']), []],
    ['files without related', [limited(find, ['name']), limited(findOne, ['name'])], undefined],
    ['files with related', [limited(find, ['name', 'related']), limited(findOne, ['name', 'related'])], []],
  ]
  let site: Site
  beforeAll(async () => {
    site = await openSite([], {}, Object.fromEntries(cases.map(([role, permissions]) => [role, permissions])))
    await fill(site)
  })
  afterAll(() => site.close())

  it.each(cases)('of a role with %s', async (type, _, uses) => {
    const { octavo } = site.server
    const [role] = (await octavo.entries('role', program).find({ filters: { type } })).data
    const email = `${type.replaceAll(' ', '-')}@example.org`
    const user = { username: type, email, password: 'Password123', confirmed: true, provider: 'local' }
    await octavo.entries('user', program).create({ ...user, role: role?.id })
    const login = await site.api.post('/api/auth/local', {
      body: { identifier: email, password: 'Password123' },
    })
    const { body } = await site.api.get('/api/upload/files/1?populate[related][fields]=id', {
      token: login.body.jwt,
    })
    expect([body.name, body.related && short(body.related)]).toEqual(['one.txt', uses])
  })
})

describe('data that a caller may not read, in related', () => {
  /** Two servers that differ only in entries, drafts, attributes and uses that the caller may not read. */
  const open = async (n: number): Promise<Site> => {
    const site = await openSite([
      find,
      findOne,
      { action: 'api::article.article.find', where: { open: true }, fields: ['title', 'cover', 'author'] },
      { action: 'api::article.article.findOne', where: { open: true }, fields: ['title', 'cover', 'author'] },
    ])
    await fill(site)
    const { store } = site.server.octavo
    for (const text of [
      `update "articles" set "title" = 'Open ' || "id", "open" = true where "id" < 3`,
      `update "articles" set "internal" = 'x${n}'`,
      `update "authors" set "name" = 'name ${n}', "born" = ${n}`,
      `insert into "articles" ("title", "published_at") select 'Closed ${n}', now() from generate_series(1, ${n})`,
      `insert into "files_related" ("file_id", "owner_type", "owner_id", "field", "position") select 2, '${article}', "id", 'cover', 1 from "articles" where "title" like 'Closed%'`,
      `insert into "files_related" ("file_id", "owner_type", "owner_id", "field", "position") values (3, '${article}', ${n}, 'proof', 1), (3, '${article}', 1, '${n === 1 ? 'gallery' : 'proof'}', 1), (3, '${article}', 2, 'cover', ${n}), (3, '${author}', ${n}, 'avatar', 1), (3, 'shared.seo', ${n}, 'image', 1)`,
      ...['files', 'articles', 'authors'].map(
        (name) => `update "${name}" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01'`,
      ),
      `update "articles" set "published_at" = '2020-01-01' where "published_at" is not null`,
    ])
      await store.query(text)
    return site
  }
  let twins: readonly [Site, Site]
  beforeAll(async () => {
    twins = [await open(1), await open(2)]
  })
  afterAll(async () => {
    for (const site of twins ?? []) await site.close()
  })

  const names = [
    'title',
    'name',
    'born',
    'internal',
    'cover',
    'gallery',
    'proof',
    'author',
    'id',
    'seo',
    'nothing',
  ] as const
  const name = fc.constantFrom(...names)
  const value = fc.constantFrom('Closed', 'Open 1', 'name 1', 'x1', '1', '2')
  const option = fc.oneof(
    name.map((one) => `[fields]=${one}`),
    fc.tuple(name, fc.constantFrom('', ':desc')).map(([one, way]) => `[sort]=${one}${way}`),
    fc
      .tuple(name, fc.constantFrom('$eq', '$startsWith', '$gt', '$ne'), value)
      .map(([one, operator, text]) => `[filters][${one}][${operator}]=${text}`),
    name.map((one) => `[populate]=${one}`),
    fc.tuple(name, name).map(([one, other]) => `[populate][${one}][fields]=${other}`),
    fc.constantFrom(
      '=true',
      '[populate]=*',
      '[limit]=1',
      '[start]=1',
      `[on][${author}][fields]=name`,
      `[on][${article}]=true`,
      '[count]=true',
      '[populate][cover][populate]=related',
    ),
  )
  const place = fc.constantFrom(
    '/api/upload/files?populate[related]',
    '/api/upload/files/2?populate[related]',
    '/api/upload/files/3?populate[related]',
    '/api/articles?populate[cover][populate][related]',
    '/api/articles/1?populate[cover][populate][related]',
  )
  const request = fc.tuple(place, fc.array(option, { minLength: 1, maxLength: 2 })).map(([at, options]) => {
    const [path = '', populate = ''] = at.split('?')
    return `${path}?${options.map((one) => `${populate}${one}`).join('&')}`
  })

  it.each(['', '&uses=1', '&filters[id]=3', '&filters[related][id]=1'])(
    'changes no byte of a list of uses%s',
    async (options) => {
      const path = `/api/upload/uses?entryFields=${names.join(',')}${options}`
      const [one, two] = await Promise.all(twins.map(async ({ api }) => (await api.get(path)).text))
      expect(two).toEqual(one)
    },
  )

  it('changes no byte of any response', { timeout: runs(60_000, 600_000) }, async () => {
    const seen = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(request, async (path) => {
        const [one, two] = await Promise.all(
          twins.map(async ({ api }) => {
            const { status, text, headers } = await api.get(path)
            return { status, text, etag: headers.get('etag') }
          }),
        )
        seen.set(one?.status ?? 0, (seen.get(one?.status ?? 0) ?? 0) + 1)
        expect(two, path).toEqual(one)
      }),
      { numRuns: runs(200, 4_000) },
    )
    expect(seen.get(200) ?? 0).toBeGreaterThan(20)
    expect(seen.get(500) ?? 0).toBe(0)
    // The two do differ, for who may read everything.
    const [one, two] = await Promise.all(
      twins.map(({ server: { octavo } }) =>
        octavo.entries('plugin::upload.file', program).find({ populate: ['related'] } as never),
      ),
    )
    expect(two).not.toEqual(one)
  })
})

it('Populated files are typed with the entries that use them', () => {
  expectTypeOf<FileAttributes['related']>().toEqualTypeOf<readonly FileUse[] | undefined>()
})
