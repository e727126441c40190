import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ContentTypeDefinition, importData, silentLogger, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiTokensOf, usersPermissions } from '../src/index.ts'
import { openSite, refusal, type Site, usersRights } from './site.ts'

const articles = 'api::article.article'
let site: Site
afterEach(() => site?.close())

describe('ownership', () => {
  const own = { author: { id: '$user.id' } } as const
  const rights = {
    public: [{ action: `${articles}.find`, where: own }],
    authenticated: [
      `${articles}.findOne`,
      { action: `${articles}.find`, where: { $or: [own, { title: "Bob's" }] } },
      { action: `${articles}.create`, where: own },
      { action: `${articles}.update`, where: own },
      { action: `${articles}.delete`, where: own },
      'plugin::users-permissions.user.find',
    ],
  }

  // One site, in which the last part deletes what the first ones look at.
  it('serves all callers with one statement, rolls back a write that gives an entry to another owner, and permits changes and deletes of own entries only, in bulk as well', async () => {
    site = await openSite({ permissions: rights }, { api: { rest: { bulk: true } } })
    await servesWithOneStatement()
    await appliesToBulkWrites()
    await rollsBack()
    await permitsOwnOnly()
  })

  async function permitsOwnOnly(): Promise<void> {
    const { api } = site
    const token = await site.login('ada')
    const body = { data: { title: 'New' } }
    expect((await api.put('/api/articles/1', { token, body })).body.data.attributes.title).toBe('New')
    expect(await api.put('/api/articles/2', { token, body })).toMatchObject(refusal(404, 'NotFoundError'))
    expect(await api.delete('/api/articles/2', { token })).toMatchObject(refusal(404, 'NotFoundError'))
    const bob = await site.login('bob')
    expect((await api.get('/api/articles/2', { token: bob })).body.data.attributes.title).toBe("Bob's")
    expect((await api.delete('/api/articles/1', { token })).status).toBe(200)
  }

  async function rollsBack(): Promise<void> {
    const { api } = site
    const token = await site.login('ada')
    expect(await api.put('/api/articles/1', { token, body: { data: { author: 2 } } })).toMatchObject(
      refusal(403, 'ForbiddenError'),
    )
    expect(
      await api.post('/api/articles', { token, body: { data: { title: 'Forged', author: 2 } } }),
    ).toMatchObject(refusal(403, 'ForbiddenError'))
    const [[count]] = (await site.server.octavo.store.query(
      'select count(*) from "articles" where "author_id" = 1',
    )) as [[string]]
    expect(Number(count)).toBe(1)
    const made = await api.post('/api/articles', { token, body: { data: { title: 'Mine', author: 1 } } })
    expect(made.status).toBe(200)
  }

  async function appliesToBulkWrites(): Promise<void> {
    const { api } = site
    const token = await site.login('ada')
    const bulk = (body: object) => api.post('/api/articles/actions/bulk', { token, body })
    expect(
      (
        await bulk({
          update: [
            { id: 1, title: 'Mine' },
            { id: 2, title: 'Taken' },
          ],
        })
      ).status,
    ).toBe(404)
    expect((await bulk({ delete: [2] })).status).toBe(404)
    expect(
      (
        await bulk({
          create: [
            { title: 'x', author: 1 },
            { title: 'y', author: 2 },
          ],
        })
      ).status,
    ).toBe(403)
    expect((await bulk({ update: [{ id: 1, author: 2 }] })).status).toBe(403)
    const rows = await site.server.octavo.store.query(
      'select "title", "author_id"::text from "articles" order by "id"',
    )
    expect(rows).toEqual([
      ["Ada's", '1'],
      ["Bob's", '2'],
    ])
    expect((await bulk({ update: [{ id: 1, title: 'Mine' }] })).status).toBe(200)
  }

  /** And anonymous callers with no entries. */
  async function servesWithOneStatement(): Promise<void> {
    const { api, statements } = site
    const tokens = [await site.login('ada'), await site.login('bob')]
    statements.length = 0
    const answers = []
    for (const token of tokens) answers.push(await api.get('/api/articles', { token }))
    expect(answers.map(({ body }) => body.data.map((entry: { id: number }) => entry.id))).toEqual([
      [1, 2],
      [2],
    ])
    // The price of a statement is estimated once, with explain.
    const reads = statements.filter((text) => text.includes('"articles"') && !text.startsWith('explain'))
    expect(reads).toHaveLength(2)
    expect(reads[0]).toBe(reads[1])
    expect((await api.get('/api/articles')).body.data).toEqual([])
  }

  describe('stops the start', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createTestDatabase()
    })
    afterAll(() => database.drop())

    it.each([
      [{ writer: '$user.id' }, 'has no attribute "writer"'],
      [{ author: { id: { $like: 1 } } }, 'there is no operator "$like"'],
      [{ budget: 'much' }, 'a whole number'],
      [{ title: { name: 'a' } }, '"title" is a value and has no field "name"'],
      [{ title: { $contains: 'a' } }, 'a permission takes exact values'],
      [{ $or: [] }, 'where[$or]: the list has no elements'],
    ])('for %j', async (where, message) => {
      await expect(
        openSite({ permissions: { public: [{ action: `${articles}.find`, where }] } }, {}, database),
      ).rejects.toThrow(message)
    })
  })
})

