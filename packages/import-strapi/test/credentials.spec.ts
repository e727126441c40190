import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { changedArchive } from './archives.ts'
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

describe('Two users whose names differ in case only', () => {
  it('come, log in with their own spelling, and change themselves', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-twins-'))
    const file = path.join(folder, 'export.tar.gz')
    await changedArchive(file, ({ entities, links }) => {
      const isReader = ({ type, id }: { type: string; id: number }) =>
        type === 'plugin::users-permissions.user' && id === 1
      const reader = entities.find(isReader)
      const role = links.find(({ left }) => left.type === 'plugin::users-permissions.user' && left.ref === 1)
      if (!reader || !role) throw new Error('The fixture has no user 1 with a role')
      for (const [id, username] of [
        [31, 'Reader'],
        [32, 'READER'],
      ] as const) {
        entities.push({ ...reader, id, data: { ...reader.data, username, email: `${id}@example.org` } })
        links.push({ ...role, left: { ...role.left, ref: id } })
      }
    })
    const source = await openSource(file)
    const twins = await emptySite(source, {
      permissions: {
        authenticated: [{ action: 'plugin::users-permissions.user.update', where: { id: '$user.id' } }],
      },
    })
    try {
      await importStrapi(twins.server.octavo, source, await source.outline())
      const { url } = await twins.server.listen(0)
      const send = async (path: string, method: string, body: object, jwt?: string) => {
        const answer = await fetch(`${url}/api/${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...(jwt && { authorization: `Bearer ${jwt}` }) },
          body: JSON.stringify(body),
        })
        return [answer.status, (await answer.json()) as { user?: { id: number }; jwt?: string }] as const
      }
      for (const [id, username] of [
        [1, 'reader'],
        [31, 'Reader'],
        [32, 'READER'],
      ] as const) {
        const [status, body] = await send('auth/local', 'POST', {
          identifier: username,
          password: 'Password123',
        })
        expect([status, body.user?.id]).toEqual([200, id])
        // A form sends the name that it was given.
        const changed = await send(
          `users/${id}`,
          'PUT',
          { username, email: `new${id}@example.org` },
          body.jwt,
        )
        expect(changed[0]).toBe(200)
      }
      const [status] = await send('auth/local', 'POST', { identifier: 'reADER', password: 'Password123' })
      expect(status).toBe(400)
    } finally {
      await twins.close()
      await rm(folder, { recursive: true })
    }
  })
})
