/** Requests of accounts that a client repeats with their `Idempotency-Key`. */
import { afterEach, describe, expect, it } from 'vitest'
import { hashToken } from '../src/tokens/secret-token.ts'
import { openSite, type Site, usersRights } from './site.ts'

let site: Site
afterEach(() => site?.close())

const post = (path: string, key: string, body: object, token?: string) =>
  site.api.post(path, { body, headers: { 'idempotency-key': key }, ...(token !== undefined && { token }) })
const eve = { username: 'eve', email: 'eve@example.org', password: 'Password123' }
const register = (key: string, body: object = eve) => post('/api/auth/local/register', key, body)
const login = (key: string, identifier = 'ada') =>
  post('/api/auth/local', key, { identifier, password: 'Password123' })
const count = async (table: string): Promise<number> => {
  const [row] = await site.server.octavo.store.query(`select count(*)::int from "${table}"`)
  return Number(row?.[0])
}

describe('a registration with an Idempotency-Key', () => {
  it('makes one user, and its repetition logs in', async () => {
    site = await openSite({ refreshTokens: true })
    const first = await register('one')
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([200, 'one'])
    const second = await register('one')
    expect([second.status, second.body.user]).toEqual([200, first.body.user])
    expect((await site.api.get('/api/users/me', { token: second.body.jwt })).body.username).toBe('eve')
    expect(await count('up_users')).toBe(3)
    // The session of the answer that was lost has ended.
    expect(await count('octavo_refresh_tokens')).toBe(1)
  })

  it('makes one user of requests at the same time', async () => {
    site = await openSite()
    const answers = await Promise.all([1, 2, 3].map(() => register('together')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await count('up_users')).toBe(3)
  })

  it('is refused with another body or password', async () => {
    site = await openSite()
    await register('mine')
    for (const changed of [{ email: 'eva@example.org' }, { password: 'Password456' }]) {
      const { status, body } = await register('mine', { ...eve, ...changed })
      expect([status, body.error.details.code]).toEqual([422, 'entry/key-reused'])
    }
    // Without the key it is a second registration.
    expect((await site.api.post('/api/auth/local/register', { body: eve })).status).toBe(400)
  })

  it('leaves nothing in the database by which a password can be tried', async () => {
    site = await openSite()
    await register('1')
    const rows = await site.server.octavo.store.query('select "answer" from "octavo_answers"')
    expect(rows.map(([answer]) => Object.keys(JSON.parse(String(answer))))).toEqual([['id']])
  })
})

describe('a login with an Idempotency-Key', () => {
  it('starts one session: its repetition takes the place of the first', async () => {
    site = await openSite({ refreshTokens: true })
    const [first, other] = [await login('one'), await login('two')]
    expect(first.headers.get('idempotency-key')).toBe('one')
    const again = await login('one')
    expect(await count('octavo_refresh_tokens')).toBe(2)
    const refresh = (body: { readonly refreshToken: string }) =>
      site.api.post('/api/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expect((await refresh(again.body)).status).toBe(200)
    expect((await refresh(other.body)).status).toBe(200)
    expect((await refresh(first.body)).status).toBe(401)
  })

  it('shares its key with nobody', async () => {
    site = await openSite({ refreshTokens: true })
    await login('same')
    await login('same', 'bob')
    expect(await count('octavo_refresh_tokens')).toBe(2)
  })
})

describe('a new password with an Idempotency-Key', () => {
  const code = 'a code that was sent by email'
  const reset = (key: string | undefined, password: string) =>
    site.api.post('/api/auth/reset-password', {
      body: { code, password, passwordConfirmation: password },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  const open = async (): Promise<void> => {
    site = await openSite({ refreshTokens: true })
    await site.server.octavo.store.query(
      `update "up_users" set "reset_password_token" = '${hashToken(code)}', "reset_password_expires" = now() + interval '1 hour' where "username" = 'ada'`,
    )
  }

  it('is set once, and its repetition logs in again', async () => {
    await open()
    const first = await reset('one', 'Password456')
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([200, 'one'])
    const second = await reset('one', 'Password456')
    expect([second.status, second.body.user]).toEqual([200, first.body.user])
    expect((await site.api.get('/api/users/me', { token: second.body.jwt })).body.username).toBe('ada')
    // The session of the answer that was lost has ended.
    expect(await count('octavo_refresh_tokens')).toBe(1)
    expect(
      (await site.api.post('/api/auth/local', { body: { identifier: 'ada', password: 'Password456' } }))
        .status,
    ).toBe(200)
  })

  it('logs in no client that knows the key and the code only', async () => {
    await open()
    await reset('one', 'Password456')
    expect((await reset('one', 'Password789')).status).toBe(422)
    for (const key of ['other', undefined]) expect((await reset(key, 'Password456')).status).toBe(400)
  })
})

describe('POST /users with an Idempotency-Key', () => {
  it('makes one user', async () => {
    site = await openSite({ permissions: { authenticated: usersRights } })
    const token = await site.login('ada')
    const body = { ...eve, role: 1 }
    const [first, second] = [
      await post('/api/users', 'one', body, token),
      await post('/api/users', 'one', body, token),
    ]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect(await count('up_users')).toBe(3)
  })
})
