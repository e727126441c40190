import { createHash, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { ForbiddenError, type Logger, silentLogger, unrestricted } from '@octavo/core'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OAuthProvider, UsersPermissionsOptions } from '../src/index.ts'
import { openSite, refusal, type Site } from './site.ts'

const home = 'https://site.example/welcome'
const publicUrl = 'http://octavo.test'

interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  /** Entra ID: whether the domain of the address belongs to the tenant. */
  readonly xms_edov?: string
  readonly name: string
}
const people: Record<string, Person> = {
  zoe: { email: 'Zoe@Example.org', email_verified: true, name: 'Zoe Z' },
  same: { email: 'zoe@example.org', email_verified: true, name: 'Another with the address of Zoe' },
  unverified: { email: 'ada2@example.org', email_verified: false, name: 'Mallory' },
  thief: { email: 'ada@example.org', email_verified: true, name: 'Not Ada' },
  double: { email: 'double@example.org', email_verified: true, name: 'ada@example.org' },
  alike: { email: 'alike@example.org', email_verified: true, name: 'b\u043eb' },
  long: { email: 'long@example.org', email_verified: true, name: `${'a'.repeat(29)}\u{1f600} b` },
  entra: { email: 'entra@example.org', xms_edov: '1', name: 'Zoe of the tenant' },
  foreign: { email: 'foreign@example.org', xms_edov: '0', name: 'Mallory of another tenant' },
  'zero \0': { email: 'zero@example.org', email_verified: true, name: 'Zero' },
  'half \ud800': { email: 'half@example.org', email_verified: true, name: 'Half' },
  ['x'.repeat(256)]: { email: 'x@example.org', email_verified: true, name: 'X' },
  namesake: { email: 'namesake@example.org', email_verified: true, name: 'Zoe Z' },
}
let http: Server
let issuer: string
let person = 'zoe'
/** The claims of the identity token, which has none but `sub` in a login by a code. `/userinfo` has all. */
let inToken: readonly (keyof Person)[] = []
/** The public key that the issuer shows in place of its own. */
let shownKey: object | undefined

