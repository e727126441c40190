/** Signing in at an issuer of OpenID Connect. */
import { editors } from '@octavo/plugin-editors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenIdOptions } from '../src/options.ts'
import { article, type DeskSite, openDesk, type Person, password } from './desk.ts'
import { clientId, clientSecret, openIssuer, type TestIssuer } from './issuer.ts'

let issuer: TestIssuer
let site: DeskSite
beforeEach(async () => {
  issuer = await openIssuer()
})
afterEach(async () => {
  await site?.close()
  await issuer.close()
})

const ada = { sub: 'ada at the issuer', email: 'Ada@Example.org', email_verified: true }
const zoe = { sub: 'zoe at the issuer', email: 'zoe@example.org', email_verified: true, given_name: 'Zoe' }

const open = async (more: Partial<OpenIdOptions> = {}, passwords?: false) => {
  const openId = { issuer: issuer.url, clientId, clientSecret, name: 'Example', ...more }
  site = await openDesk({ openId, ...(passwords === false && { passwords }) })
}

/** A browser, which keeps the cookies of the desk. */
class Browser {
  readonly cookies = new Map<string, string>()

  /** Headers of a browser that the issuer leads back. */
  async get(address: string) {
    const url = new URL(address, site.url)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const isOwn = url.origin === site.url
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: isOwn
        ? { cookie, 'sec-fetch-site': url.pathname.endsWith('/callback') ? 'cross-site' : 'same-origin' }
        : {},
    })
    for (const line of isOwn ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', answer }
  }

  /** Begins a sign-in. @returns the callback with its code */
  async begin(query = ''): Promise<string> {
    const { location } = await this.get(`/desk/api/openid${query}`)
    return (await this.get(location)).location
  }

  /** Signs in. @returns the page of the desk */
  async signIn(query = ''): Promise<string> {
    return (await this.get(await this.begin(query))).location
  }

  person(): Person {
    const person = site.visitor()
    const cookie = this.cookies.get('octavo_desk')
    if (cookie !== undefined) person.cookie = `octavo_desk=${cookie}`
    return person
  }
}

/** Signs in in a browser of its own. */
const signIn = (claims: object) => {
  issuer.claims = { ...claims }
  return new Browser().signIn()
}

const tables = async () => [
  await site.server.octavo.store.query('select count(*)::int as n from octavo_editor_sessions'),
  await site.server.octavo.store.query('select count(*)::int as n from desk_editors'),
]

