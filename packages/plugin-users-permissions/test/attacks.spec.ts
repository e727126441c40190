import { createHmac } from 'node:crypto'
import { hash } from '@node-rs/bcrypt'
import { unrestricted } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, next, openSite, refusal, type Site, usersRights, work } from './site.ts'

const secret = 'a secret that only the tests know, of 32 and more'
const everyArticle = all('api::article.article')
let site: Site
let token: string

beforeAll(async () => {
  site = await openSite({
    jwt: { secret },
    permissions: {
      public: ['api::article.article.find', 'api::article.article.findOne'],
      authenticated: [...everyArticle, ...usersRights, 'plugin::users-permissions.role.find'],
    },
  })
  token = await site.login('ada')
})
afterAll(() => site?.close())

const get = (path: string, as: string | undefined = token) => site.api.get(path, { token: as })

describe('secrets in queries', () => {
  it.each([
    'password[$startsWith]=$2',
    'password[$startsWith]=zzz',
    'resetPasswordToken[$notNull]=true',
    'role[type]=authenticated',
    'where[password][$startsWith]=$2',
    'username=ada',
    'pagination[limit]=1',
    'sort=password',
    'lookup[password][$startsWith]=$2',
  ])('S-01: GET /api/users/count?%s changes nothing', async (query) => {
    expect(await get(`/api/users/count?${query}`)).toMatchObject({ status: 200, body: 2 })
  })

  it('S-01: GET /api/users/count?filters[username]=ada filters like other lists', async () => {
    expect((await get('/api/users/count?filters[username]=ada')).body).toBe(1)
    for (const name of [
      'password',
      'resetPasswordToken',
      'confirmationToken',
      'tokenVersion',
      'resetPasswordExpires',
    ])
      expect(await get(`/api/users/count?filters[${name}][$notNull]=true`), name).toMatchObject(
        refusal(400, 'ValidationError'),
      )
  })

  const hidden = [
    'password',
    'resetPasswordToken',
    'confirmationToken',
    'tokenVersion',
    'resetPasswordExpires',
  ]
  const through = ['', 'author', 'author.role.users', 'note.articles.author']
  const places = through.flatMap((path) => hidden.map((name) => [path, name] as const))

  it.each(places)(
    'S-04: filters and sort through "%s" on %s are 400, without its name in the message',
    async (path, name) => {
      const root = path === '' ? '/api/users' : '/api/articles'
      const steps = [...path.split('.').filter(Boolean), name]
      const brackets = steps.map((step) => `[${step}]`).join('')
      for (const query of [
        `filters${brackets}[$startsWith]=$2`,
        `filters[$or][0]${brackets}[$null]=true`,
        `filters[$not]${brackets}[$notNull]=true`,
        `sort=${steps.join('.')}`,
        `sort${brackets}=desc`,
      ])
        expect(await get(`${root}?${query}`), query).toMatchObject(refusal(400, 'ValidationError'))
    },
  )

  it.each(hidden)('S-04: fields=%s, populate with it, and _q over it reveal nothing', async (name) => {
    expect(await get(`/api/users?fields=${name}`)).toMatchObject(refusal(400, 'ValidationError'))
    expect(await get(`/api/articles?populate[author][fields]=${name}`)).toMatchObject(
      refusal(400, 'ValidationError'),
    )
    expect(await get(`/api/articles?populate[author][sort]=${name}`)).toMatchObject(
      refusal(400, 'ValidationError'),
    )
    expect(await get(`/api/articles?populate[author][filters][${name}][$null]=true`)).toMatchObject(
      refusal(400, 'ValidationError'),
    )
  })

  it('S-04: _q=$2 finds no user by a hash, and no article by the hash of its author', async () => {
    expect((await get('/api/users?_q=$2')).body).toEqual([])
    expect((await get('/api/articles?_q=$2')).body.data).toEqual([])
  })

  it.each([
    '/api/articles?populate=*',
    '/api/articles?populate=author.role',
    '/api/articles?populate[author][populate]=*',
    '/api/users?populate=*',
    '/api/users/me?populate=*',
    '/api/users/1?populate[role][populate]=*',
  ])('S-05: GET %s shows users by an allow-list alone', async (path) => {
    const { status, text } = await get(path)
    expect(status).toBe(200)
    expect(text).toContain('ada')
    expect(text).not.toMatch(/\$2[aby]\$|password|Token|token|"users"|"permissions"|Expires/)
  })

  it('S-05: the public role, which may not find users, gets none and cannot filter by them', async () => {
    const plain = await get('/api/articles', '')
    expect((await get('/api/articles?populate=*', '')).text).toBe(plain.text)
    expect((await get('/api/articles?populate[author][populate]=role&populate[note]=true', '')).text).toBe(
      plain.text,
    )
    for (const query of [
      'filters[author][username]=ada',
      'filters[author]=1',
      'sort=author.username',
      'filters[note][text][$notNull]=true',
    ])
      expect(await get(`/api/articles?${query}`, ''), query).toMatchObject(refusal(400, 'ValidationError'))
  })
})

