import { afterEach, describe, expect, it } from 'vitest'
import { openSite, refusal, type Site } from './site.ts'

let site: Site
afterEach(() => site?.close())

const login = async () => {
  const { body } = await site.api.post('/api/auth/local', {
    body: { identifier: 'ada', password: 'Password123' },
  })
  return body as { readonly jwt: string; readonly refreshToken: string }
}
const refresh = (refreshToken: unknown) => site.api.post('/api/auth/refresh', { body: { refreshToken } })
const refused = refusal(401, 'UnauthorizedError')

describe('refresh tokens', () => {
  it('give a new pair once', async () => {
    site = await openSite({ refreshTokens: true })
    const first = await login()
    const second = await refresh(first.refreshToken)
    expect(second.status).toBe(200)
    expect(second.body.refreshToken).not.toBe(first.refreshToken)
    expect((await site.api.get('/api/users/me', { token: second.body.jwt })).body.username).toBe('ada')
    const { exp, iat } = JSON.parse(Buffer.from(second.body.jwt.split('.')[1], 'base64url').toString())
    expect(exp - iat).toBe(900)
    expect((await refresh(second.body.refreshToken)).status).toBe(200)
  })

  it('S-11: end their session at the second use, and no other session', async () => {
    site = await openSite({ refreshTokens: true })
    const [stolen, other] = [await login(), await login()]
    const { body } = await refresh(stolen.refreshToken)
    expect((await site.api.get('/api/users/me', { token: body.jwt })).status).toBe(200)
    expect(await refresh(stolen.refreshToken)).toMatchObject(refused)
    expect(await refresh(body.refreshToken)).toMatchObject(refused)
    for (const token of [stolen.jwt, body.jwt])
      expect(await site.api.get('/api/users/me', { token })).toMatchObject(refused)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  it('S-11: are invalid after logout of their session, a changed password, a block and a deletion', async () => {
    site = await openSite({ refreshTokens: true })
    const { store } = site.server.octavo
    const [one, two] = [await login(), await login()]
    const me = (token: string) => site.api.get('/api/users/me', { token })
    for (const { jwt } of [one, two]) expect((await me(jwt)).status).toBe(200)
    await site.api.post('/api/auth/logout', { body: { refreshToken: one.refreshToken } })
    expect(await refresh(one.refreshToken)).toMatchObject(refused)
    // Its access token is invalid at once as well; the other session is active.
    expect(await me(one.jwt)).toMatchObject(refused)
    expect((await me(two.jwt)).status).toBe(200)
    const changed = {
      currentPassword: 'Password123',
      password: 'Password456',
      passwordConfirmation: 'Password456',
    }
    const answer = await site.api.post('/api/auth/change-password', { token: two.jwt, body: changed })
    expect(await refresh(two.refreshToken)).toMatchObject(refused)
    await store.query('update "up_users" set "blocked" = true where "id" = 1')
    expect(await refresh(answer.body.refreshToken)).toMatchObject(refused)
    await store.query('delete from "up_users" where "id" = 1')
    expect(await store.query('select "hash" from "octavo_refresh_tokens"')).toEqual([])
  })

  it('expire, are stored as hashes, and must be texts', async () => {
    site = await openSite({ refreshTokens: { expiresIn: 100 } })
    const { refreshToken } = await login()
    const { store } = site.server.octavo
    expect(JSON.stringify(await store.query('select * from "octavo_refresh_tokens"'))).not.toContain(
      refreshToken,
    )
    for (const bad of [{ $gt: '' }, [refreshToken], 1, null]) expect((await refresh(bad)).status).toBe(400)
    await store.query(`update "octavo_refresh_tokens" set "expires" = "expires" - interval '101 seconds'`)
    expect(await refresh(refreshToken)).toMatchObject(refused)
  })

  it('give the same next token to a client that repeats its request with its Idempotency-Key, for ten seconds', async () => {
    site = await openSite({ refreshTokens: true })
    const { store } = site.server.octavo
    const repeated = (refreshToken: string, key: string) =>
      site.api.post('/api/auth/refresh', { body: { refreshToken }, headers: { 'idempotency-key': key } })
    const { refreshToken } = await login()
    const answers = await Promise.all([1, 2, 3].map(() => repeated(refreshToken, 'a key of the client')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [first] = answers
    expect(first?.headers.get('idempotency-key')).toBe('a key of the client')
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect((await site.api.get('/api/users/me', { token: answers[2]?.body.jwt })).status).toBe(200)
    const stored = JSON.stringify(await store.query('select * from "octavo_refresh_tokens"'))
    for (const secret of [first?.body.refreshToken, 'a key of the client'])
      expect(stored).not.toContain(secret)
    // The next token was used: the client has received it, so that a repetition is none of its own.
    const next = await repeated(first?.body.refreshToken, 'another key')
    expect(next.status).toBe(200)
    expect(await repeated(refreshToken, 'a key of the client')).toMatchObject(refused)
    expect(await refresh(next.body.refreshToken)).toMatchObject(refused)
  })

  it('end their session when they are repeated with another key, or later', async () => {
    site = await openSite({ refreshTokens: true })
    const repeated = (refreshToken: string, key: string) =>
      site.api.post('/api/auth/refresh', { body: { refreshToken }, headers: { 'idempotency-key': key } })
    const one = await login()
    expect((await repeated(one.refreshToken, 'mine')).status).toBe(200)
    expect(await repeated(one.refreshToken, 'not mine')).toMatchObject(refused)
    const two = await login()
    expect((await repeated(two.refreshToken, 'mine')).status).toBe(200)
    await site.server.octavo.store.query(
      `update "octavo_refresh_tokens" set "used_at" = "used_at" - interval '11 seconds'`,
    )
    expect(await repeated(two.refreshToken, 'mine')).toMatchObject(refused)
  })

  it('give at most one pair to concurrent requests', async () => {
    site = await openSite({ refreshTokens: true })
    const { refreshToken } = await login()
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(refreshToken)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('are off by default', async () => {
    site = await openSite()
    expect(Object.keys(await login())).toEqual(['jwt', 'user'])
    expect(await refresh('x')).toMatchObject(refusal(404, 'NotFoundError'))
  })
})