describe('Signing in at the issuer', () => {
  it('finds the person of the verified address, with PKCE, state, nonce and a cookie for this browser', async () => {
    await open()
    expect((await site.visitor().get('sign-in')).body).toEqual({
      passwords: true,
      openId: { name: 'Example' },
    })
    issuer.claims = ada
    const browser = new Browser()
    const { location, answer } = await browser.get('/desk/api/openid?to=/desk/content/articles?x=1')
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: `${site.url}/desk/api/openid/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^octavo_desk_openid_[0-9a-f]{16}=.{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const callback = (await browser.get(location)).location
    const back = await browser.get(callback)
    expect(back.location).toBe('/desk/content/articles?x=1')
    expect(back.answer.headers.getSetCookie().at(-1)).toMatch(/^octavo_desk=.*HttpOnly; SameSite=Strict$/)
    expect([...browser.cookies.keys()]).toEqual(['octavo_desk'])
    expect((await browser.person().get('me')).body.person).toMatchObject({ id: 1, email: 'ada@example.org' })
    // The account stays the person's when the address there is another one, verified or not.
    expect(await signIn({ sub: ada.sub, email: 'other@example.org' })).toBe('/desk')
  })

  it('behind TLS, the cookie has the prefix __Host- and Secure', async () => {
    site = await openDesk(
      { openId: { issuer: issuer.url, clientId, clientSecret, publicUrl: 'https://desk.example.org/' } },
      { proxies: 1 },
    )
    const answer = await fetch(`${site.url}/desk/api/openid`, {
      redirect: 'manual',
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.1' },
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-octavo_desk_openid_[0-9a-f]{16}=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
    )
    const asked = new URL(answer.headers.get('location') ?? '').searchParams
    expect(asked.get('redirect_uri')).toBe('https://desk.example.org/desk/api/openid/callback')
  })

  it('is the only way where passwords are off', async () => {
    await open({}, false)
    expect((await site.visitor().get('sign-in')).body.passwords).toBe(false)
    const visitor = site.visitor()
    for (const [path, body] of [
      ['login', { email: 'ada@example.org', password }],
      ['accept', { token: 'x', password }],
      ['forgot-password', { email: 'ada@example.org' }],
    ] as const)
      expect(await visitor.post(path, body)).toMatchObject({
        status: 403,
        body: { error: { details: { code: 'desk/passwords-off' } } },
      })
    expect(await signIn(ada)).toBe('/desk')
  })

  it('says that the server failed where its database did, and gives no account as the reason', async () => {
    await open()
    const rename = (from: string, to: string) =>
      site.server.octavo.store.query(`alter table ${from} rename to ${to}`)
    for (const table of ['octavo_editor_identities', 'octavo_editor_sessions']) {
      await rename(table, 'away')
      expect([table, await signIn(ada)]).toEqual([table, '/desk?refused=server'])
      await rename('away', table)
    }
    expect(await signIn(ada)).toBe('/desk')
  })

  it('is checked at the start', async () => {
    expect(() => editors({ passwords: false }).setup({} as never)).toThrow('needs openId')
    const openId = { issuer: 'http://issuer.example', clientId, clientSecret }
    expect(() => editors({ openId }).setup({} as never)).toThrow('openId.issuer must be a URL with https')
    expect(() =>
      editors({ openId: { ...openId, issuer: 'https://x.example', clientSecret: '' } }).setup({} as never),
    ).toThrow('openId.clientSecret is missing')
  })

  it('leads back with the reason when the issuer is not the configured one', async () => {
    // Another address than that of which its configuration speaks.
    await open({ issuer: `${issuer.url}/another` })
    expect((await new Browser().get('/desk/api/openid')).location).toBe('/desk?refused=issuer')
  })
})

describe('Sign-ins of two tabs', () => {
  it('end both, in any order', async () => {
    await open()
    issuer.claims = ada
    const browser = new Browser()
    const [first, second] = await Promise.all([browser.begin('?to=/desk/media'), browser.begin()])
    expect((await browser.get(second)).location).toBe('/desk')
    expect((await browser.get(first)).location).toBe('/desk/media')
  })

  it('have cookies of which a browser keeps eight, those of the last ones', async () => {
    await open()
    issuer.claims = ada
    const browser = new Browser()
    const began: string[] = []
    for (let i = 0; i < 12; i++) began.push(await browser.begin())
    expect(browser.cookies.size).toBe(8)
    expect((await browser.get(began[3] ?? '')).location).toBe('/desk?refused=late')
    for (const at of began.slice(4)) expect((await browser.get(at)).location).toBe('/desk')
  })
})

describe('Roles by a claim', () => {
  const roles = { claim: 'groups', names: { admins: ['Super Admin'], writers: ['Author'] } }
  const write = { action: 'update', type: article } as const
  const rolesOf = async (browser: Browser) => {
    const { body } = await browser.person().get('me')
    return body.roles.map(({ name }: { name: string }) => name).sort()
  }
  const makeRole = async (name: string, rights: readonly object[]) => {
    const { status, body } = await (await site.person('ada@example.org')).post('roles', { name, rights })
    expect(status).toBe(201)
    return body.id as number
  }
  const enter = async (claims: object) => {
    issuer.claims = { ...claims }
    const browser = new Browser()
    return { page: await browser.signIn(), browser }
  }

  it('are given and taken with each sign-in; other roles stay', async () => {
    await open({ create: true, roles })
    await makeRole('Author', [write])
    const reviewer = await makeRole('Reviewer', [])
    const first = await enter({ ...zoe, groups: ['writers', 'strangers', 7] })
    expect(first.page).toBe('/desk')
    expect(await rolesOf(first.browser)).toEqual(['Author'])
    const boss = await site.person('ada@example.org')
    const { body: people } = await boss.get('people')
    expect(people[1]).toMatchObject({ email: 'zoe@example.org', firstname: 'Zoe', invited: false })
    await boss.put('people/2', { roles: [...people[1].roles, reviewer] })
    const second = await enter({ ...zoe, groups: 'admins' })
    expect(await rolesOf(second.browser)).toEqual(['Reviewer', 'Super Admin'])
    const third = await enter({ ...zoe })
    expect(await rolesOf(third.browser)).toEqual(['Reviewer'])
  })

  it('come from objects and from /userinfo as well', async () => {
    await open({ create: true, roles: { ...roles, claim: ['realm_access', 'roles'] } })
    await makeRole('Author', [write])
    issuer.info = { ...zoe, realm_access: { roles: ['writers'] } }
    const { browser } = await enter({ sub: zoe.sub })
    expect(await rolesOf(browser)).toEqual(['Author'])
  })

  it.each([
    [['client_secret_basic']],
    [['client_secret_post']],
    [['client_secret_post', 'client_secret_basic']],
  ] as const)('sends its secret in a way that the issuer supports: %j', async (secrets) => {
    issuer.secrets = secrets
    await open()
    expect(await signIn(ada)).toBe('/desk')
  })

  it.each([
    ['an invisible character', 'zo\u200be@example.org'],
    ['a zero byte', 'zo\0e@example.org'],
    ['half a character', 'zo\ud800e@example.org'],
  ])('S-64: nobody becomes an editor by an address with %s', async (_what, email) => {
    await open({ create: true, roles })
    expect(await signIn({ ...zoe, email, groups: ['admins'] })).toBe('/desk?refused=no-account')
  })

  it('S-64: nobody becomes an editor, or an administrator, without the configuration', async () => {
    await open()
    expect(await signIn({ ...zoe, groups: ['admins'] })).toBe('/desk?refused=no-account')
    await site.close()
    // No role of the claim: no account.
    await open({ create: true, roles })
    for (const groups of [undefined, [], ['Super Admin'], ['constructor'], ['__proto__'], { admins: true }])
      expect([groups, await signIn({ ...zoe, groups })]).toEqual([groups, '/desk?refused=no-account'])
    await site.close()
    // A role for everybody never administers.
    for (const rights of [[{ action: 'everything' }], [write, { action: 'people' }]]) {
      await open({ create: { role: 'All' } })
      await makeRole('All', rights)
      expect(await signIn(zoe)).toBe('/desk?refused=server')
      await site.close()
    }
    await open({ create: { role: 'Author' } })
    expect(await signIn(zoe)).toBe('/desk?refused=server')
    await makeRole('Author', [write])
    expect(await rolesOf((await enter(zoe)).browser)).toEqual(['Author'])
  })

  it('S-56: never take the last right to manage roles', async () => {
    await open({ roles })
    expect(await signIn(ada)).toBe('/desk?refused=server')
    expect(await signIn({ ...ada, groups: ['admins'] })).toBe('/desk')
  })
})

describe('S-63: A sign-in of somebody else', () => {
  it('is refused for a code that was used, a state that is late, or another browser', async () => {
    await open()
    issuer.claims = ada
    const browser = new Browser()
    const callback = await browser.begin()
    const thief = new Browser()
    await thief.begin()
    // The thief's browser began another sign-in. The first one is over with this attempt.
    expect((await thief.get(callback)).location).toBe('/desk?refused=late')
    expect((await browser.get(callback)).location).toBe('/desk?refused=late')
    expect(await browser.signIn()).toBe('/desk')
    const twice = await browser.begin()
    const answers = await Promise.all([1, 2, 3].map(() => browser.get(twice)))
    expect(answers.map(({ location }) => location).sort()).toEqual([
      '/desk',
      '/desk?refused=late',
      '/desk?refused=late',
    ])
    const late = await browser.begin()
    await site.server.octavo.store.query(
      `update octavo_editor_openid set expires_at = now() - interval '1 second'`,
    )
    expect((await browser.get(late)).location).toBe('/desk?refused=late')
    // The attacker's own code in the browser of a victim who has begun a sign-in (S-42).
    const victim = new Browser()
    const own = new URL(await victim.begin())
    own.searchParams.set('code', new URL(await thief.begin()).searchParams.get('code') ?? '')
    expect((await victim.get(own.href)).location).toBe('/desk?refused=issuer')
    for (const query of ['', '?state=x', '?state[]=x&code=1', '?error=access_denied'])
      expect((await new Browser().get(`/desk/api/openid/callback${query}`)).location).toBe(
        '/desk?refused=late',
      )
  })

  it('is refused for a token of another nonce, issuer, audience, time, signature, or none', async () => {
    await open()
    issuer.claims = ada
    const hour = 3_600
    const forged: readonly [string, (claims: object) => object][] = [
      ['nonce', (claims) => ({ ...claims, nonce: 'another' })],
      ['no nonce', (claims) => ({ ...claims, nonce: undefined })],
      ['issuer', (claims) => ({ ...claims, iss: 'https://issuer.example' })],
      ['audience', (claims) => ({ ...claims, aud: 'another client' })],
      ['audiences', (claims) => ({ ...claims, aud: [clientId, 'another'], azp: 'another' })],
      ['time', (claims) => ({ ...claims, iat: 1, exp: Math.floor(Date.now() / 1_000) - hour })],
      ['no subject', (claims) => ({ ...claims, sub: undefined })],
    ]
    for (const [what, forge] of forged) {
      issuer.forge = forge as typeof issuer.forge
      expect([what, await new Browser().signIn()]).toEqual([what, '/desk?refused=issuer'])
    }
    issuer.forge = (claims) => claims
    for (const signed of ['not at all', 'by somebody else'] as const) {
      issuer.signed = signed
      expect([signed, await new Browser().signIn()]).toEqual([signed, '/desk?refused=issuer'])
    }
    issuer.signed = 'by the issuer'
    expect(await tables()).toEqual([[['0']], [['1']]])
    expect(await new Browser().signIn()).toBe('/desk')
  })

  it('is begun by pages of this server only, and changes nothing by itself', async () => {
    await open()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect((await site.visitor().send('GET', 'openid', undefined, headers as never)).status).toBe(403)
  })
})

describe('S-64: An account of the issuer', () => {
  it('is not linked to an editor by an address that is not verified, nor a second one by any', async () => {
    await open({ create: true })
    for (const email_verified of [false, undefined, 'true', 1])
      expect(await signIn({ ...ada, email_verified })).toBe('/desk?refused=no-account')
    expect(await signIn({ sub: ada.sub })).toBe('/desk?refused=no-account')
    expect(await signIn(ada)).toBe('/desk')
    expect(await signIn({ ...ada, sub: 'another account' })).toBe('/desk?refused=no-account')
  })

  it('is linked by an address that only /userinfo confirms, as with Okta', async () => {
    await open()
    const { email_verified: _, ...token } = ada
    issuer.info = { email: 'other@example.org', email_verified: true }
    expect(await signIn(token)).toBe('/desk?refused=no-account')
    issuer.info = { email: ada.email, email_verified: true }
    expect(await signIn(token)).toBe('/desk')
  })

  it('is linked by an address whose domain belongs to the tenant of Entra ID', async () => {
    await open()
    const token = { sub: ada.sub, email: ada.email }
    issuer.info = { email: ada.email }
    for (const xms_edov of [undefined, false, 0, '0', 'false', null])
      expect(await signIn({ ...token, xms_edov })).toBe('/desk?refused=no-account')
    expect(await signIn({ ...token, email_verified: false, xms_edov: true })).toBe('/desk?refused=no-account')
    for (const xms_edov of ['1', true]) {
      expect(await signIn({ ...token, sub: `as ${xms_edov}`, xms_edov })).toBe('/desk')
      await site.server.octavo.store.query('delete from octavo_editor_identities')
    }
  })

  it('does not open an account that has ended', async () => {
    await open()
    const boss = await site.person('ada@example.org')
    const invited = await boss.post('people', { email: zoe.email })
    expect(await signIn(zoe)).toBe('/desk')
    // Whoever has kept the invitation sets no password any more.
    expect((await site.visitor().post('accept', { token: invited.body.token, password })).status).toBe(400)
    await boss.put(`people/${invited.body.person.id}`, { active: false })
    expect(await signIn(zoe)).toBe('/desk?refused=no-account')
    await boss.delete(`people/${invited.body.person.id}`)
    expect(await signIn(zoe)).toBe('/desk?refused=no-account')
    // A person who was not active when the account came for the first time.
    const other = await boss.post('people', { email: 'old@example.org', active: false })
    expect(other.status).toBe(201)
    await boss.put(`people/${other.body.person.id}`, { active: false })
    expect(await signIn({ sub: 'old', email: 'old@example.org', email_verified: true })).toBe(
      '/desk?refused=no-account',
    )
  })
})

describe('S-15: The page after a sign-in', () => {
  it('is one of this desk', async () => {
    await open()
    issuer.claims = ada
    for (const to of [
      'https://evil.example/desk',
      '//evil.example/desk',
      '/\\evil.example/desk',
      '/desk/../x',
      '/desk/..%2f..//evil.example',
      '/deskevil',
      '/desk/api/logout',
      '/desk/%2e%2e/x',
      'javascript:alert(1)',
      'desk@evil.example',
      '',
    ]) {
      const answer = await new Browser().get(`/desk/api/openid?to=${encodeURIComponent(to)}`)
      const isRefused = answer.status === 400
      // A path that stays on this server leads to a page of the desk that does not exist.
      expect([to, isRefused || new URL(answer.location).origin === issuer.url]).toEqual([to, true])
      if (isRefused) continue
      const page = await new Browser().signIn(`?to=${encodeURIComponent(to)}`)
      expect([to, new URL(page, site.url).href.startsWith(`${site.url}/desk/`)]).toEqual([to, true])
    }
    expect((await new Browser().get('/desk/api/openid?to=/desk&to=//evil.example')).status).toBe(400)
    expect(await new Browser().signIn('?to=/desk/content/articles/7%3Fa=1%26b=2')).toBe(
      '/desk/content/articles/7?a=1&b=2',
    )
  })
})
