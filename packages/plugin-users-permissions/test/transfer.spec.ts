import { exportData, importData } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let sites: Site[] = []
afterEach(async () => {
  for (const site of sites) await site.close()
  sites = []
})
const open = async (empty = false) => {
  const site = await openSite(
    { user: { attributes: { nickname: { type: 'string' } } } },
    {},
    undefined,
    empty,
  )
  sites.push(site)
  return site
}

async function exported({ server }: Site): Promise<string> {
  const pieces: string[] = []
  await exportData(server.octavo, (piece) => pieces.push(piece))
  return pieces.join('')
}

describe('import and export', () => {
  it('imports users with plain-text passwords, and roles by their type', async () => {
    const site = await open(true)
    const { octavo } = site.server
    await importData(octavo, {
      roles: [
        {
          id: 7,
          name: 'Public',
          type: 'public',
          permissions: ['api::article.article.find', 'plugin::users-permissions.auth.callback'],
        },
        { id: 2, name: 'Editor', type: 'editor', permissions: ['plugin::users-permissions.user.me'] },
        { id: 1, name: 'Authenticated', type: 'authenticated', permissions: [] },
      ],
      users: [{ id: 5, username: 'eva', email: 'Eva@Example.org', password: 'Password123', role: 'editor' }],
    } as never)
    const token = await site.login('eva@example.org')
    const { body } = await site.api.get('/api/users/me', { token })
    expect(body).toMatchObject({ id: 5, username: 'eva', email: 'eva@example.org', provider: 'local' })
    expect((await site.api.get('/api/articles')).status).toBe(200)
    const rows = await octavo.store.query('select "id"::text, "type" from "up_roles" order by "id"')
    expect(rows).toEqual([
      ['1', 'authenticated'],
      ['2', 'editor'],
      ['7', 'public'],
    ])
  })

  it('moves the ids first: who registers while an import runs gets an id that is not in the file', async () => {
    const site = await open(true)
    const users = [
      { id: 50, username: 'fine', email: 'fine@example.org' },
      { id: 40, username: 'odd', email: 'no address' },
    ]
    // A sequence keeps its position when a transaction is undone.
    await expect(importData(site.server.octavo, { users } as never)).rejects.toThrow('users[1].email')
    const [[next] = []] = await site.server.octavo.store.query(
      `select nextval(pg_get_serial_sequence('up_users', 'id'))::text`,
    )
    expect(next).toBe('51')
  })

  it('names the invalid user, and imports nothing', async () => {
    const site = await open(true)
    const users = [
      { id: 1, username: 'fine', email: 'fine@example.org' },
      { id: 2, username: 'odd', email: 'odd@example.org', role: 'nobody' },
    ]
    await expect(importData(site.server.octavo, { users } as never)).rejects.toThrow('users[1].role')
    expect(await site.server.octavo.store.query('select "id" from "up_users"')).toEqual([])
  })

  it.each<[object, string]>([
    [{ username: 'a\0b' }, 'users[0].username: expected text without NUL characters, not "a\\u0000b".'],
    [{ username: 'a\ud800' }, 'users[0].username: expected well-formed Unicode text, not "a\\ud800".'],
    [{ confirmed: 1 }, 'users[0].confirmed must be true or false.'],
    [{ blocked: 'true' }, 'users[0].blocked must be true or false.'],
  ])('refuses a user with a value that would be another one: %j', async (values, mistake) => {
    const site = await open(true)
    const users = [{ id: 1, username: 'eva', email: 'eva@example.org', ...values }]
    await expect(importData(site.server.octavo, { users } as never)).rejects.toThrow(
      `Nothing was imported: ${mistake}`,
    )
  })

  it('does not write one user or token over another with the same id', async () => {
    const site = await open(true)
    const { octavo } = site.server
    const eva = { id: 1, username: 'eva', email: 'eva@example.org' }
    const tom = { id: 1, username: 'tom', email: 'tom@example.org' }
    await importData(octavo, { users: [eva] } as never)
    await expect(importData(octavo, { users: [tom] } as never)).rejects.toThrow(
      'Nothing was imported: users[0]: the id 1 is that of the user "eva".',
    )
    // Her new name is hers, by the same address.
    await importData(octavo, { users: [{ ...eva, username: 'evangeline' }] } as never)
    expect(await octavo.store.query('select "username", "email" from "up_users"')).toEqual([
      ['evangeline', 'eva@example.org'],
    ])
    const tokens = ['a', 'b'].map((digit) => ({ id: 1, name: digit, hash: digit.repeat(64), access: 'full' }))
    await expect(importData(octavo, { apiTokens: tokens } as never)).rejects.toThrow(
      'Nothing was imported: apiTokens[1] (id 1): apiTokens[0] has the same id.',
    )
    const [token, other] = tokens
    await importData(octavo, { apiTokens: [token] } as never)
    await expect(importData(octavo, { apiTokens: [other] } as never)).rejects.toThrow(
      'Nothing was imported: apiTokens[0]: the id 1 is that of the token "a".',
    )
  })

  it('does not lose one of two roles or users of a file', async () => {
    const site = await open(true)
    const { octavo } = site.server
    const role = { id: 7, name: 'Editor', type: 'editor' }
    const eva = { id: 5, username: 'eva', email: 'eva@example.org' }
    for (const [file, mistake] of [
      [{ roles: [role, { ...role, type: 'other' }] }, 'roles[1] (id 7): roles[0] has the same id.'],
      [
        { roles: [role, { ...role, id: 8 }] },
        'roles[1].type: roles[0] is the role of the type "editor", and there is one.',
      ],
      [{ users: [eva, { ...eva, username: 'evangeline' }] }, 'users[1] (id 5): users[0] has the same id.'],
    ] as const)
      await expect(importData(octavo, file as never)).rejects.toThrow(`Nothing was imported: ${mistake}`)
    // The order of the sections is that of their plugins.
    await importData(octavo, { users: [{ ...eva, role: 'editor' }], roles: [role] } as never)
    expect(await octavo.store.query('select "id", "role_id" from "up_users"')).toEqual([['5', '7']])
  })

  it.each(['evrything', ['full'], ['read-only'], ['api::a.a.find api::b.b.find'], 7])(
    'refuses a token whose access would become another one: %j',
    async (access) => {
      const site = await open(true)
      const apiTokens = [{ id: 1, name: 'a', hash: 'a'.repeat(64), access }]
      await expect(importData(site.server.octavo, { apiTokens } as never)).rejects.toThrow(
        'Nothing was imported: apiTokens[0].access must be read-only, full or a list of actions.',
      )
    },
  )

  it('copies a token that allows nothing', async () => {
    const site = await open(true)
    const apiTokens = [{ id: 1, name: 'a', hash: 'a'.repeat(64), access: [], expiresAt: null }]
    await importData(site.server.octavo, { apiTokens } as never)
    expect(JSON.parse(await exported(site)).apiTokens).toEqual(apiTokens)
  })

  it('gives the id of a deleted user to no other one, whose account its token would open', async () => {
    const site = await open(true)
    const { octavo } = site.server
    const role = 'authenticated'
    const eva = { id: 5, username: 'eva', email: 'eva@example.org', password: 'Password123', role }
    await importData(octavo, { users: [eva] } as never)
    const token = await site.login('eva@example.org')
    await octavo.store.query('delete from "up_users" where "id" = 5')
    await importData(octavo, { users: [] } as never)
    const tom = { username: 'tom', email: 'tom@example.org', password: 'Password123' }
    const { body } = await site.api.post('/api/auth/local/register', { body: tom })
    expect(body).toMatchObject({ user: { id: 6, username: 'tom' } })
    expect((await site.api.get('/api/users/me', { token })).status).toBe(401)
  })

  it('copies all data, with the attributes that a project added, in both directions', async () => {
    const from = await open()
    await from.server.octavo.store.query(`update "up_users" set "nickname" = 'Countess' where "id" = 1`)
    const text = await exported(from)
    const to = await open(true)
    await importData(to.server.octavo, JSON.parse(text))
    await to.login('ada')
    const [row] = await to.server.octavo.store.query(
      'select "nickname", "role_id"::text from "up_users" where "id" = 1',
    )
    expect(row).toEqual(['Countess', '1'])
    const again = await exported(to)
    // Tokens of the original are invalid in the copy.
    expect(again.replaceAll(/"tokenVersion":\d+/g, '')).toBe(text.replaceAll(/"tokenVersion":\d+/g, ''))
  })
})