it('A pattern in the permissions of a configuration stops the start, and the message says where patterns are read', async () => {
  const database = await createTestDatabase()
  await expect(openSite({ permissions: { public: ['api::*.find*'] } }, {}, database)).rejects.toThrow(
    'there is no action "api::*.find*"; only octavo permissions grant takes patterns: name each action here',
  )
  await database.drop()
})

describe('fields', () => {
  const rights = {
    public: [
      { action: `${articles}.find`, fields: ['title', 'note'] },
      { action: `${articles}.create`, fields: ['title'] },
      'api::note.note.find',
    ],
  }

  it('may leave out the role of a user, which the routes of users then do not ask for', async () => {
    const user = 'plugin::users-permissions.user'
    const fields = ['username', 'email', 'password', 'role']
    const actions = ['create', 'update', 'me'].map((name) => ({ action: `${user}.${name}`, fields }))
    const find = { action: `${user}.find`, fields: ['username'] }
    const findRoles = 'plugin::users-permissions.role.find'
    site = await openSite(
      {
        permissions: {
          public: [...actions, find, 'plugin::users-permissions.auth.register', findRoles],
          authenticated: [{ action: `${user}.me`, fields: ['username'] }],
        },
      },
      { strict: true },
    )
    const cleo = { username: 'cleo', email: 'cleo@example.org', password: 'Password123' }
    const made = await site.api.post('/api/users', { body: { ...cleo, role: 1 } })
    expect([made.status, made.body]).toEqual([201, { id: 3, username: 'cleo' }])
    const changed = await site.api.put('/api/users/3', { body: { username: 'cleopatra' } })
    expect([changed.status, changed.body]).toEqual([200, { id: 3, username: 'cleopatra' }])
    const dora = { ...cleo, username: 'dora', email: 'dora@example.org' }
    const registered = await site.api.post('/api/auth/local/register', { body: dora })
    expect([registered.status, registered.body.user]).toEqual([200, { id: 4, username: 'dora' }])
  })

  it('hide other attributes from responses, filters and sort, at any depth, and limit writes', async () => {
    site = await openSite({ permissions: rights })
    const { api } = site
    const { body } = await api.get('/api/articles?populate=*')
    expect(Object.keys(body.data[0].attributes)).toEqual(['title', 'note'])
    const deep = await api.get('/api/notes?populate[articles][populate]=*')
    expect(Object.keys(deep.body.data[0].attributes.articles.data[0].attributes)).toEqual(['title', 'note'])
    for (const path of [
      '/api/articles?filters[budget][$gt]=1',
      '/api/articles?sort=budget',
      '/api/articles?fields=budget',
      '/api/articles?filters[author][id]=1',
      '/api/notes?filters[articles][budget]=10',
      '/api/notes?sort=articles.budget',
      '/api/notes?populate[articles][filters][budget]=10',
      '/api/notes?populate[articles][sort]=budget',
      '/api/notes?populate[articles][fields]=budget',
    ])
      expect(await api.get(path), path).toMatchObject(refusal(400, 'ValidationError'))
    expect((await api.get('/api/articles?_q=10')).body.data).toEqual([])
    const made = await api.post('/api/articles', { body: { data: { title: 'x', budget: 99 } } })
    expect(made.body.data.attributes).toEqual({ title: 'x' })
    const [row] = await site.server.octavo.store.query(
      'select "budget" from "articles" where "title" = \'x\'',
    )
    expect(row).toEqual([null])
  })
})