/** A real issuer, which authenticates `person` without a prompt. */
beforeAll(async () => {
  http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}` // it listens on a port
  const provider = new Provider(issuer, {
    clients: ['one', 'two'].map((name) => ({
      client_id: name,
      client_secret: 'a secret of client and issuer',
      redirect_uris: [`${publicUrl}/api/connect/${name}/callback`],
    })),
    pkce: { required: () => true },
    // Clients send their secret in this way only.
    clientAuthMethods: ['client_secret_basic'],
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['name', 'preferred_username'],
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: (use) => {
        const all = Object.entries(people[id] ?? {})
        const shown =
          use === 'userinfo' ? all : all.filter(([name]) => inToken.includes(name as keyof Person))
        return { sub: id, ...Object.fromEntries(shown) }
      },
    }),
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['only for tests'] },
  })
  const answer = provider.callback()
  http.on('request', async (request, response) => {
    if (request.url === '/jwks' && shownKey) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ keys: [shownKey] }))
    }
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: person } })
    const grant = new provider.Grant({
      accountId: session?.accountId as string,
      clientId: params.client_id as string,
    })
    grant.addOIDCScope('openid email profile')
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  })
})
afterAll(() => void http?.close())

let site: Site
let base: string
beforeEach(() => {
  person = 'zoe'
  inToken = []
})

/** A browser: follows redirects with its cookies until it reaches the site, and returns that URL. */
class Browser {
  readonly cookies = new Map<string, string>()

  /** The header `Cookie` of its requests to an address. */
  cookie(url: string): string {
    return [...this.cookies]
      .filter(([key]) => key.startsWith(new URL(url).origin))
      .map(([key, value]) => `${key.split(' ')[1]}=${value}`)
      .join('; ')
  }

  async get(address: string) {
    const url = address.replace(publicUrl, base)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookie(url) } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const key = `${new URL(url).origin} ${name}`
      if (value === '') this.cookies.delete(key)
      else this.cookies.set(key, value)
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location, url).href,
      body: await response.text(),
    }
  }

  /** @returns the URL of the first response without a redirect, or that begins with `until`. */
  async follow(address: string, until = 'https://site.example'): Promise<string> {
    let at = address
    for (let i = 0; i < 15 && !at.startsWith(until); i++) {
      const { location, status, body } = await this.get(at)
      if (location === undefined) throw new Error(`${at} answered ${status} ${body}`)
      at = location
    }
    return at
  }
}

const start = '/api/connect/one'
const codeIn = (address: string) => new URL(address).searchParams.get('code') ?? ''
/** Sends the code in which a login ended. */
const token = (code: string, browser: Browser, provider = 'one', verifier?: string) =>
  site.api.post(`/api/connect/${provider}/token`, {
    body: { code, ...(verifier !== undefined && { verifier }) },
    headers: { cookie: browser.cookie(base) },
  })
/** A login in a browser of its own. */
const loginOf = async () => {
  const browser = new Browser()
  return token(codeIn(await browser.follow(`${base}${start}`)), browser)
}

describe('login by a provider', () => {
  beforeAll(async () => {
    const provider = {
      issuer,
      clientSecret: 'a secret of client and issuer',
      callbacks: [home, 'https://site.example/other?x=1'],
    }
    site = await openSite({
      publicUrl,
      providers: { one: { ...provider, clientId: 'one' }, two: { ...provider, clientId: 'two' } },
    })
    base = site.url
  })
  // The users of a test are those that the site begins with.
  afterEach(async () => {
    const { octavo } = site.server
    await octavo.store.query('delete from "up_users" where "id" > 2')
    await octavo.entries('user', unrestricted('names a user as before')).update(2, { username: 'bob' })
  })
  afterAll(() => site?.close())

  it('creates a user, with PKCE, state and nonce, and finds it at the next login', async () => {
    const browser = new Browser()
    const authorize = new URL((await browser.get(`${base}${start}`)).location ?? '')
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      redirect_uri: `${publicUrl}/api/connect/one/callback`,
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
    })
    const back = await browser.follow(authorize.href)
    expect(back.startsWith(`${home}?code=`)).toBe(true)
    const { status, body } = await token(codeIn(back), browser)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      username: 'Zoe Z',
      email: 'zoe@example.org',
      provider: 'one',
      confirmed: true,
    })
    expect((await site.api.get('/api/users/me', { token: body.jwt })).body.id).toBe(body.user.id)

    const again = await loginOf()
    expect(again.body.user.id).toBe(body.user.id)
    // The account has no password, so every password is refused.
    expect(
      await site.api.post('/api/auth/local', {
        body: { identifier: 'zoe@example.org', password: 'Password123' },
      }),
    ).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-15: GET /api/connect/one?callback=https://evil is refused unless it equals a configured callback', async () => {
    for (const callback of [
      'https://evil.example',
      'https://site.example',
      `${home}/`,
      `${home}?next=//evil.example`,
      'https://site.example.evil.example/welcome',
      'HTTPS://site.example/welcome',
      'javascript:alert(1)',
    ])
      expect(await site.api.get(`${start}?callback=${encodeURIComponent(callback)}`), callback).toMatchObject(
        refusal(400, 'ValidationError'),
      )
    expect(await site.api.get(`${start}?callback=${home}&callback=https://evil.example`)).toMatchObject(
      refusal(400, 'ValidationError'),
    )
    const other = await new Browser().follow(
      `${base}${start}?callback=${encodeURIComponent('https://site.example/other?x=1')}`,
    )
    expect(other).toMatch(/^https:\/\/site\.example\/other\?x=1&code=/)
  })

  it('S-15: the URL contains a code and no token; the code is valid once and for its provider', async () => {
    const browser = new Browser()
    const back = await browser.follow(`${base}${start}`)
    expect(back).not.toMatch(/eyJ|jwt|token/)
    const code = codeIn(back)
    expect(await token(code, browser, 'two')).toMatchObject(refusal(400, 'ValidationError'))
    expect((await token(code, browser)).status).toBe(200)
    expect(await token(code, browser)).toMatchObject(refusal(400, 'ValidationError'))
    for (const bad of [{ $gt: '' }, ['x'], 'x'])
      expect(await token(bad as string, browser)).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('S-42: a code is worth nothing in another browser', async () => {
    const thief = new Browser()
    await thief.follow(`${base}${start}`)
    for (const other of [new Browser(), thief]) {
      const code = codeIn(await new Browser().follow(`${base}${start}`))
      expect(await token(code, other)).toMatchObject(refusal(400, 'ValidationError'))
    }
  })

  it('S-42: a code of a login that began with a challenge needs its verifier, and no cookie', async () => {
    const verifier = 'a verifier that only the page knows, of 43 characters or more'
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const began = async () => codeIn(await new Browser().follow(`${base}${start}?challenge=${challenge}`))
    const none = new Browser()
    expect((await token(await began(), none, 'one', verifier)).status).toBe(200)
    for (const wrong of [undefined, 'another', challenge])
      expect(await token(await began(), none, 'one', wrong)).toMatchObject(refusal(400, 'ValidationError'))
    const own = new Browser()
    const code = codeIn(await own.follow(`${base}${start}?challenge=${challenge}`))
    expect(await token(code, own)).toMatchObject(refusal(400, 'ValidationError'))
    for (const bad of ['', 'short', `${challenge}=`])
      expect(await site.api.get(`${start}?challenge=${bad}`)).toMatchObject(refusal(400, 'ValidationError'))
  })

  const callbackUrl = `${publicUrl}/api/connect/`

  it('a state is valid once, for some minutes, in its browser and for its provider', async () => {
    const browser = new Browser()
    const first = await browser.follow(`${base}${start}`, callbackUrl)
    const cookies = new Map(browser.cookies)
    expect((await browser.get(first)).status).toBe(302)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect(await browser.get(first)).toMatchObject({ status: 400 })

    const victim = await new Browser().follow(`${base}${start}`, callbackUrl)
    expect((await new Browser().get(victim)).status).toBe(400)

    const mixed = new Browser()
    const other = await mixed.follow(`${base}${start}`, callbackUrl)
    expect((await mixed.get(other.replace('/connect/one/', '/connect/two/'))).status).toBe(400)

    const late = new Browser()
    const tooLate = await late.follow(`${base}${start}`, callbackUrl)
    await site.server.octavo.store.query(
      `update "octavo_oauth" set "expires" = "expires" - interval '11 minutes'`,
    )
    expect((await late.get(tooLate)).status).toBe(400)
    expect((await late.get(`${callbackUrl}one/callback?code=x`)).status).toBe(400)
  })

  it('logins of two tabs in one browser end both, in any order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const browser = new Browser()
      // Both tabs begin before either has a cookie.
      const began = await Promise.all([1, 2].map(() => browser.get(`${base}${start}`)))
      const codes: string[] = []
      for (const i of order) codes.push(codeIn(await browser.follow(began[i]?.location ?? '')))
      for (const code of codes.reverse()) expect((await token(code, browser)).status).toBe(200)
    }
  })

  it('a browser keeps the cookies of eight logins, and those of the last ones', async () => {
    const browser = new Browser()
    const began: string[] = []
    for (let i = 0; i < 12; i++) began.push(await browser.follow(`${base}${start}`, callbackUrl))
    expect([...browser.cookies.keys()].filter((name) => name.includes('octavo_connect'))).toHaveLength(8)
    expect((await browser.get(began[3] ?? '')).status).toBe(400)
    for (const at of began.slice(4))
      expect((await browser.get(at)).location?.startsWith(`${home}?code=`)).toBe(true)
  })

  it('a code of another login is refused by its challenge and nonce', async () => {
    const [mine, theirs] = [new Browser(), new Browser()]
    const own = new URL(await mine.follow(`${base}${start}`, callbackUrl))
    const foreign = new URL(await theirs.follow(`${base}${start}`, callbackUrl))
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '')
    expect((await mine.get(own.href)).location).toBe(`${home}?error=access_denied`)
  })

  it('does not give access to an account by its address, nor accept an unverified address', async () => {
    person = 'thief'
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=account_exists`)
    person = 'unverified'
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
  })

  it.each([
    ['a zero byte', 'zero \0'],
    ['half a character', 'half \ud800'],
    ['256 characters', 'x'.repeat(256)],
  ])('returns with an error for a person whose identifier at the provider has %s', async (_what, who) => {
    person = who
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
  })

  const broughtUser = async (provider: string): Promise<number> => {
    const entries = site.server.octavo.entries('user', unrestricted('makes a user as an import does'))
    const user = { username: 'brought', email: 'zoe@example.org', provider, role: 1, confirmed: true }
    return (await entries.create(user)).id
  }

  it.each([
    ['nothing of the address, as the specification has it for codes', []],
    ['the address alone, as that of Okta', ['email']],
    ['all, as that of Google', ['email', 'email_verified', 'name']],
  ] as const)('accepts an identity token with %s', async (_what, claims) => {
    inToken = claims
    const { body } = await loginOf()
    expect(body.user).toMatchObject({ email: 'zoe@example.org', username: 'Zoe Z' })
    person = 'unverified'
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
  })

  it.each([[[]], [['email', 'xms_edov', 'name']]] as const)(
    'accepts an address whose domain belongs to the tenant of Entra ID, in %j of the token',
    async (claims) => {
      inToken = claims
      person = 'entra'
      expect((await loginOf()).body.user).toMatchObject({ email: 'entra@example.org' })
      person = 'foreign'
      expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
    },
  )

  it('gives people of another server their users, whom it knew by the verified address only', async () => {
    const id = await broughtUser('one')
    person = 'same'
    expect(await new Browser().follow(`${base}/api/connect/two`)).toBe(`${home}?error=account_exists`)
    person = 'zoe'
    const { body } = await loginOf()
    expect(body.user).toMatchObject({ id, username: 'brought', provider: 'one' })
    expect((await loginOf()).body.user.id).toBe(id)
    person = 'same'
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=account_exists`)
  })

  it('gives such a user to one of two people with its address, who end their logins at the same moment', async () => {
    const id = await broughtUser('one')
    const logins: { readonly browser: Browser; readonly at: string }[] = []
    for (person of ['zoe', 'zoe', 'same', 'same']) {
      const browser = new Browser()
      logins.push({ browser, at: await browser.follow(`${base}${start}`, callbackUrl) })
    }
    const ended = await Promise.all(logins.map(({ browser, at }) => browser.follow(at)))
    const users = await Promise.all(
      logins.map(async ({ browser }, i) => (await token(codeIn(ended[i] ?? ''), browser)).body.user?.id),
    )
    expect([
      [id, id, undefined, undefined],
      [undefined, undefined, id, id],
    ]).toContainEqual(users)
  })

  it('S-24: creates no user whose address is the username of another user', async () => {
    const state = unrestricted('gives a user a name in the form of an address')
    await site.server.octavo.entries('user', state).update(2, { username: 'zoe@example.org' })
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=account_exists`)
  })

  it.each([
    ['is the address of another user', 'double', /^ada@example\.org-.{8}$/],
    ['looks like the name of another user', 'alike', /^b\u043eb-.{8}$/],
  ])('S-24: gives a new user whose name at the provider %s another name', async (_what, who, username) => {
    person = who
    const { body } = await loginOf()
    expect(body.user.username).toMatch(username)
    const login = { identifier: who === 'alike' ? 'bob' : 'ada@example.org', password: 'Password123' }
    const { user } = (await site.api.post('/api/auth/local', { body: login })).body
    expect(user.username).toBe(who === 'alike' ? 'bob' : 'ada')
  })

  it.each([
    [
      'no issuer and no preset',
      { clientId: 'x', clientSecret: 'x', callbacks: [home] },
      'providers.one.issuer',
    ],
    [
      'no page to come back to',
      { issuer: 'https://id.example', clientId: 'x', clientSecret: 'x', callbacks: [] },
      'providers.one.callbacks',
    ],
  ])('stops the start with %s', async (_what, provider, message) => {
    await expect(openSite({ providers: { one: provider } })).rejects.toThrow(message)
  })

  it('gives one user to logins of a new person at the same moment, and a name to each of two people', async () => {
    const begun = async (who: string) => {
      person = who
      const browser = new Browser()
      return { browser, at: await browser.follow(`${base}${start}`, callbackUrl) }
    }
    const logins = [await begun('zoe'), await begun('zoe'), await begun('zoe'), await begun('namesake')]
    const ended = await Promise.all(logins.map(({ browser, at }) => browser.follow(at)))
    const users: { id: number; username: string }[] = []
    for (const [i, { browser }] of logins.entries())
      users.push((await token(codeIn(ended[i] ?? ''), browser)).body.user)
    const [first, second, third, namesake] = users
    expect([second?.id, third?.id]).toEqual([first?.id, first?.id])
    expect([first?.username, namesake?.username].sort()).toEqual([
      'Zoe Z',
      expect.stringMatching(/^Zoe Z-.{8}$/),
    ])
  })

  it('refuses blocked users and unknown providers', async () => {
    const browser = new Browser()
    const code = codeIn(await browser.follow(`${base}${start}`))
    await site.server.octavo.store.query(`update "up_users" set "blocked" = true where "provider" = 'one'`)
    expect(await token(code, browser)).toMatchObject(refusal(400, 'ApplicationError'))
    for (const name of ['three', '__proto__', 'constructor', 'local'])
      expect(await site.api.get(`/api/connect/${name}`), name).toMatchObject(refusal(404, 'NotFoundError'))
  })
})

describe('a login by a provider', () => {
  afterEach(async () => {
    await site?.close()
    shownKey = undefined
  })
  const openOne = async (
    options: UsersPermissionsOptions = {},
    provider: Partial<OAuthProvider> = {},
    plugins: readonly Plugin[] = [],
  ) => {
    const clientSecret = 'a secret of client and issuer'
    const one = { issuer, clientId: 'one', clientSecret, callbacks: [home], ...provider }
    site = await openSite({ publicUrl, providers: { one }, ...options }, {}, undefined, false, plugins)
    base = site.url
  }

  it('S-08: is refused for an identity that the issuer has not signed', async () => {
    const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: { kty: string }[] }
    const other = await exportJWK((await generateKeyPair('RS256')).publicKey)
    shownKey = { ...keys.find(({ kty }) => kty === 'RSA'), ...other }
    await openOne()
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
  })

  it('returns with an error when the provider is away, and works once it is there', async () => {
    const away = createServer((_, response) => void response.writeHead(200).end('<h1>Be right back</h1>'))
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = away.address() as AddressInfo // it listens on a port
      await openOne({}, { issuer: `http://127.0.0.1:${port}` })
      for (const until of ['answers with HTML', 'is closed']) {
        expect((await new Browser().get(`${base}${start}`)).location, until).toBe(
          `${home}?error=temporarily_unavailable`,
        )
        away.close()
      }
    } finally {
      away.close()
    }
  })

  it('returns with an error for a new person where nobody registers', async () => {
    await openOne({ register: { enabled: false } })
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=no_account`)
  })

  it.each([
    ['refused', new ForbiddenError('people/unknown', 'This person is not on our list')],
    ['server_error', new Error('The list of people cannot be read')],
  ])('returns with %s when a hook lets no user be made', async (reason, error) => {
    const refusing = definePlugin({
      name: 'people',
      setup: (host) =>
        host.hook('entry:beforeCreate', ({ input }) => {
          if (input.provider === 'one') throw error
        }),
    })
    await openOne({}, {}, [refusing])
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=${reason}`)
  })

  it('cuts a name to the length of usernames, between its characters', async () => {
    await openOne({ usernames: { maxLength: 30 } })
    person = 'long'
    expect((await loginOf()).body.user.username).toBe(`${'a'.repeat(29)}\u{1f600}`)
    const state = unrestricted('makes the login of another person of that name')
    await site.server.octavo
      .entries('user', state)
      .update(3, { providerSubject: 'another', email: 'x@example.org' })
    expect((await loginOf()).body.user.username).toMatch(/^a{21}-.{8}$/)
  })
})

