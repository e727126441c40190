import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { emptySite, fixture, type Site } from './fixture.ts'
import { jwtSecret } from './plugins.ts'

let site: Site
let url: string
beforeAll(async () => {
  const source = await openSource(fixture('export.tar.gz'))
  const outline = await source.outline()
  const apiTokens = [
    {
      id: 4,
      name: 'the site',
      type: 'read-only',
      accessKey: keyOf(siteToken),
      permissions: [],
      expiresAt: null,
    },
    {
      id: 7,
      name: 'the shop',
      type: 'custom',
      accessKey: keyOf(shopToken),
      permissions: ['api::product.product.create'],
      expiresAt: null,
    },
    {
      id: 9,
      name: 'the old shop',
      type: 'full-access',
      accessKey: keyOf(endedToken),
      permissions: [],
      expiresAt: '2024-01-01T00:00:00.000Z',
    },
  ]
  site = await emptySite(source, { apiTokenSalt, jwt: { secret: jwtSecret, acceptStrapiTokens: true } })
  await importStrapi(site.server.octavo, source, { ...outline, apiTokens })
  url = (await site.server.listen(0)).url
})
afterAll(() => site.close())

const apiTokenSalt = 'a salt of the fixture'
const [siteToken, shopToken, endedToken] = ['a', 'b', 'c'].map((digit) => digit.repeat(256)) as [
  string,
  string,
  string,
]
const keyOf = (token: string): string => createHmac('sha512', apiTokenSalt).update(token).digest('hex')

/** As the library signs it that Strapi 4 uses. */
function strapiToken(claims: object, secret = jwtSecret): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const get = (path: string, token: string): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })

const seconds = Math.floor(Date.now() / 1000)
const valid = { id: 1, iat: seconds - 60, exp: seconds + 3_600 }

describe('After an import', () => {
  it('a user logs in with the old password', async () => {
    const answer = await fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'reader', password: 'Password123' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: { id: 1, username: 'reader' } })
  })

  it('a token that Strapi signed with the same secret is that user', async () => {
    const answer = await get('/api/users/me', strapiToken(valid))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: 1, username: 'reader' })
  })

  it.each([
    ['of another secret', strapiToken(valid, 'another secret of the same length.....')],
    ['that has ended', strapiToken({ ...valid, exp: seconds - 1 })],
    ['of a blocked user', strapiToken({ ...valid, id: 2 })],
    ['of nobody', strapiToken({ ...valid, id: 99 })],
    ['without an id', strapiToken({ iat: seconds })],
  ])('a token %s is refused', async (_, token) => {
    expect((await get('/api/users/me', token)).status).toBe(401)
  })

  it('an API token reads, of which only the hash came', async () => {
    expect((await get('/api/articles', siteToken)).status).toBe(200)
    expect((await get('/api/tags', siteToken)).status).toBe(200)
  })

  it.each([
    ['may not do what its permissions do not name', '/api/products', shopToken, 403],
    ['is refused when it has ended', '/api/articles', endedToken, 401],
    ['is refused when it is unknown', '/api/articles', 'd'.repeat(256), 401],
  ])('an API token %s', async (_, path, token, status) => {
    expect((await get(path, token)).status).toBe(status)
  })

  it('a new password ends the tokens of Strapi', async () => {
    const token = strapiToken(valid)
    const answer = await fetch(`${url}/api/auth/change-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        currentPassword: 'Password123',
        password: 'Password456',
        passwordConfirmation: 'Password456',
      }),
    })
    expect(answer.status).toBe(200)
    expect((await get('/api/users/me', token)).status).toBe(401)
  })
})