describe('mass assignment', () => {
  const evil = {
    id: 77,
    role: 2,
    provider: 'github',
    confirmed: false,
    blocked: true,
    isVip: true,
    resetPasswordToken: 'mine',
    resetPasswordExpires: '2099-01-01T00:00:00Z',
    confirmationToken: 'mine',
    tokenVersion: 99,
    createdAt: '1999-01-01T00:00:00Z',
  }

  it('S-06: POST /api/auth/local/register {"role":1,"confirmed":false,...} writes name, address and password only', async () => {
    const { status, body } = await site.api.post('/api/auth/local/register', {
      body: { username: 'carol', email: 'Carol@Example.org', password: 'Password123', ...evil },
    })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      username: 'carol',
      email: 'carol@example.org',
      provider: 'local',
      confirmed: true,
      blocked: false,
    })
    expect(body.user.id).not.toBe(77)
    expect(body.user).not.toHaveProperty('role')
    const stored = await storedUser(body.user.id)
    expect(stored).toEqual(['authenticated', null, null, null, '0'])
    expect((await get('/api/users/me', body.jwt)).status).toBe(200)
  })

  it('S-06: PUT /api/users/:id sets no token, for any caller', async () => {
    const { body } = await site.api.post('/api/users', {
      token,
      body: { username: 'dave', email: 'dave@example.org', password: 'Password123', ...evil, role: 1 },
    })
    expect(await storedUser(body.id)).toEqual(['authenticated', null, null, null, '0'])
    const { status } = await site.api.put(`/api/users/${body.id}`, {
      token,
      body: { ...evil, role: undefined, blocked: undefined },
    })
    expect(status).toBe(200)
    const [, ...tokens] = await storedUser(body.id)
    expect(tokens.slice(0, 3)).toEqual([null, null, null])
  })

  const storedUser = async (id: number) => {
    const [row] = await site.server.octavo.store.query(
      'select r."type", u."reset_password_token", u."reset_password_expires", u."confirmation_token", u."token_version"::text from "up_users" u join "up_roles" r on r."id" = u."role_id" where u."id" = $1::int8',
      [id],
    )
    return row as readonly (string | null)[]
  }
})

describe('types of body values', () => {
  const instead = [{ $gt: 0 }, {}, ['x'], 7, true, { $ne: null }]
  const routes: readonly (readonly [string, string, Record<string, string>])[] = [
    [
      '/api/auth/reset-password',
      'code',
      { code: 'x', password: 'Password1', passwordConfirmation: 'Password1' },
    ],
    [
      '/api/auth/reset-password',
      'password',
      { code: 'x', password: 'Password1', passwordConfirmation: 'Password1' },
    ],
    ['/api/auth/local', 'identifier', { identifier: 'ada', password: 'Password123' }],
    ['/api/auth/local', 'password', { identifier: 'ada', password: 'Password123' }],
    ['/api/auth/forgot-password', 'email', { email: 'ada@example.org' }],
    ['/api/auth/send-email-confirmation', 'email', { email: 'ada@example.org' }],
    [
      '/api/auth/local/register',
      'username',
      { username: 'erin', email: 'erin@example.org', password: 'Password123' },
    ],
    [
      '/api/auth/local/register',
      'email',
      { username: 'erin', email: 'erin@example.org', password: 'Password123' },
    ],
  ]
  it.each(routes)('S-07: POST %s with an object, list or number for %s is 400', async (path, name, body) => {
    for (const value of instead)
      expect(await site.api.post(path, { body: { ...body, [name]: value } })).toMatchObject({
        status: 400,
        body: { error: { name: 'ValidationError', details: { errors: [{ path: [name] }] } } },
      })
  })

  it.each([
    { username: 'a\0b' },
    { email: 'a\0b@example.org' },
    { email: 'a\u0007b@example.org' },
    { email: 'ab@exam\u00adple.org' },
    { email: 'ab@example.\u202eorg' },
    { email: 'a\u200bb@example.org' },
  ])(
    'S-07: a user with the control or invisible character of %j is 400, at the routes of users and for programs',
    async (wrong) => {
      const whole = {
        username: 'erin',
        email: 'erin@example.org',
        password: 'Password123',
        role: 1,
        ...wrong,
      }
      const expected = {
        status: 400,
        body: { error: { name: 'ValidationError', details: { errors: [{ path: Object.keys(wrong) }] } } },
      }
      expect(await site.api.post('/api/users', { token, body: whole })).toMatchObject(expected)
      expect(await site.api.put('/api/users/2', { token, body: wrong })).toMatchObject(expected)
      const users = site.server.octavo.entries('user', unrestricted('a test'))
      await expect(users.create(whole)).rejects.toMatchObject({ status: 400 })
    },
  )

  it('S-07: GET /api/auth/email-confirmation?confirmation[$gt]=0 is 400', async () => {
    for (const query of ['confirmation[$gt]=0', 'confirmation=a&confirmation=b', ''])
      expect(await site.api.get(`/api/auth/email-confirmation?${query}`)).toMatchObject(
        refusal(400, 'ValidationError'),
      )
  })
})