describe('relations in a body', () => {
  it('S-22: to entries that the caller may not find are refused, whether or not they exist', async () => {
    site = await openSite({
      permissions: { public: [`${articles}.create`, `${articles}.find`, `${articles}.update`] },
    })
    const make = (data: object) => site.api.post('/api/articles', { body: { data: { title: 'x', ...data } } })
    const forms = (id: number) => [{ note: id }, { note: [id] }, { note: { connect: [id] } }, { author: id }]
    for (const [i, hidden] of forms(1).entries()) {
      const answer = await make(hidden)
      expect(answer).toMatchObject(refusal(400, 'ValidationError'))
      expect(answer.text).toBe((await make(forms(999)[i] ?? {})).text)
    }
    const rows = await site.server.octavo.store.query('select 1 from "articles" where "title" = \'x\'')
    expect(rows).toEqual([])
    // A foreign key belongs to its own row, whatever its target.
    expect((await site.api.put('/api/articles/1', { body: { data: { note: null } } })).status).toBe(200)
    const [row] = await site.server.octavo.store.query('select "note_id" from "articles" where "id" = 1')
    expect(row).toEqual([null])
  })
})

describe('an owner who may not find users', () => {
  it('may refer to the own user', async () => {
    const where = { author: { id: '$user.id' } }
    site = await openSite({ permissions: { authenticated: [{ action: `${articles}.create`, where }] } })
    const token = await site.login('bob')
    const make = (author: unknown) =>
      site.api.post('/api/articles', { token, body: { data: { title: 'x', author } } })
    for (const author of [2, '2', [2], { id: 2 }]) expect((await make(author)).status).toBe(200)
    for (const author of [1, 999, { id: 1 }]) expect((await make(author)).status).toBe(400)
    expect((await make(null)).status).toBe(403)
  })
})

describe('an extended user', () => {
  it('is loaded from the schema.json of an existing project, which repeats the own attributes of the plugin', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'octavo-user-'))
    const file = join(folder, 'schema.json')
    const attributes = {
      username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
      password: { type: 'string', minLength: 1 },
      resetPasswordToken: { type: 'string' },
      role: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.role',
        inversedBy: 'users',
      },
      nickname: { type: 'string' },
      vip: { type: 'boolean' },
      favourite: { type: 'relation', relation: 'manyToOne', target: articles },
    }
    await writeFile(file, JSON.stringify({ kind: 'collectionType', collectionName: 'up_users', attributes }))
    site = await openSite({
      user: file,
      register: { allowedFields: ['nickname', 'role', 'confirmed'] },
      permissions: { authenticated: [`${articles}.find`] },
    })
    const body = {
      username: 'carol',
      email: 'carol@example.org',
      password: 'Password123',
      nickname: 'C',
      vip: true,
      role: 2,
      favourite: 1,
    }
    const answer = await site.api.post('/api/auth/local/register', { body })
    expect(answer.body.user).toMatchObject({ nickname: 'C', vip: null })
    const me = await site.api.get('/api/users/me?populate=*', { token: answer.body.jwt })
    expect(me.body.favourite).toBeNull()
    expect(me.text).not.toMatch(/password|Token/)
    await expect(openSite({ user: join(folder, 'none.json') })).rejects.toThrow('none.json')
    await rm(folder, { recursive: true })
  })
})

