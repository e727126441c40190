import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AttemptLimiter, AttemptLimiterOptions } from '../src/index.ts'
import { openSite, refusal, type Site } from './site.ts'

let site: Site
afterEach(() => site?.close())

const body = { identifier: 'ada', password: 'wrong-one' }
const login = (path = '/api/auth/local', given: object = body, headers = {}) =>
  site.api.post(path, { body: given, headers }).then(({ status }) => status)
const exhaust = async () => {
  for (let i = 0; i < 5; i++) expect(await login()).toBe(400)
}

describe('limits of attempts', () => {
  it('S-10: the sixth attempt in a minute is 429 with Retry-After, even with the right password, and nothing makes a fresh key for the address', async () => {
    site = await openSite({}, { rateLimit: true })
    await exhaust()
    const sixth = await site.api.post('/api/auth/local', {
      body: { identifier: 'ada', password: 'Password123' },
    })
    expect(sixth).toMatchObject(refusal(429, 'RateLimitError'))
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(sixth.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    for (const [what, path, given] of others) expect(await login(path, given), what).toBe(429)
    // No proxy is configured.
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'x-client-ip'])
      expect(await login(undefined, undefined, { [name]: '203.0.113.9' }), name).toBe(429)
  })

  /** Attempts from the same address, each of which a limit could count by itself. */
  const others = [
    ['another case of the path', '/api/Auth/LOCAL', body],
    ['a trailing slash', '/api/auth/local/', body],
    ['a query', '/api/auth/local?email=new@example.org', body],
    ['an email in the body (CVE-2025-64526)', '/api/auth/local', { ...body, email: 'new@example.org' }],
    ['another name', '/api/auth/local', { ...body, identifier: 'somebody-else' }],
    ['no name at all', '/api/auth/local', {}],
    ['a list of names', '/api/auth/local', { ...body, identifier: ['ada', 'x'] }],
  ] as const

  it('S-10: X-Forwarded-For is trusted for the configured number of proxies only', async () => {
    site = await openSite({ rateLimit: { points: 2 } }, { rateLimit: true, proxies: 1 })
    const from = (addresses: string, identifier: string) =>
      login(undefined, { ...body, identifier }, { 'x-forwarded-for': addresses })
    expect([
      await from('203.0.113.1', 'a1'),
      await from('203.0.113.1', 'a2'),
      await from('203.0.113.1', 'a3'),
    ]).toEqual([400, 400, 429])
    expect(await from('198.51.100.1, 203.0.113.1', 'a4')).toBe(429)
    expect(await from('203.0.113.1:50001', 'a5')).toBe(429)
    expect(await from('203.0.113.2', 'a6')).toBe(400)
  })

  it.each([
    ['the same', 'ada'],
    ['spaces around it', '  ada '],
    ['another case', 'ADA'],
    ['compatible letters', 'ａｄａ'],
  ])('S-10: an account is bounded from all addresses together: %s', async (_what, identifier) => {
    site = await openSite({}, { rateLimit: true, proxies: 1 })
    let address = 0
    const attempt = (name: string) =>
      login(undefined, { ...body, identifier: name }, { 'x-forwarded-for': `203.0.113.${++address}` })
    for (let i = 0; i < 5; i++) expect(await attempt('ada')).toBe(400)
    expect(await attempt(identifier)).toBe(429)
    expect(await attempt('bob')).toBe(400)
  })

  const alsoBounded = [
    ['/api/auth/forgot-password', { email: 'nobody@example.org' }],
    ['/api/auth/reset-password', { code: 'x', password: 'Password1', passwordConfirmation: 'Password1' }],
    ['/api/auth/send-email-confirmation', { email: 'nobody@example.org' }],
    ['/api/auth/local/register', {}],
  ] as const

  it(`bound POST ${alsoBounded.map(([path]) => path).join(', ')} too, each route by itself`, async () => {
    site = await openSite({}, { rateLimit: true })
    for (const [path, given] of alsoBounded) {
      for (let i = 0; i < 5; i++) expect(await login(path, given), path).not.toBe(429)
      expect(await login(path, given), path).toBe(429)
      expect(await login(), path).toBe(400)
    }
  })

  it('bound the emails that a new address is asked for with, of each user and to each address', async () => {
    const permissions = { authenticated: ['plugin::users-permissions.user.update'] }
    site = await openSite({ emailConfirmation: true, permissions }, { rateLimit: true })
    const users = { 1: await site.login('ada'), 2: await site.login('bob') }
    const move = (id: 1 | 2, email: string) =>
      site.api.put(`/api/users/${id}`, { body: { email }, token: users[id] }).then(({ status }) => status)
    // A write without another address sends nothing.
    for (let i = 0; i < 6; i++) expect(await move(1, 'ada@example.org')).toBe(200)
    for (let i = 0; i < 5; i++) expect(await move(1, `new${i}@example.org`)).toBe(200)
    expect(await move(1, 'last@example.org')).toBe(429)
    for (let i = 0; i < 4; i++) expect(await move(2, 'new0@example.org')).toBe(200)
    const body = { email: 'new0@example.org' }
    expect((await site.api.post('/api/auth/send-email-confirmation', { body })).status).toBe(429)
  })

  it('are counted in the database when processes share one', async () => {
    site = await openSite({ rateLimit: { store: 'database' } }, { rateLimit: true })
    await exhaust()
    expect(await login()).toBe(429)
    const rows = await site.server.octavo.store.query(
      'select "key", "points" from "octavo_rate_limits" order by "key"',
    )
    expect(rows.map(([key]) => String(key))).toEqual([
      expect.stringContaining('account:login:'),
      expect.stringContaining('address:login:127.0.0.1'),
    ])
  })

  it('are counted by limiters of another store, which servers share', async () => {
    const counts = new Map<string, number>()
    const prefixes: string[] = []
    // A store that refuses with a plain object, as another copy of rate-limiter-flexible does.
    const store = ({ keyPrefix, points, duration }: AttemptLimiterOptions): AttemptLimiter => {
      prefixes.push(keyPrefix)
      return {
        consume: async (key) => {
          const consumedPoints = (counts.get(`${keyPrefix}:${key}`) ?? 0) + 1
          counts.set(`${keyPrefix}:${key}`, consumedPoints)
          const result = { consumedPoints, msBeforeNext: duration * 1000 }
          if (consumedPoints > points) throw result
          return result
        },
        block: async () => {},
        delete: async () => {},
      }
    }
    site = await openSite({ rateLimit: { store } }, { rateLimit: true })
    const other = await openSite({ rateLimit: { store } }, { rateLimit: true })
    await exhaust()
    expect(await login()).toBe(429)
    const attempt = { identifier: 'nobody', password: 'wrong' }
    expect((await other.api.post('/api/auth/local', { body: attempt })).status).toBe(429)
    await other.close()
    expect(prefixes).toEqual(['octavo:attempts', 'octavo:penalty', 'octavo:attempts', 'octavo:penalty'])
  })

  it('S-27: apply to unused names like used ones', async () => {
    site = await openSite({ rateLimit: { points: 2 } }, { rateLimit: true, proxies: 1 })
    let address = 0
    const answers = async (names: readonly string[]) => {
      const statuses: number[] = []
      for (const identifier of names)
        statuses.push(
          await login(undefined, { ...body, identifier }, { 'x-forwarded-for': `203.0.113.${++address}` }),
        )
      return statuses
    }
    const spellings = (name: string) => [name, ` ${name} `, name.toUpperCase(), `${name}\t`]
    expect(await answers(spellings('ada'))).toEqual([400, 400, 429, 429])
    expect(await answers(spellings('zoe'))).toEqual([400, 400, 429, 429])
    // Both are locked: other forms of the name, with invisible characters, get the same answer.
    const forms = (name: string) => [
      `${String.fromCharCode(name.charCodeAt(0) + 0xfee0)}${name.slice(1)}`,
      `${name}\u200b`,
      `\ufeff${name}`,
      `${name}\u00ad`,
    ]
    expect(await answers(forms('ada'))).toEqual(await answers(forms('zoe')))
  })

  it('S-27: close an account for longer each time, except for addresses of earlier logins', async () => {
    site = await openSite({ rateLimit: { points: 2, duration: 1 } }, { rateLimit: true, proxies: 1 })
    const from = (address: string, password: string) =>
      site.api.post('/api/auth/local', {
        body: { identifier: 'ada', password },
        headers: { 'x-forwarded-for': address },
      })
    expect((await from('198.51.100.1', 'Password123')).status).toBe(200)
    let address = 0
    /** Guesses from a new address each time until the account is closed. @returns the duration of the closure, in seconds */
    const closed = async (): Promise<number> => {
      for (;;) {
        const { status, headers } = await from(`203.0.113.${++address}`, 'wrong-one')
        if (status === 429) return Number(headers.get('retry-after'))
      }
    }
    const first = await closed()
    await vi.waitFor(
      async () => expect((await from(`203.0.113.${++address}`, 'wrong-one')).status).toBe(400),
      {
        timeout: 60_000,
      },
    )
    expect(await closed()).toBeGreaterThan(first)
    expect((await from('198.51.100.1', 'Password123')).status).toBe(200)
    expect((await from('203.0.113.250', 'Password123')).status).toBe(429)
  })
})