describe('the preset google', () => {
  afterEach(() => site?.close())

  it('uses OpenID Connect with the issuer, and requests the address', async () => {
    const google = {
      preset: 'google',
      clientId: 'one',
      clientSecret: 'a secret of client and issuer',
    } as const
    site = await openSite({ publicUrl, providers: { one: { ...google, issuer, callbacks: [home] } } })
    base = site.url
    const { body } = await loginOf()
    expect(body.user).toMatchObject({ email: 'zoe@example.org', provider: 'one' })
  })

  it('is discovered at accounts.google.com unless another issuer is named', async () => {
    const requested: string[] = []
    const google = 'https://accounts.google.com'
    const discovered = {
      issuer: google,
      authorization_endpoint: `${google}/o/oauth2/v2/auth`,
      token_endpoint: 'https://oauth2.googleapis.com/token',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
    const network = globalThis.fetch
    // Tests cannot reach Google; only the URL differs from its discovery document.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
      const address = String(args[0])
      if (!address.startsWith(google)) return network(...args)
      requested.push(address)
      return Response.json(discovered)
    })
    try {
      const options = { preset: 'google', clientId: 'mine', clientSecret: 'x', callbacks: [home] } as const
      site = await openSite({ publicUrl, providers: { google: options } })
      base = site.url
      const { location = '' } = await new Browser().get(`${base}/api/connect/google`)
      expect(location.startsWith(`${google}/o/oauth2/v2/auth?`)).toBe(true)
      expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
        client_id: 'mine',
        scope: 'openid email profile',
        code_challenge_method: 'S256',
        redirect_uri: `${publicUrl}/api/connect/google/callback`,
      })
    } finally {
      vi.restoreAllMocks()
    }
    expect(requested).toEqual([`${google}/.well-known/openid-configuration`])
  })
})