describe('the check of rights', () => {
  it('adds no statement: a list takes one, and a refused list none', async () => {
    site = await openSite({ permissions: { authenticated: [`${articles}.find`] } })
    const { api, statements } = site
    const token = await site.login('ada')
    const path = '/api/articles?populate=author&filters[budget][$gt]=1'
    await api.get(path, { token })
    statements.length = 0
    for (let i = 0; i < 5; i++) expect((await api.get(path, { token })).status).toBe(200)
    expect(statements).toHaveLength(5)
    statements.length = 0
    for (let i = 0; i < 5; i++) expect((await api.get(path)).status).toBe(403)
    expect(statements).toEqual([])
  })
})

describe('roles', () => {
  it('have only the permissions that are stored, and those in code from the start', async () => {
    const findRoles = 'plugin::users-permissions.role.find'
    site = await openSite({ permissions: { public: [`${articles}.find`, findRoles] } })
    expect((await site.api.get('/api/articles')).status).toBe(200)
    expect(await site.api.get('/api/articles/1')).toMatchObject(refusal(403, 'ForbiddenError'))
    expect(await site.api.get('/api/notes')).toMatchObject(refusal(403, 'ForbiddenError'))
    expect(await site.api.post('/api/articles', { body: { data: {} } })).toMatchObject(
      refusal(403, 'ForbiddenError'),
    )
    // The answer of a registration has the role for those who may find roles, and a login has none.
    const carol = { username: 'carol', email: 'carol@example.org', password: 'Password123' }
    const { body } = await site.api.post('/api/auth/local/register', { body: carol })
    expect(body.user.role).toMatchObject({ id: expect.any(Number), type: 'authenticated' })
    expect(Object.keys(body.user.role)).not.toContain('users')
    const login = await site.api.post('/api/auth/local', {
      body: { identifier: 'carol', password: 'Password123' },
    })
    expect(login.body.user).not.toHaveProperty('role')
  })

  it('are created, changed and deleted, with immediate effect', async () => {
    const rolesRights = ['find', 'findOne', 'createRole', 'updateRole', 'deleteRole'].map(
      (name) => `plugin::users-permissions.role.${name}`,
    )
    site = await openSite({ permissions: { authenticated: [...rolesRights, ...usersRights] } })
    const { api } = site
    const token = await site.login('ada')
    const tree = (enabled: boolean) => ({
      'api::article': { controllers: { article: { find: { enabled } } } },
    })
    const made = await api.post('/api/users-permissions/roles', {
      token,
      body: { name: 'Editor', description: 'edits', permissions: tree(true) },
    })
    expect(made).toMatchObject({ status: 200, body: { ok: true } })
    const { body } = await api.get('/api/users-permissions/roles', { token })
    const editor = body.roles.find((role: { type: string }) => role.type === 'editor')
    const user = { username: 'eddie', email: 'eddie@example.org', password: 'Password123', role: editor.id }
    await api.post('/api/users', { token, body: user })
    const eddie = await site.login('eddie')
    expect((await api.get('/api/articles', { token: eddie })).status).toBe(200)
    const one = await api.get(`/api/users-permissions/roles/${editor.id}`, { token })
    expect(one.body.role.permissions['api::article'].controllers.article).toMatchObject({
      find: { enabled: true, policy: '' },
      create: { enabled: false },
    })

    await api.put(`/api/users-permissions/roles/${editor.id}`, { token, body: { permissions: tree(false) } })
    expect((await api.get('/api/articles', { token: eddie })).status).toBe(403)

    expect((await api.delete(`/api/users-permissions/roles/${editor.id}`, { token })).status).toBe(200)
    expect((await api.get('/api/articles', { token: eddie })).status).toBe(401)
    expect(await api.delete('/api/users-permissions/roles/2', { token })).toMatchObject(
      refusal(400, 'ApplicationError'),
    )
    expect(await api.get('/api/users-permissions/roles/99', { token })).toMatchObject(
      refusal(404, 'NotFoundError'),
    )
  })

  it('have a type that follows from the name, with plain letters and the digits apart', async () => {
    const rights = ['find', 'createRole'].map((name) => `plugin::users-permissions.role.${name}`)
    site = await openSite({ permissions: { authenticated: rights } })
    const { api } = site
    const token = await site.login('ada')
    for (const name of ['Éditeur en chef', "Editor's Team2", '編集者'])
      expect((await api.post('/api/users-permissions/roles', { token, body: { name } })).status).toBe(200)
    const { body } = await api.get('/api/users-permissions/roles', { token })
    const types = body.roles.slice(2).map((role: { type: string }) => role.type)
    expect(types).toEqual(['editeur_en_chef', 'editors_team_2', '編集者'])
  })

  it('of a user cannot be removed, and a new user has one and is local', async () => {
    site = await openSite({ permissions: { authenticated: usersRights } })
    const { api } = site
    const token = await site.login('ada')
    const refused = { status: 400, body: { error: { details: { errors: [{ path: ['role'] }] } } } }
    const eve = { username: 'eve', email: 'eve@example.org', password: 'Password123' }
    for (const role of [undefined, null, [], {}, { connect: [] }, { set: [] }])
      expect(await api.post('/api/users', { token, body: { ...eve, role } }), `${role}`).toMatchObject(
        refused,
      )
    const made = await api.post('/api/users', { token, body: { ...eve, role: 1, provider: 'github' } })
    expect(made).toMatchObject({ status: 201, body: { provider: 'local' } })
    const put = (role: unknown) => api.put(`/api/users/${made.body.id}`, { token, body: { role } })
    for (const role of [null, [], { set: [] }, { connect: [], disconnect: [{ id: 1 }] }])
      expect(await put(role), JSON.stringify(role)).toMatchObject(refused)
    for (const role of [{}, { connect: [], disconnect: [] }, '1', { set: [1] }])
      expect((await put(role)).status, JSON.stringify(role)).toBe(200)
    const moved = await put({ connect: [{ id: 2 }], disconnect: [{ id: 1 }] })
    expect(moved.status).toBe(200)
  })

  it('S-38: have actions that exist only, and announce all of them at once', async () => {
    const rights = ['role.createRole', 'role.updateRole', 'permissions.getPermissions']
    const permissionsOfRole = { authenticated: rights.map((name) => `plugin::users-permissions.${name}`) }
    let announcements = 0
    const counter = definePlugin({
      name: 'counter',
      setup: (host) =>
        host.hook('entry:afterCreate', ({ entries }) => {
          if (Object.hasOwn(entries, 'counted')) return
          const { run } = entries
          Object.assign(entries, {
            counted: true,
            run: (statement: Parameters<typeof run>[0]) => {
              announcements += 1
              return run(statement)
            },
          })
        }),
    })
    site = await openSite({}, { plugins: [counter, usersPermissions({ permissions: permissionsOfRole })] })
    const { api } = site
    const token = await site.login('ada')
    const roles = (body: object) => api.post('/api/users-permissions/roles', { token, body })
    const invented = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`a${i}`, { enabled: true }]),
    )
    const refused = await roles({ name: 'Mole', permissions: { 'api::x': { controllers: { x: invented } } } })
    const { errors } = refused.body.error.details
    expect([refused.status, errors.length, errors[0].message, errors.at(-1).message]).toEqual([
      400,
      11,
      '"api::x.x.a0" is no action',
      '9990 more names are no actions',
    ])
    // A role keeps an action whose content-type was removed.
    await importData(site.server.octavo, {
      roles: [{ id: 9, type: 'old', name: 'Old', permissions: ['api::gone.gone.find'] }],
    })
    const gone = (name: string) => ({
      permissions: { 'api::gone': { controllers: { gone: { [name]: { enabled: true } } } } },
    })
    const changed = (body: object) => api.put('/api/users-permissions/roles/9', { token, body })
    // The server is notified of an import, which takes a moment.
    await vi.waitFor(async () => expect((await changed(gone('find'))).status).toBe(200), 25_000)
    expect((await changed(gone('create'))).status).toBe(400)

    const { permissions } = (await api.get('/api/users-permissions/permissions', { token })).body
    const tree = JSON.parse(JSON.stringify(permissions).replaceAll('"enabled":false', '"enabled":true'))
    announcements = 0
    site.statements.length = 0
    expect((await roles({ name: 'All', permissions: tree })).status).toBe(200)
    expect((await api.get('/api/articles', { token })).status).toBe(403)
    expect(announcements).toBe(1)
    // There are more than 30 actions; the roles are read once or twice after the change.
    expect(site.statements.length).toBeLessThan(12)
  })

  it('are named in a warning at start when none has a permission for content', async () => {
    const warnings: string[] = []
    const warn = (_: object, message: string) => void warnings.push(message)
    const logger = { ...silentLogger, warn, child: () => ({ ...silentLogger, warn }) }
    site = await openSite({}, { logger })
    expect(warnings.filter((text) => text.includes("public: ['api::article.article.find']"))).toHaveLength(1)
    await site.close()
    warnings.length = 0
    site = await openSite({ permissions: { public: [`${articles}.find`] } }, { logger })
    expect(warnings).toEqual([])
  })

  it('apply to programs, unless they are unrestricted; that a plugin bypasses them is logged at start, with the reason', async () => {
    const lines: { readonly unrestricted?: readonly string[] }[] = []
    const logger = { ...silentLogger, info: (facts: object) => void lines.push(facts) }
    site = await openSite({}, { logger })
    expect(lines.flatMap((line) => line.unrestricted ?? [])).toEqual([
      expect.stringMatching(/^users-permissions: .*checked$/),
    ])
    const { octavo } = site.server
    await expect(octavo.entries('article').find()).rejects.toMatchObject({ status: 403 })
    const { data } = await octavo.entries('article', unrestricted('a test')).find()
    expect(data).toHaveLength(2)
    expect(() => unrestricted(' ')).toThrow('reason')
  })

  it('GET /api/users returns all users without a limit, regardless of the maximum page size of content', async () => {
    site = await openSite({ permissions: { authenticated: usersRights } }, { api: { rest: { maxLimit: 3 } } })
    const token = await site.login('ada')
    await site.server.octavo.store.query(
      `insert into "up_users" ("username", "email", "role_id") select 'u' || n, 'u' || n || '@example.org', 1 from generate_series(1, 200) n`,
    )
    const count = async (query: string) => (await site.api.get(`/api/users?${query}`, { token })).body.length
    expect([
      await count(''),
      await count('limit=150'),
      await count('start=199'),
      await count('limit=2'),
    ]).toEqual([202, 150, 3, 2])
    await site.server.octavo.store.query(
      `insert into "up_users" ("username", "email", "role_id") select 'v' || n, 'v' || n || '@example.org', 1 from generate_series(1, 9799) n`,
    )
    expect(await site.api.get('/api/users', { token })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('10000') } },
    })
    expect(await count('limit=100000')).toBe(10_000)
  })
})