describe('tokens', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = { id: 1, v: 0, iss: 'octavo', iat: now, exp: now + 3600 }
  const signed = (header: object, payload: object, key = secret, digest = 'sha256') => {
    const text = `${part(header)}.${part(payload)}`
    return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`
  }

  it('S-08: a valid token of the same form is accepted', async () => {
    expect((await get('/api/users/me', signed({ alg: 'HS256', typ: 'JWT' }, claims))).status).toBe(200)
  })

  it.each([
    ['alg none', `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`],
    ['alg NoNe with a signature', signed({ alg: 'NoNe' }, claims)],
    ['another algorithm', signed({ alg: 'HS512' }, claims, secret, 'sha512')],
    ['a foreign signature', signed({ alg: 'HS256' }, claims, 'somebody else has this secret of theirs')],
    ['a public key for a secret', signed({ alg: 'RS256' }, claims)],
    ['an expired token', signed({ alg: 'HS256' }, { ...claims, exp: now - 1 })],
    ['a token without an end', signed({ alg: 'HS256' }, { id: 1, v: 0, iss: 'octavo', iat: now })],
    ['another issuer', signed({ alg: 'HS256' }, { ...claims, iss: 'elsewhere' })],
    ['an id that is a text', signed({ alg: 'HS256' }, { ...claims, id: '1' })],
    ['an id that is an object', signed({ alg: 'HS256' }, { ...claims, id: { $gt: 0 } })],
    ['an id that is a fraction', signed({ alg: 'HS256' }, { ...claims, id: 1.5 })],
    ['an id beyond all ids', signed({ alg: 'HS256' }, { ...claims, id: 2 ** 53 })],
    ['a negative id', signed({ alg: 'HS256' }, { ...claims, id: -1 })],
    ['a version that is a fraction', signed({ alg: 'HS256' }, { ...claims, v: 0.5 })],
    ['a version of later', signed({ alg: 'HS256' }, { ...claims, v: 1 })],
    ['a user that is not there', signed({ alg: 'HS256' }, { ...claims, id: 999 })],
    [
      'a key of the sender',
      signed({ alg: 'HS256', jwk: { kty: 'oct', k: 'AA' }, kid: '../../dev/null' }, claims, ''),
    ],
    ['no token at all', 'abc'],
  ])('S-08: %s is 401', async (_what, forged) => {
    expect(await get('/api/users/me', forged)).toMatchObject(refusal(401, 'UnauthorizedError'))
    expect(await get('/api/articles', forged)).toMatchObject(refusal(401, 'UnauthorizedError'))
  })

  it('S-11: a password that is changed while it is compared begins no session, and changes nothing', async () => {
    const other = await openSite({ refreshTokens: true })
    try {
      const token = await other.login('ada')
      const change = (password: string, by = token) =>
        other.api.post('/api/auth/change-password', {
          body: { currentPassword: 'Password123', password, passwordConfirmation: password },
          token: by,
        })
      next.compared = async () => expect((await change('Password456')).status).toBe(200)
      await expect(other.login('ada')).rejects.toThrow('Invalid identifier or password')
      await other.login('ada', 'Password456')
      const bob = await other.login('bob')
      next.compared = async () => expect((await change('Password456', bob)).status).toBe(200)
      expect(await change('Stolen123', bob)).toMatchObject(refusal(400, 'ValidationError'))
      await other.login('bob', 'Password456')
    } finally {
      await other.close()
    }
  })

  it('S-11: a changed password, a block and another role each invalidate all tokens', async () => {
    const make = async (name: string) => {
      const body = { username: name, email: `${name}@example.org`, password: 'Password123', role: 1 }
      const { id } = (await site.api.post('/api/users', { token, body })).body
      return { id: id as number, jwt: await site.login(name) }
    }
    const ends = async (jwt: string) =>
      expect(await get('/api/users/me', jwt)).toMatchObject(refusal(401, 'UnauthorizedError'))

    const changed = await make('frank')
    const body = {
      currentPassword: 'Password123',
      password: 'Password456',
      passwordConfirmation: 'Password456',
    }
    const answer = await site.api.post('/api/auth/change-password', { token: changed.jwt, body })
    expect(answer.status).toBe(200)
    await ends(changed.jwt)
    expect((await get('/api/users/me', answer.body.jwt)).status).toBe(200)

    const blocked = await make('grace')
    const users = site.server.octavo.entries('user', unrestricted('blocks and moves users'))
    await users.update(blocked.id, { blocked: true })
    await ends(blocked.jwt)
    // Unblocking does not restore the token.
    await users.update(blocked.id, { blocked: false })
    await ends(blocked.jwt)

    const moved = await make('heidi')
    await users.update(moved.id, { role: 2 })
    await ends(moved.jwt)

    const gone = await make('ivan')
    await site.api.delete(`/api/users/${gone.id}`, { token })
    await ends(gone.jwt)
  })
})

describe('passwords', () => {
  it('S-12: a password of more than 72 bytes is refused, in bytes and not in characters', async () => {
    for (const password of ['a'.repeat(73), 'é'.repeat(37)]) {
      const body = { username: 'longone', email: 'longone@example.org', password }
      expect(await site.api.post('/api/auth/local/register', { body })).toMatchObject(
        refusal(400, 'ValidationError'),
      )
      expect(await site.api.post('/api/users', { token, body: { ...body, role: 1 } })).toMatchObject(
        refusal(400, 'ValidationError'),
      )
    }
  })

  it('S-12: the first 72 bytes of a longer text do not log in', async () => {
    const password = 'b'.repeat(72)
    await site.api.post('/api/auth/local/register', {
      body: { username: 'fullone', email: 'fullone@example.org', password },
    })
    await site.login('fullone', password)
    expect(
      await site.api.post('/api/auth/local', { body: { identifier: 'fullone', password: `${password}c` } }),
    ).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-12: an imported hash of another program is valid', async () => {
    const stored = await hash('Elsewhere1', { cost: 4 })
    await site.server.octavo.store.query('update "up_users" set "password" = $1 where "username" = \'bob\'', [
      stored,
    ])
    await site.login('bob', 'Elsewhere1')
  })

  it('S-18: login compares a hash of the same cost for an unused name, with the same response', async () => {
    const attempt = async (identifier: string) => {
      work.length = 0
      const { text } = await site.api.post('/api/auth/local', { body: { identifier, password: 'wrong-one' } })
      return { text, compared: [...work] }
    }
    // The first login of the process makes the hash that unused names are compared with.
    await attempt('ada')
    const known = await attempt('ada')
    // The comparison takes most of the time of a request.
    expect(known.compared).toEqual(['compare 10'])
    for (const name of ['nobody', 'nobody2']) expect(await attempt(name)).toEqual(known)
  })

  it('S-18: forgot-password has one response for known and unknown addresses', async () => {
    const known = await site.api.post('/api/auth/forgot-password', { body: { email: 'ada@example.org' } })
    const unknown = await site.api.post('/api/auth/forgot-password', {
      body: { email: 'nobody@example.org' },
    })
    expect(known.text).toBe('{"ok":true}')
    expect(unknown.text).toBe(known.text)
  })
})

describe('other sites', () => {
  it('S-16: OPTIONS with Origin: https://evil.example gets * and no credentials', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
    const answer = await site.api.request('OPTIONS', '/api/users/me', { headers })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-allow-origin')).not.toBe('https://evil.example')
    const read = await site.api.get('/api/articles', { headers: { origin: 'https://evil.example' } })
    expect(read.headers.get('access-control-allow-origin')).toBe('*')
    expect(read.headers.get('access-control-allow-credentials')).toBeNull()
  })
})
