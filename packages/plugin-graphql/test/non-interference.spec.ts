/**
 * Two databases that differ only in data that a role may not read give equal answers to every operation (S-01 to S-05, S-36), as in the
 * spec of plugin-users-permissions for REST.
 */
import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import { graphql } from '@octavo/plugin-graphql'
import { apiTokensOf, type Permission, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase, runs, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Loose } from './recorded.ts'

const user = 'plugin::users-permissions.user'
const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    budget: { type: 'integer' },
    secret: { type: 'password' },
    internal: { type: 'string', private: true },
    author: { type: 'relation', relation: 'manyToOne', target: user },
    note: { type: 'relation', relation: 'manyToOne', target: 'api::note.note', inversedBy: 'articles' },
  },
}
const note: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    text: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'note' },
  },
}

/** Neither role may read budgets, private attributes, passwords, tokens, and the addresses and roles of users. */
const roles: Readonly<Record<string, readonly (string | Permission)[]>> = {
  // May not read notes.
  curious: [
    { action: 'api::article.article.find', fields: ['title', 'author', 'note', 'createdAt'] },
    { action: 'api::article.article.findOne', fields: ['title', 'author', 'note', 'createdAt'] },
    { action: `${user}.find`, fields: ['username', 'createdAt'] },
    { action: `${user}.findOne`, fields: ['username', 'createdAt'] },
    { action: `${user}.me`, fields: ['username'] },
  ],
  // May read her own articles, and notes, whose relations lead to all articles.
  owner: [
    {
      action: 'api::article.article.find',
      fields: ['title', 'author', 'note'],
      where: { author: { id: '$user.id' } },
    },
    {
      action: 'api::article.article.findOne',
      fields: ['title', 'author', 'note'],
      where: { author: '$user.id' },
    },
    'api::note.note.find',
    'api::note.note.findOne',
    { action: `${user}.find`, fields: ['username'] },
  ],
}

const same = `
  update "up_users" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01';
  update "up_roles" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01';
  update "articles" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01' where "author_id" = 1 or '?' = 'curious';
  update "notes" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01'`

/** `%` is 1 in one database and 2 in the other, `~` 1 and -1, so that an order by hidden values differs. */
const hidden = `
  update "articles" set "internal" = 'internal-' || "id" * ~, "secret" = 'secret-' || "id" * ~, "budget" = "id" * ~;
  update "up_users" set "password" = '$2b$10$' || "id" * ~, "reset_password_token" = 'reset-' || "id" * ~, "confirmation_token" = 'confirm-' || "id" * ~, "token_version" = 0;
  update "up_users" set "email" = 'mail-%@example.org', "role_id" = % where "username" = 'bob';
  update "up_users" set "email" = 'ada-%@example.org' where "username" = 'ada'`
const hiddenFrom: Readonly<Record<string, string>> = {
  curious: `
    update "notes" set "text" = 'note-' || "id" * ~;
    insert into "notes" ("text") select 'more' from generate_series(1, %);
    update "articles" set "note_id" = % where "id" = 1`,
  owner: `
    update "articles" set "title" = 'Foreign %', "created_at" = '20%0-01-01', "note_id" = % where "author_id" <> 1;
    insert into "articles" ("title", "author_id", "note_id", "created_at", "updated_at") select 'Foreign', 2, %, now(), now() from generate_series(1, %)`,
}

interface Kind {
  readonly list: string
  readonly one: string
  /** Fields of answers. */
  readonly values: readonly string[]
  /** Fields of filters and sorts, hidden ones among them. */
  readonly compared: readonly string[]
  readonly relations: Readonly<Record<string, string>>
}

const kinds: Readonly<Record<string, Kind>> = {
  article: {
    list: 'articles',
    one: 'article',
    values: ['title', 'budget', 'secret', 'createdAt'],
    compared: ['title', 'budget', 'internal', 'createdAt'],
    relations: { author: 'user', note: 'note' },
  },
  note: {
    list: 'notes',
    one: 'note',
    values: ['text'],
    compared: ['text'],
    relations: { articles: 'article' },
  },
  user: {
    list: 'usersPermissionsUsers',
    one: 'usersPermissionsUser',
    values: ['username', 'email', 'blocked'],
    compared: ['username', 'email', 'password', 'resetPasswordToken', 'confirmationToken'],
    relations: { role: 'role' },
  },
  role: {
    list: 'usersPermissionsRoles',
    one: 'usersPermissionsRole',
    values: ['name'],
    compared: ['type'],
    relations: {},
  },
}
const kindOf = (name: string): Kind => kinds[name] as Kind // the names above