describe('the preset github', () => {
  afterEach(() => site?.close())
  let github: Server
  let emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[]
  let at: string
  /** Whether the answer with the token lacks a part. */
  let isBroken = false
  /** The issuer that callbacks name, in place of this one. */
  let callbackIssuer: string | undefined

  /** Behaves like a GitHub Enterprise Server: OAuth with PKCE, without discovery and identity token. */
  beforeAll(async () => {
    const challenges = new Map<string, string>()
    github = createServer(async (request, response) => {
      const url = new URL(request.url ?? '', at)
      const json = (body: unknown, status = 200): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (url.pathname === '/login/oauth/authorize') {
        const code = randomUUID()
        challenges.set(code, url.searchParams.get('code_challenge') ?? '')
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', code)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        back.searchParams.set('iss', callbackIssuer ?? `${at}/login/oauth`)
        return void response.writeHead(302, { location: back.href }).end()
      }
      if (url.pathname === '/login/oauth/access_token') {
        const form = new URLSearchParams(await text(request))
        const challenge = challenges.get(form.get('code') ?? '')
        const proved = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        const isClient =
          form.get('client_id') === 'octavo' && form.get('client_secret') === 'a secret of GitHub'
        if (challenge !== proved || !isClient) return json({ error: 'bad_verification_code' }, 400)
        if (isBroken) return json({ access_token: 'of-github' })
        return json({ access_token: 'of-github', token_type: 'bearer', scope: 'read:user,user:email' })
      }
      if (request.headers.authorization !== 'Bearer of-github')
        return json({ message: 'Requires authentication' }, 401)
      if (url.pathname === '/api/v3/user') return json({ id: 42, login: 'zoe', email: null })
      if (url.pathname === '/api/v3/user/emails') return json(emails)
      return json({ message: 'Not Found' }, 404)
    })
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
    at = `http://127.0.0.1:${(github.address() as AddressInfo).port}` // it listens on a port
  })
  afterAll(() => void github.close())

  const openGithub = async (logger: Logger = silentLogger): Promise<void> => {
    const provider = {
      preset: 'github',
      issuer: at,
      clientId: 'octavo',
      clientSecret: 'a secret of GitHub',
    } as const
    site = await openSite({ publicUrl, providers: { one: { ...provider, callbacks: [home] } } }, { logger })
    base = site.url
  }

  it('writes no token to the log, whatever a logger makes of errors', async () => {
    const lines: string[] = []
    const log = (...given: unknown[]): void => void lines.push(inspect(given, { depth: 10 }))
    const logger = { debug: log, info: log, warn: log, error: log, child: () => logger } as unknown as Logger
    await openGithub(logger)
    isBroken = true
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
    isBroken = false
    expect(lines.join('\n')).toContain('A login by a provider failed')
    expect(lines.join('\n')).toContain('token_type')
    expect(lines.join('\n')).not.toContain('of-github')
  })

  it('uses the primary verified address, and the id as the identity', async () => {
    await openGithub()
    emails = [
      { email: 'other@example.org', primary: false, verified: true },
      { email: 'Zoe@Example.org', primary: true, verified: true },
    ]
    const { status, body } = await loginOf()
    expect([status, body.user]).toEqual([
      200,
      expect.objectContaining({ username: 'zoe', email: 'zoe@example.org', provider: 'one' }),
    ])
    emails = [{ email: 'moved@example.org', primary: true, verified: true }]
    const again = await loginOf()
    expect(again.body.user.id).toBe(body.user.id)
  })

  it('refuses the callback of another issuer', async () => {
    await openGithub()
    emails = [{ email: 'Zoe@Example.org', primary: true, verified: true }]
    callbackIssuer = 'https://github.com/login/oauth'
    expect(await new Browser().follow(`${base}${start}`)).toBe(`${home}?error=access_denied`)
    callbackIssuer = undefined
    expect((await loginOf()).status).toBe(200)
  })

  it('refuses users whose address GitHub has not verified', async () => {
    await openGithub()
    emails = [{ email: 'ada2@example.org', primary: true, verified: false }]
    const back = await new Browser().follow(`${base}${start}`)
    expect(new URL(back).searchParams.get('code')).toBeNull()
    expect(await site.server.octavo.store.query(`select 1 from "up_users" where "provider" = 'one'`)).toEqual(
      [],
    )
  })
})
