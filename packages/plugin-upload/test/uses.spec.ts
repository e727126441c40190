/** `GET /upload/uses`: the entries that use files, in parts too. Source: docs/contract/accounts-and-files.md#where-a-file-is-used. */
import { type ContentTypeDefinition, defineComponent, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { type Permission, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, storedFile } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upload } from '../src/index.ts'

const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string' },
    internal: { type: 'string', private: true },
    cover: { type: 'media' },
    proof: { type: 'media', private: true },
    seo: { type: 'component', component: 'shared.seo' },
    blocks: { type: 'dynamiczone', components: ['shared.gallery', 'shared.seo'] },
  },
}
const home: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'home', pluralName: 'homes' },
  attributes: {
    name: { type: 'string' },
    pages: { type: 'component', component: 'shared.gallery', repeatable: true },
  },
}
const components = [
  defineComponent({
    uid: 'shared.seo',
    attributes: { image: { type: 'media' }, hidden: { type: 'media', private: true } },
  }),
  defineComponent({
    uid: 'shared.gallery',
    attributes: {
      pictures: { type: 'media', multiple: true },
      parts: { type: 'component', component: 'shared.seo', repeatable: true },
    },
  }),
]

const program = unrestricted('fills the test')
const find = 'plugin::upload.content-api.find'
const articles = 'api::article.article'
const homes = 'api::home.home'
/** The role with its permissions, and the uses of the first file that it sees. */
const roles: readonly (readonly [string, readonly (string | Permission)[], readonly string[]])[] = [
  [
    'all content',
    [find, `${articles}.find`, `${homes}.find`],
    [
      'article 1: cover, seo.image',
      'article 2: blocks.parts.image, blocks.pictures',
      'home 1: pages.parts.image',
    ],
  ],
  ['one content-type', [find, `${homes}.find`], ['home 1: pages.parts.image']],
  [
    'entries within a condition',
    [find, { action: `${articles}.find`, where: { title: 'Second' } }],
    ['article 2: blocks.parts.image, blocks.pictures'],
  ],
  [
    'some attributes',
    [find, { action: `${articles}.find`, fields: ['title', 'seo'] }],
    ['article 1: seo.image'],
  ],
  ['no attribute that leads to files', [find, { action: `${articles}.find`, fields: ['title'] }], []],
  [
    'an attribute beside the asked one',
    [find, { action: `${homes}.find`, fields: ['pages'] }],
    ['home 1: pages.parts.image'],
  ],
  ['files only', [find], []],
]

interface Place {
  readonly uid: string
  readonly attribute: string
}
interface Use {
  readonly __type: string
  readonly id: number
  readonly places: readonly (readonly Place[])[]
}
/** `article 1: cover, seo.image` of each use. */
const short = (uses: readonly Use[]): readonly string[] =>
  uses.map(({ __type, id, places }) => {
    const ways = places.map((way) => way.map(({ attribute }) => attribute).join('.')).toSorted()
    return `${__type.split('.').at(-1)} ${id}: ${ways.join(', ')}`
  })

let server: Server
let api: Client
let close: () => Promise<void>
const tokens = new Map<string, string>()