const texts = fc.constantFrom(
  'Foreign',
  'Foreign 1',
  'note-1',
  'internal-1',
  'reset-1',
  '$2b$10$1',
  'mail-1',
  'a',
  "Ada's",
  'authenticated',
  '%',
  '',
)

function operandOf(name: string): fc.Arbitrary<string> {
  if (name === 'budget') return fc.constantFrom('1', '2', '-1', '-2')
  if (name === 'createdAt') return fc.constantFrom('"2010-01-01T00:00:00.000Z"', '"2020-01-01T00:00:00.000Z"')
  return texts.map((text) => JSON.stringify(text))
}

const operators = fc.constantFrom(
  'eq',
  'ne',
  'gt',
  'lt',
  'contains',
  'notContains',
  'startsWith',
  'containsi',
)

function filterOf(name: string, depth = 2): fc.Arbitrary<string> {
  const { compared, relations } = kindOf(name)
  const value = fc
    .constantFrom(...compared)
    .chain((field) => fc.tuple(fc.constant(field), operators, operandOf(field)))
    .map(([field, operator, operand]) => `{ ${field}: { ${operator}: ${operand} } }`)
  const none = fc.constantFrom(...compared).map((field) => `{ ${field}: { notNull: true } }`)
  const through = Object.entries(relations)
  if (depth === 0 || through.length === 0) return fc.oneof(value, none)
  const related = fc
    .constantFrom(...through)
    .chain(([field, to]) => filterOf(to, depth - 1).map((inner) => `{ ${field}: ${inner} }`))
  return fc.oneof(
    value,
    none,
    { weight: 3, arbitrary: related },
    related.map((inner) => `{ not: ${inner} }`),
    fc.tuple(related, value).map(([one, other]) => `{ or: [${one}, ${other}] }`),
  )
}

function sortOf(name: string, depth = 2): fc.Arbitrary<string> {
  const { compared, relations } = kindOf(name)
  const own = fc.constantFrom(...compared, 'id', 'nothing', 'secret', 'tokenVersion')
  const through = Object.entries(relations)
  if (depth === 0 || through.length === 0) return own
  const related = fc
    .constantFrom(...through)
    .chain(([field, to]) => sortOf(to, depth - 1).map((inner) => `${field}.${inner}`))
  return fc.oneof(own, related)
}

function givenTo(name: string): fc.Arbitrary<string> {
  const filters = filterOf(name).map((filter) => `filters: ${filter}`)
  const sort = fc
    .tuple(sortOf(name), fc.constantFrom('', ':desc'))
    .map(([path, way]) => `sort: "${path}${way}"`)
  const page = fc.constantFrom(
    'pagination: { limit: 1 }',
    'pagination: { start: 1 }',
    'pagination: { limit: -1 }',
  )
  return fc
    .uniqueArray(fc.oneof({ weight: 3, arbitrary: filters }, { weight: 2, arbitrary: sort }, page), {
      maxLength: 2,
      selector: (one) => one.split(':')[0],
    })
    .map((all) => (all.length === 0 ? '' : `(${all.join(', ')})`))
}

function entityOf(name: string, depth: number): fc.Arbitrary<string> {
  const { values, relations } = kindOf(name)
  const related = (depth === 0 ? [] : Object.entries(relations)).map(([field, to]) =>
    fc
      .tuple(field === 'articles' ? givenTo(to) : fc.constant(''), entityOf(to, depth - 1))
      .map(([given, entity]) => `${field}${given} { data ${entity} }`),
  )
  return fc
    .tuple(
      fc.subarray([...values]),
      related.length === 0 ? fc.constant('') : fc.option(fc.oneof(...related), { nil: '' }),
    )
    .map(([own, inner]) => {
      const all = [...own, inner].join(' ').trim()
      return `{ id ${all === '' ? '' : `attributes { ${all} }`} }`
    })
}