describe('polymorphic relations', () => {
  const type = (singularName: string, attributes: ContentTypeDefinition['attributes']) =>
    ({ kind: 'collectionType', info: { singularName, pluralName: `${singularName}s` }, attributes }) as const
  const contentTypes = [
    type('article', {
      title: { type: 'string' },
      comments: {
        type: 'relation',
        relation: 'morphMany',
        target: 'api::comment.comment',
        morphBy: 'subject',
      },
    }),
    type('comment', { text: { type: 'string' }, subject: { type: 'relation', relation: 'morphToOne' } }),
  ]

  it('S-05: do not populate entries that the caller may not find, and writes do not reveal them', async () => {
    const permissions = {
      public: ['api::comment.comment.find', 'api::comment.comment.create', `${articles}.findOne`],
    }
    site = await openSite({ permissions }, { contentTypes }, undefined, true)
    const state = unrestricted('a test')
    const entries = (name: string) => site.server.octavo.entries(name, state)
    const { id } = await entries('article').create({ title: 'hidden' })
    await entries('comment').create({ text: 'mine', subject: { id, type: articles } })
    // Comments may be found, so they are populated in the article.
    const read = async () => (await site.api.get(`/api/articles/${id}?populate=comments`)).body
    expect((await read()).data.attributes.comments.data).toHaveLength(1)
    const write = async (other: number) => {
      const { status, body } = await site.api.post('/api/comments', {
        body: { data: { text: 'x', subject: { id: other, type: articles } } },
      })
      return [status, body.error?.message]
    }
    // Articles may not be found: the responses do not depend on their existence.
    const refused = [400, expect.stringMatching(/^1 relation.* do not exist$/)]
    expect([await write(id), await write(999)]).toEqual([refused, refused])
    expect((await read()).data.attributes.comments.data).toHaveLength(1)
    await site.close()

    site = await openSite(
      { permissions: { public: [`${articles}.find`] } },
      { contentTypes },
      undefined,
      true,
    )
    await site.server.octavo.entries('article', state).create({ title: 'open' })
    expect((await site.api.get('/api/articles?populate=*')).text).toBe(
      (await site.api.get('/api/articles')).text,
    )
  })
})

