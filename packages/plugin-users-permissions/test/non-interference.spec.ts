import { unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { runs, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiTokensOf, type Permission } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

/** The number of requests for each role. Both engines get the same SQL, so PGlite, which takes twice as long, repeats fewer. */
const requests = testEngine() === 'pglite' ? runs(300, 2_700) : runs(700, 10_000)

const articles = 'api::article.article'
const user = 'plugin::users-permissions.user'

/**
 * Two databases that differ only in data that a role may not read must give equal responses to every request. The caller is
 * Ada. Neither role may read private attributes, passwords, tokens, budgets, and the addresses and roles of users.
 */
const roles: Readonly<Record<string, readonly (string | Permission)[]>> = {
  // May not read notes.
  curious: [
    { action: `${articles}.find`, fields: ['title', 'author', 'note', 'createdAt'] },
    { action: `${articles}.findOne`, fields: ['title', 'author', 'note', 'createdAt'] },
    { action: `${user}.find`, fields: ['username', 'createdAt'] },
    { action: `${user}.findOne`, fields: ['username', 'createdAt'] },
    { action: `${user}.count`, fields: ['username', 'createdAt'] },
    { action: `${user}.me`, fields: ['username'] },
  ],
  // May read her own articles, and notes, whose relations lead to all articles.
  owner: [
    {
      action: `${articles}.find`,
      fields: ['title', 'author', 'note'],
      where: { author: { id: '$user.id' } },
    },
    { action: `${articles}.findOne`, fields: ['title', 'author', 'note'], where: { author: '$user.id' } },
    'api::note.note.find',
    'api::note.note.findOne',
    { action: `${user}.find`, fields: ['username'] },
    { action: `${user}.count`, fields: ['username'] },
  ],
}

/** The data of both databases, besides that of every test site. */
const visible = `
  insert into "notes" ("text") values ('second'), ('third');
  insert into "articles" ("title", "author_id", "note_id") values ('Ada two', 1, 2), ('Ada three', 1, 3), ('Bob two', 2, null)`

/** `%` is 1 in one database and 2 in the other, `~` 1 and -1, so that an order by hidden values differs. */
const hiddenAlways = `
  update "articles" set "internal" = 'internal-' || "id" * ~, "secret" = 'secret-' || "id" * ~, "budget" = "id" * ~;
  update "up_users" set "password" = '$2b$10$' || "id" * ~, "reset_password_token" = 'reset-' || "id" * ~, "confirmation_token" = 'confirm-' || "id" * ~, "token_version" = 0, "reset_password_expires" = '20%0-01-01';
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

/** The types with the targets of their relations. */
const graph: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  articles: {
    title: '',
    budget: '',
    secret: '',
    internal: '',
    createdAt: '',
    author: 'users',
    note: 'notes',
  },
  notes: { text: '', id: '', articles: 'articles' },
  users: {
    username: '',
    email: '',
    password: '',
    resetPasswordToken: '',
    tokenVersion: '',
    role: 'roles',
  },
  roles: { type: '', users: 'users', permissions: '' },
}

const names = [
  'title',
  'budget',
  'secret',
  'internal',
  'author',
  'note',
  'articles',
  'text',
  'id',
  'createdAt',
  'username',
  'email',
  'password',
  'resetPasswordToken',
  'confirmationToken',
  'tokenVersion',
  'role',
  'users',
  'permissions',
  'type',
  'blocked',
  'createdBy',
  'nothing',
  '__proto__',
  'constructor',
  'password"',
  't0.password',
] as const
const operators = [
  '$eq',
  '$ne',
  '$gt',
  '$lt',
  '$in',
  '$notIn',
  '$contains',
  '$notContains',
  '$startsWith',
  '$endsWith',
  '$containsi',
  '$null',
  '$notNull',
  '$eqi',
] as const
/** Types with entries in one of the databases only. */
const telling = [
  '1',
  '2',
  '-1',
  '-2',
  'Foreign',
  'Foreign 1',
  'note-1',
  'internal-1',
  'reset-1',
  '$2b$10$1',
  'mail-1',
] as const
const values = ['true', 'a', '$2', "Ada's", 'authenticated', '2010-01-01', '', '%', 'x'] as const

/** Paths of existing names, hidden ones more often, and of arbitrary names. */
const pathFrom = (root: string) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.nat(60), { minLength: 1, maxLength: 4 }).map((steps) => {
        const path: string[] = []
        let type = graph[root]
        for (const step of steps) {
          if (!type) break
          const known = Object.entries(type).flatMap(([name, to]) =>
            to === '' ? [name] : [name, name, name],
          )
          const name = known[step % known.length] as string
          path.push(name)
          type = graph[type[name] ?? '']
        }
        return path
      }),
    },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }) },
  )
const value = fc.oneof(fc.constantFrom(...telling), fc.constantFrom(...values))
const bracketed = (parts: readonly string[]) => parts.map((part) => `[${part}]`).join('')
/** The parameters of a request for entries of a type. */
const queryOf = (root: string) => {
  const path = pathFrom(root)
  const filter = fc
    .tuple(
      fc.constantFrom('', '[$and][0]', '[$or][1]', '[$not]', '[0]'),
      path,
      fc.option(fc.constantFrom(...operators)),
      value,
    )
    .map(
      ([group, parts, operator, text]) =>
        `filters${group}${bracketed(parts)}${operator ? `[${operator}]` : ''}=${text}`,
    )
  const sort = fc
    .tuple(path, fc.constantFrom('', ':asc', ':desc'))
    .map(([parts, direction]) => `sort=${parts.join('.')}${direction}`)
  const fields = path.map((parts) => parts.map((name, i) => `fields[${i}]=${name}`).join('&'))
  const populate = fc.oneof(
    fc.constant('populate=*'),
    path.map((parts) => `populate=${parts.join('.')}`),
    fc
      .tuple(path, fc.oneof(filter, sort, fields, fc.constant('populate=*'), fc.constant('count=true')))
      .map(([parts, inner]) => {
        const place = parts.map((name, i) => (i === 0 ? `[${name}]` : `[populate][${name}]`)).join('')
        return inner.replaceAll(
          /(^|&)([a-z]+)/g,
          (_, and: string, name: string) => `${and}populate${place}[${name}]`,
        )
      }),
  )
  const other = fc.oneof(
    value.map((text) => `_q=${text}`),
    fc.constantFrom(
      'pagination[withCount]=false',
      'pagination[pageSize]=1&pagination[page]=2',
      'pagination[start]=1',
      'pagination[limit]=-1',
      'limit=1',
      'start=1',
    ),
    fc
      .tuple(fc.constantFrom('where', 'lookup', '_where', 'qb', ''), path, value)
      .map(([name, parts, text]) => `${name}${bracketed(parts)}[$startsWith]=${text}`),
    fc.tuple(path, value).map(([[name = ''], text]) => `${name}[$startsWith]=${text}`),
  )
  const parameter = fc.oneof(
    { weight: 4, arbitrary: filter },
    { weight: 2, arbitrary: sort },
    fields,
    { weight: 3, arbitrary: populate },
    other,
  )
  // Most requests have one parameter, since one refused parameter refuses the request.
  return fc.oneof(
    { weight: 3, arbitrary: parameter.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(parameter, { maxLength: 3 }) },
  )
}
const lists = ['/api/articles', '/api/articles', '/api/notes', '/api/users', '/api/users/count']
const place = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...lists) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/api/articles/1',
      '/api/articles/2',
      '/api/articles/3',
      '/api/notes/1',
      '/api/users/me',
      '/api/users/2',
      '/api/users/9',
      '/api/users-permissions/roles',
      '/api/nothing',
    ),
  },
)
const explanation = 'explain=true&'
const request = place
  .chain((where) =>
    fc.tuple(
      fc.constant(where),
      fc.oneof({ weight: 5, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant(explanation) }),
      queryOf(/^\/api\/(\w+)/.exec(where)?.[1] ?? ''),
    ),
  )
  .map(([where, explains, parts]) => `${where}?${explains}${parts.join('&')}`)

/** Answers reads with their explanation, as the plugin pages does for callers who may have it, with the values. */
const explains = definePlugin({
  name: 'explains',
  setup: (host) => {
    const octavo = host.start((running) => running)
    host.hook('server:read', ({ replica: _, ...read }) =>
      read.query.startsWith(explanation)
        ? octavo().explain({ ...read, query: read.query.slice(explanation.length) }, { values: true })
        : undefined,
    )
  },
})

interface Twin {
  readonly site: Site
  readonly token: string
}
const send = async ({ site, token }: Twin, path: string) => {
  const { status, text, headers } = await site.api.get(encodeURI(path), { token })
  // Times are of this run, as are the length and the tag of the text. PostgreSQL analyses a table when it has time to.
  if (path.includes(explanation))
    return { status, text: text.replaceAll(/"times":\{[^}]*\}|"(?:time|cost|estimatedRows)":[\d.]+/g, '') }
  return {
    status,
    text,
    headers: ['content-type', 'content-length', 'etag', 'link', 'vary', 'location'].map((name) =>
      headers.get(name),
    ),
  }
}

describe.each(Object.keys(roles))('data that the role "%s" may not read', (role) => {
  let twins: readonly [Twin, Twin]
  beforeAll(async () => {
    const secret = 'the same for both, so that tokens are alike'
    const open = async (n: number): Promise<Twin> => {
      const permissions = { ...roles, all: [] }
      const site = await openSite({ permissions, jwt: { secret } }, {}, undefined, false, [explains])
      const { store } = site.server.octavo
      const run = async (sql: string) => {
        for (const statement of sql.split(';'))
          await store.query(statement.replaceAll('%', String(n)).replaceAll('~', n === 1 ? '1' : '-1'))
      }
      const token = await site.login('ada')
      await run(visible)
      await run(hiddenAlways)
      await run(hiddenFrom[role] ?? '')
      await store.query(
        `update "up_users" set "role_id" = (select "id" from "up_roles" where "type" = $1) where "username" = 'ada'`,
        [role],
      )
      for (const table of ['articles', 'notes', 'up_users', 'up_roles'])
        await store.query(
          `update "${table}" set "created_at" = '2020-01-01', "updated_at" = '2020-01-01'${table === 'articles' && role === 'owner' ? ' where "author_id" = 1' : ''}`,
        )
      // Written without the server, which must be notified.
      await store.query(`select pg_notify('octavo_users_permissions', '{"account":0,"roles":true}')`)
      await site.server.octavo.entries('role', unrestricted('waits')).find()
      return { site, token }
    }
    twins = [await open(1), await open(2)]
  })
  afterAll(async () => {
    for (const { site } of twins ?? []) await site.close()
  })

  it('gives different responses to a caller with all rights', async () => {
    const all = await Promise.all(
      twins.map(async ({ site }): Promise<Twin> => {
        return { site, token: await apiTokensOf(site.server.octavo).create({ name: 'all', access: 'full' }) }
      }),
    )
    const found = await fc.check(
      fc.asyncProperty(request, async (path) => {
        const [one, two] = await Promise.all(all.map((twin) => send(twin, path)))
        return one?.text === two?.text
      }),
      { numRuns: 500 },
    )
    expect(found.failed).toBe(true)
    // Ada is the caller, and may read some entries.
    expect((await send(twins[0], '/api/articles')).status).toBe(200)
    expect((await send(twins[0], '/api/users/count')).text).toBe('2')
  })

  it('changes no byte of any response', { timeout: runs(120_000, 1_200_000) }, async () => {
    const seen = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(request, async (path) => {
        const [one, two] = await Promise.all(twins.map((twin) => send(twin, path)))
        seen.set(one?.status ?? 0, (seen.get(one?.status ?? 0) ?? 0) + 1)
        expect(two, path).toEqual(one)
      }),
      { numRuns: requests },
    )
    // Not all of them were refused.
    expect(seen.get(200)).toBeGreaterThan(requests * 0.03)
    expect(seen.get(500) ?? 0).toBe(0)
  })
})