beforeAll(async () => {
  const database = await createTestDatabase()
  const permissions = Object.fromEntries(roles.map(([name, granted]) => [name, granted]))
  server = await createServer({
    contentTypes: [article, home],
    components,
    plugins: [draftPublish(), usersPermissions({ permissions }), upload()],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
    // A name in a query that the plugin writes is none of a client.
    strict: true,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  api = createClient(url)
  close = async () => {
    await server.close()
    await database.drop()
  }
  const { octavo } = server
  const files = octavo.entries('plugin::upload.file', program)
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await files.create(storedFile(name))
  const entries = octavo.entries(articles, program)
  await entries.create({ title: 'First', cover: 1, proof: 3, internal: 'x', seo: { image: 1, hidden: 3 } })
  await entries.create({
    title: 'Second',
    publishedAt: null,
    blocks: [
      { __component: 'shared.seo', image: 2 },
      { __component: 'shared.gallery', pictures: [2, 1], parts: [{ image: 2 }, { image: 1 }] },
    ],
  })
  await octavo.entries(homes, program).create({ name: 'Home', pages: [{ parts: [{ image: 1 }] }] })
  for (const [type] of roles) {
    const [role] = (await octavo.entries('role', program).find({ filters: { type } })).data
    const user = {
      username: type,
      email: `${type.replaceAll(' ', '-')}@example.org`,
      password: 'Password123',
    }
    await octavo
      .entries('user', program)
      .create({ ...user, confirmed: true, provider: 'local', role: role?.id })
    const { body } = await api.post('/api/auth/local', {
      body: { identifier: user.email, password: user.password },
    })
    tokens.set(type, body.jwt)
  }
})
afterAll(() => close?.())

const ask = (query: string, role = 'all content') =>
  api.get(`/api/upload/uses${query}`, { token: tokens.get(role) ?? '' })

describe('the uses of a file', () => {
  it.each(roles)('are those that a role may read which may read %s', async (role, _, uses) => {
    const { status, body } = await ask('?filters[id]=1', role)
    expect([status, body.map(({ uses: found }: { uses: Use[] }) => short(found))]).toEqual([200, [uses]])
  })

  it.each(roles)(
    'S-04: are answered whether or not an entry has an asked attribute that is hidden from a role which may read %s',
    async (role) => {
      const asked = 'title,internal,proof,name'
      const [one, without] = [
        await ask(`?filters[id]=1&entryFields=${asked}`, role),
        await ask('?filters[id]=1', role),
      ]
      expect([one.status, short(one.body[0]?.uses)]).toEqual([200, short(without.body[0].uses)])
    },
  )

  it('have the whole way to the file, and the asked attributes of their entries', async () => {
    const { body } = await ask('?filters[name]=two.txt&entryFields=title,name,internal,cover,nothing')
    expect(body).toEqual([
      {
        id: 2,
        name: 'two.txt',
        uses: [{ __type: articles, id: 2, attributes: { title: 'Second' }, places: expect.any(Array) }],
        more: false,
      },
    ])
    expect(body[0].uses[0].places).toHaveLength(3)
    expect(body[0].uses[0].places).toContainEqual([
      { uid: articles, attribute: 'blocks' },
      { uid: 'shared.gallery', attribute: 'parts' },
      { uid: 'shared.seo', attribute: 'image' },
    ])
    expect(body[0].uses[0].places).toContainEqual([
      { uid: articles, attribute: 'blocks' },
      { uid: 'shared.seo', attribute: 'image' },
    ])
  })

  it('are listed for several files, at most so many of each as asked, and the answer tells that there are more', async () => {
    const { body } = await ask('?sort=name&uses=1')
    expect(
      body.map(({ name, uses, more }: { name: string; uses: Use[]; more: boolean }) => [
        name,
        uses.length,
        more,
      ]),
    ).toEqual([
      ['one.txt', 1, true],
      ['three.txt', 0, false],
      ['two.txt', 1, false],
    ])
    expect((await ask('?filters[id]=99')).body).toEqual([])
  })

  it('do not tell of a link whose part is gone', async () => {
    const insert = `insert into "files_related" ("file_id", "owner_type", "owner_id", "field", "position") values (3, 'shared.seo', 999, 'image', 1), (3, '${articles}', 999, 'cover', 1)`
    await server.octavo.store.query(insert)
    expect((await ask('?filters[id]=3')).body[0].uses).toEqual([])
  })

  it('are read in parts where there are many, and of a file that very many entries use not all are looked at', async () => {
    const { store } = server.octavo
    await store.query(
      `insert into "articles" ("title", "published_at") select 'Many ' || "n", now() from generate_series(1, 250) as "n"`,
    )
    await store.query(
      `insert into "files_related" ("file_id", "owner_type", "owner_id", "field", "position") select 3, '${articles}', "id", 'cover', 1 from "articles" where "title" like 'Many%'`,
    )
    const [three] = (await ask('?filters[id]=3&uses=100&entryFields=title')).body
    expect([three.uses.length, three.more]).toEqual([100, true])
    expect(
      three.uses.every((use: Use & { attributes: { title: string } }) =>
        use.attributes.title.startsWith('Many'),
      ),
    ).toBe(true)
    await store.query(
      `insert into "files" ("name", "hash", "ext", "mime", "size", "url", "provider") select 'x', 'x' || "n", '.txt', 'text/plain', 1, '/x', 'local' from generate_series(1, 998) as "n"`,
    )
    const { status, body } = await ask('')
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/at most 1000 files/)])
    expect((await ask('?limit=1000&sort=id')).body).toHaveLength(1_000)
  })

  it('are refused to a caller who may not list files', async () => {
    expect((await api.get('/api/upload/uses')).status).toBe(403)
  })

  it.each([
    ['?uses=0', /1 to 100/],
    ['?uses=many', /1 to 100/],
    ['?populate=*', /no parameter/],
    ['?filters[nothing]=1', /nothing/],
  ])('are refused with %s', async (query, message) => {
    const { status, body } = await ask(query)
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(message)])
  })
})