describe('API tokens', () => {
  it('grant reading, everything, or the listed actions, until they expire', async () => {
    site = await openSite()
    const { api } = site
    const { store } = site.server.octavo
    const tokens = apiTokensOf(site.server.octavo)
    const asks = async (token: string) => [
      (await api.get('/api/articles', { token })).status,
      (await api.post('/api/articles', { token, body: { data: { title: 'x' } } })).status,
      (await api.get('/api/notes', { token })).status,
    ]
    const full = await tokens.create({ name: 'full', access: 'full' })
    expect(await asks(await tokens.create({ name: 'site', access: 'read-only' }))).toEqual([200, 403, 200])
    expect(await asks(full)).toEqual([200, 200, 200])
    expect(await asks(await tokens.create({ name: 'one', access: [`${articles}.find`] }))).toEqual([
      200, 403, 403,
    ])
    const over = await tokens.create({
      name: 'over',
      access: 'full',
      expiresAt: new Date(Date.now() - 60_000),
    })
    expect(await asks(over)).toEqual([401, 401, 401])
    expect(await asks('octavo_guess')).toEqual([401, 401, 401])

    const rows = await store.query('select "hash" from "octavo_api_tokens"')
    expect(JSON.stringify(rows)).not.toContain(full.slice(7))
    const listed = await tokens.list()
    expect(listed.find(({ name }) => name === 'full')?.lastUsedAt).toMatch(/^\d{4}-/)
    expect(listed.find(({ name }) => name === 'over')?.lastUsedAt).toBeNull()
  })
})