const operation: fc.Arbitrary<string> = fc
  .constantFrom('article', 'article', 'note', 'user', 'role')
  .chain((name) => {
    const { list, one } = kindOf(name)
    return fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .tuple(givenTo(name), entityOf(name, 2), fc.boolean())
          .map(
            ([given, entity, counts]) =>
              `{ ${list}${given} { data ${entity} ${counts ? 'meta { pagination { total } }' : ''} } }`,
          ),
      },
      fc
        .tuple(fc.integer({ min: 1, max: 6 }), entityOf(name, 2))
        .map(
          ([id, entity]) => `{ ${one}(id: ${id}) { data ${entity} } me { id username email role { name } } }`,
        ),
    )
  })

interface Twin {
  readonly server: Server
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

async function openTwin(role: string, n: 1 | 2): Promise<Twin> {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [article, note],
    plugins: [
      usersPermissions({
        permissions: { ...roles, all: [] },
        jwt: { secret: 'the same for both, so that tokens are alike' },
      }),
      graphql(),
    ],
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
  })
  const { octavo } = server
  const state = unrestricted('fills the tests')
  const [own] = (await octavo.entries('role', state).find({ filters: { type: role } })).data
  for (const username of ['ada', 'bob'])
    await octavo.entries('user', state).create({
      username,
      email: `${username}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: own?.id,
    })
  for (const text of ['nobody knows', 'second', 'third']) await octavo.entries('note', state).create({ text })
  for (const [title, author, note] of [
    ["Ada's", 1, 1],
    ["Bob's", 2, null],
    ['Ada two', 1, 2],
    ['Ada three', 1, 3],
    ['Bob two', 2, null],
  ] as const)
    await octavo.entries('article', state).create({ title, author, note })
  const { url } = await server.listen(0, '127.0.0.1')
  const { body } = await ask(
    url,
    'mutation { login(input: { identifier: "ada", password: "Password123" }) { jwt } }',
  )
  for (const statement of [hidden, hiddenFrom[role], same].join(';').split(';'))
    await octavo.store.query(
      statement
        .replaceAll('%', String(n))
        .replaceAll('~', n === 1 ? '1' : '-1')
        .replaceAll('?', role),
    )
  return {
    server,
    url,
    token: body.data.login.jwt,
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}

/** Both engines get the same SQL, so PGlite, which takes several times as long, repeats fewer. */
const operations = testEngine() === 'pglite' ? runs(80, 1_000) : runs(250, 5_000)

describe.each(Object.keys(roles))('data that the role "%s" may not read', (role) => {
  let twins: readonly Twin[] = []
  beforeAll(async () => {
    twins = [await openTwin(role, 1), await openTwin(role, 2)]
  })
  afterAll(async () => {
    for (const twin of twins) await twin.close()
  })

  const answers = (query: string, tokens: readonly string[]): Promise<readonly Loose[]> =>
    Promise.all(twins.map(({ url }, i) => ask(url, query, { token: tokens[i] ?? '' })))

  it('gives different answers to a caller with all rights', async () => {
    const tokens = await Promise.all(
      twins.map(({ server }) => apiTokensOf(server.octavo).create({ name: 'all', access: 'full' })),
    )
    const found = await fc.check(
      fc.asyncProperty(operation, async (query) => {
        const [one, two] = await answers(query, tokens)
        return JSON.stringify(one) === JSON.stringify(two)
      }),
      { numRuns: 200 },
    )
    expect(found.failed).toBe(true)
  })

  it('changes nothing in any answer', { timeout: runs(120_000, 1_200_000) }, async () => {
    const tokens = twins.map(({ token }) => token)
    let answered = 0
    await fc.assert(
      fc.asyncProperty(operation, async (query) => {
        const [one, two] = await answers(query, tokens)
        expect(two, query).toEqual(one)
        expect(one.status, query).toBeLessThan(500)
        expect(JSON.stringify(one.body), query).not.toContain('Internal Server Error')
        if (!one.body.errors) answered += 1
      }),
      { numRuns: operations },
    )
    // Not all of them were refused.
    expect(answered).toBeGreaterThan(operations * 0.03)
  })
})