describe('attributes that a project adds to users', () => {
  it('are imported from the section users, and omitted keys are counted and named', async () => {
    const site = await openSite(
      {
        user: {
          attributes: {
            nickname: { type: 'string' },
            favourites: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
          },
        },
      },
      {},
      undefined,
      true,
    )
    sites.push(site)
    const { octavo } = site.server
    const users = [
      { id: 5, username: 'eva', email: 'eva@example.org', nickname: 'E', shoeSize: 40, favourites: [3, 4] },
      { id: 6, username: 'tom', email: 'tom@example.org', shoeSize: null },
      { id: 7, username: 'zoe', email: 'zoe@example.org', nickname: 'Z', shoeSize: 41 },
    ]
    const { leftOut } = await importData(octavo, {
      users,
      roles: [{ id: 9, name: 'Editor', type: 'editor', permissions: [], colour: 'red' }],
      entries: {
        'api::article.article': [
          { id: 3, title: 'Hers' },
          { id: 4, title: 'His' },
        ],
      },
    })
    expect(leftOut).toEqual({ '"shoeSize" in section users': 2, '"colour" in section roles': 1 })
    const rows = await octavo.store.query(
      `select "id"::text, "username", "nickname", (select count(*)::text from "up_users_favourites_links" l where l."owner_id" = u."id")
       from "up_users" u order by "id"`,
    )
    expect(rows).toEqual([
      ['5', 'eva', 'E', '2'],
      ['6', 'tom', null, '0'],
      ['7', 'zoe', 'Z', '0'],
    ])
  })
})