describe('the secret', () => {
  it('S-44: is required in production, with a minimum length, and is no placeholder', async () => {
    const jwt = { secret: 'k3Jw-9fQ2mZr7Tq0bXv5Ys8Lc1Nd4Hg6' }
    const database = await createTestDatabase()
    const start = (options = {}) =>
      createServer({ plugins: [usersPermissions(options)], database: database.url })
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = 'production'
    try {
      await expect(start()).rejects.toThrow('OCTAVO_JWT_SECRET')
      await expect(start({ jwt: { secret: 'short' } })).rejects.toThrow('it needs 32')
      for (const secret of [
        'changeme-changeme-changeme-changeme',
        'CHANGE_ME_TO_SOMETHING_RANDOM_AND_LONG',
        'tobemodified-tobemodified-tobemodified',
        'please change this secret in production',
        'x'.repeat(40),
      ]) {
        await expect(start({ jwt: { secret } }), secret).rejects.toThrow('placeholder')
        await expect(start({ jwt, apiTokenSalt: secret }), secret).rejects.toThrow('placeholder')
      }
      const server = await start({ jwt })
      await server.close()
      // As create-strapi-app writes it: 16 random bytes.
      vi.stubEnv('JWT_SECRET', 'c3VyZWx5IDE2IGJ5dGVzIQ==')
      await (await start()).close()
      await (await start({ jwt: { secret: 'c3VyZWx5IDE2IGJ5dGVzIQ==' } })).close()
      vi.stubEnv('JWT_SECRET', 'c3VyZWx5')
      await expect(start()).rejects.toThrow(
        'the environment variable JWT_SECRET, has 8 characters; it needs 20',
      )
      await expect(start({ jwt: { secret: 'short' } })).rejects.toThrow('openssl rand -hex 32')
    } finally {
      vi.unstubAllEnvs()
      process.env.NODE_ENV = NODE_ENV
      await database.drop()
    }
  })

  it('may be a pair of keys', async () => {
    const { generateKeyPair, exportPKCS8, exportSPKI } = await import('jose')
    const database = await createTestDatabase()
    // One for all, which the first start fills. A database in memory ends with its server.
    const shared = database.engine === 'pglite' ? undefined : database
    if (shared) await (await openSite({}, { database: shared.url })).close()
    for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
      const keys = {
        algorithm,
        privateKey: await exportPKCS8(privateKey),
        publicKey: await exportSPKI(publicKey),
      }
      site = await openSite({ jwt: { keys } }, {}, shared)
      const token = await site.login('ada')
      expect(
        (await createClient((await site.server.listen(0, '127.0.0.1')).url).get('/api/users/me', { token }))
          .body.username,
      ).toBe('ada')
      await site.close()
    }
    await database.drop()
  })
})

describe.skipIf(process.env.OCTAVO_TEST_ENGINE === 'pglite')('another process on the same database', () => {
  it('is notified of a block, a changed role and a revoked token', async () => {
    const database = await createTestDatabase()
    const rights = [...usersRights, 'plugin::users-permissions.role.updateRole']
    const options = {
      permissions: { authenticated: rights },
      jwt: { secret: 'shared by both of the processes!' },
    }
    site = await openSite(options, { database: database.url })
    const other = await openSite(options, {}, database)
    const statusOf = (path: string, token?: string) =>
      other.api.get(path, { token }).then(({ status }) => status)
    const soon = { timeout: 60_000, interval: 20 }
    try {
      const [ada, bob] = [await site.login('ada'), await site.login('bob')]
      const { store } = site.server.octavo
      const tokens = apiTokensOf(site.server.octavo)
      const api = await tokens.create({ name: 'site', access: 'full' })
      expect([
        await statusOf('/api/users/me', bob),
        await statusOf('/api/articles'),
        await statusOf('/api/articles', api),
      ]).toEqual([200, 403, 200])

      await site.server.octavo.entries('user', unrestricted('blocks a user')).update(2, { blocked: true })
      await vi.waitFor(async () => expect(await statusOf('/api/users/me', bob)).toBe(401), soon)

      const permissions = { 'api::article': { controllers: { article: { find: { enabled: true } } } } }
      await site.api.put('/api/users-permissions/roles/2', { token: ada, body: { permissions } })
      await vi.waitFor(async () => expect(await statusOf('/api/articles')).toBe(200), soon)

      await tokens.revoke(1)
      await vi.waitFor(async () => expect(await statusOf('/api/articles', api)).toBe(401), soon)

      // After the listening connection breaks, missed changes are applied.
      await store.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'octavo-listen' and datname = current_database()",
      )
      await site.api.put('/api/users-permissions/roles/2', {
        token: ada,
        body: { permissions: { 'api::article': { controllers: {} } } },
      })
      await vi.waitFor(async () => expect(await statusOf('/api/articles')).toBe(403), {
        timeout: 60_000,
        interval: 50,
      })
    } finally {
      await other.close()
      await database.drop()
    }
  })
})
