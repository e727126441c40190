import { type Octavo, type OctavoError, param, sql } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import type { Configuration } from 'openid-client'
import { sendSession } from './auth.ts'
import { userRows } from './content-rows.ts'
import { userUid } from './content-types.ts'
import { isEmailText, readTexts } from './input.ts'
import { printable } from './names.ts'
import type { OAuthProvider, UsersPermissionsOptions } from './options.ts'
import { problem } from './problems.ts'
import { publicUrl } from './public-url.ts'
import type { Tools } from './routes.ts'
import { hashToken, makeToken } from './secret-token.ts'
import type { Service } from './service.ts'
import { takenIn } from './user-input.ts'
import { bodyOf } from './users.ts'

/** What is known of somebody whom a provider has let in. */
interface Profile {
  readonly subject: string
  readonly email: string
  readonly name: string
}

/** Minutes that somebody may take to log in at the provider. */
const stateMinutes = 10
/** Seconds in which the site must fetch the token. */
const codeSeconds = 60

/** Binds a login to the browser in which it began. */
const cookieName = 'octavo_connect'

const invalid = (message: string): OctavoError => problem('auth/connect', { message })

/** @throws Error for a provider that is not complete. */
export function checkProviders(options: UsersPermissionsOptions): void {
  for (const [name, provider] of Object.entries(options.providers ?? {})) {
    if (!/^[a-z0-9-]+$/.test(name) || name === 'local')
      throw new Error(`providers: "${name}" is no name for one`)
    if (provider.callbacks.length === 0)
      throw new Error(`providers.${name}.callbacks: name the page that people come back to`)
    for (const url of provider.callbacks) new URL(url)
    if (!provider.preset && !URL.canParse(provider.issuer ?? ''))
      throw new Error(`providers.${name}.issuer: give the address of the issuer, or a preset`)
  }
}

/**
 * `GET /connect/:provider`: leads to the provider, with PKCE, a state that works once, and a nonce. `?callback=` is where
 * the site wants people back; it must be one of those that are configured, to the letter.
 */
export async function connect(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect')
  const { name, provider } = providerOf(context, tools)
  const wanted = context.query.callback
  const callback =
    wanted === undefined ? provider.callbacks[0] : provider.callbacks.find((url) => url === wanted)
  if (callback === undefined) throw invalid('The callback is none of those that are configured')
  const client = await import('openid-client')
  const [state, browser, nonce, verifier] = [
    makeToken(),
    makeToken(),
    makeToken(),
    client.randomPKCECodeVerifier(),
  ]
  await keep(
    tools.service,
    'state',
    state,
    name,
    { browser: hashToken(browser), nonce, verifier, callback },
    stateMinutes * 60,
  )
  context.cookies.set(cookieName, browser, {
    httpOnly: true,
    sameSite: 'lax',
    secure: context.secure,
    maxAge: stateMinutes * 60_000,
    path: '/',
    overwrite: true,
  })
  const url = client.buildAuthorizationUrl(await configurationOf(provider), {
    redirect_uri: redirectUri(name, tools),
    scope: provider.scope ?? (provider.preset === 'github' ? 'read:user user:email' : 'openid email profile'),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(provider.preset !== 'github' && { nonce }),
  })
  context.redirect(url.href)
}

/** `GET /connect/:provider/callback`: the provider's answer. Leads back to the site with a code that is good for one token. */
export async function connectCallback(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect-callback')
  const { service } = tools
  const { name, provider } = providerOf(context, tools)
  const { state } = readTexts({ state: context.query.state }, { state: {} })
  // Taken before anything is looked at: whatever comes of it, it works once.
  const kept = await take(service, 'state', state, name)
  const browser = context.cookies.get(cookieName)
  context.cookies.set(cookieName, null, { path: '/' })
  if (!kept || browser === undefined || hashToken(browser) !== kept.browser)
    throw invalid('This login was not begun here, or too long ago')
  const { nonce, verifier, callback } = kept as { nonce: string; verifier: string; callback: string } // as connect wrote them
  const profile = await profileOf(provider, context, {
    state,
    nonce,
    verifier,
    redirect: redirectUri(name, tools),
  }).catch((error: unknown) => {
    service.logger.warn({ err: error, provider: name }, 'A provider did not let somebody in')
    return undefined
  })
  if (!profile) return context.redirect(withParam(callback, 'error', 'access_denied'))
  const id = await userOf(profile, name, tools)
  if (id === undefined) return context.redirect(withParam(callback, 'error', 'account_exists'))
  const code = makeToken()
  await keep(service, 'code', code, name, { id }, codeSeconds)
  context.redirect(withParam(callback, 'code', code))
}

/** `POST /connect/:provider/token`: `{ code }` to `{ jwt, user }`. Tokens never stand in a URL, where logs would keep them. */
export async function connectToken(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect-token')
  const { name } = providerOf(context, tools)
  const { code } = readTexts(bodyOf(context), { code: {} })
  const kept = await take(tools.service, 'code', code, name)
  if (typeof kept?.id !== 'number') throw invalid('Incorrect code provided')
  const account = await tools.service.directory.account(kept.id)
  if (!account || account.blocked) throw problem('auth/blocked')
  await sendSession(context, tools, kept.id)
}

function providerOf(
  context: RouteContext,
  { options }: Tools,
): { readonly name: string; readonly provider: OAuthProvider } {
  const name = context.params.provider ?? ''
  const providers = options.providers ?? {}
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (!provider) throw problem('auth/no-provider')
  return { name, provider }
}

const redirectUri = (name: string, { options, prefix }: Tools): string =>
  `${publicUrl(options)}${prefix}/connect/${name}/callback`

const configurations = new WeakMap<OAuthProvider, Promise<Configuration>>()

function configurationOf(provider: OAuthProvider): Promise<Configuration> {
  const known = configurations.get(provider)
  if (known) return known
  const made = discover(provider)
  configurations.set(provider, made)
  // An issuer that was away once is asked again.
  made.catch(() => configurations.delete(provider))
  return made
}

async function discover({ preset, issuer, clientId, clientSecret }: OAuthProvider): Promise<Configuration> {
  const client = await import('openid-client')
  if (preset === 'github') {
    const { web } = githubAt(issuer)
    const metadata = {
      issuer: web,
      authorization_endpoint: `${web}/login/oauth/authorize`,
      token_endpoint: `${web}/login/oauth/access_token`,
    }
    const configuration = new client.Configuration(metadata, clientId, clientSecret)
    if (isLocal(new URL(web))) client.allowInsecureRequests(configuration)
    return configuration
  }
  const url = new URL(issuer ?? (preset === 'google' ? 'https://accounts.google.com' : ''))
  return client.discovery(
    url,
    clientId,
    clientSecret,
    undefined,
    isLocal(url) ? { execute: [client.allowInsecureRequests] } : undefined,
  )
}

/** In the clear only on this machine: for development. */
const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const githubCom = 'https://github.com'

/** GitHub speaks OAuth without discovery; an Enterprise Server has its API below its own address. */
function githubAt(issuer = githubCom): { readonly web: string; readonly api: string } {
  const web = issuer.replace(/\/$/, '')
  return { web, api: web === githubCom ? 'https://api.github.com' : `${web}/api/v3` }
}

interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirect: string
}

/** Issuer, audience, signature, nonce, state and code challenge are checked in here. @throws when anything is not as it must be. */
async function profileOf(
  provider: OAuthProvider,
  context: RouteContext,
  { state, nonce, verifier, redirect }: Checks,
): Promise<Profile> {
  const client = await import('openid-client')
  const configuration = await configurationOf(provider)
  const current = new URL(`${redirect}?${context.querystring}`)
  const isGithub = provider.preset === 'github'
  const tokens = await client.authorizationCodeGrant(configuration, current, {
    expectedState: state,
    pkceCodeVerifier: verifier,
    ...(!isGithub && { expectedNonce: nonce, idTokenExpected: true }),
  })
  if (isGithub) return githubProfile(tokens.access_token, githubAt(provider.issuer).api)
  const claims = tokens.claims()
  if (!claims) throw new Error('The provider gave no identity')
  const info =
    typeof claims.email === 'string'
      ? claims
      : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  // An address that the provider has not seen answered could be anybody's.
  if (typeof info.email !== 'string' || !isEmailText(info.email) || info.email_verified !== true)
    throw new Error('The provider knows no verified address')
  const name = [info.preferred_username, info.name].find((text) => typeof text === 'string')
  return {
    subject: claims.sub,
    email: info.email.toLowerCase(),
    name: typeof name === 'string' ? name : info.email,
  }
}

async function githubProfile(token: string, api: string): Promise<Profile> {
  const get = async (path: string): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'octavo',
    }
    const response = await fetch(api + path, {
      headers,
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`GitHub answered ${response.status}`)
    return response.json()
  }
  const user = (await get('/user')) as { id?: unknown; login?: unknown }
  const emails = (await get('/user/emails')) as readonly {
    email: string
    primary: boolean
    verified: boolean
  }[]
  const primary = emails.find((email) => email.primary && email.verified)
  if (typeof user.id !== 'number' || typeof user.login !== 'string' || !primary)
    throw new Error('GitHub knows no verified address')
  return { subject: String(user.id), email: primary.email.toLowerCase(), name: user.login }
}

/**
 * Whoever the provider's subject is, made when new. `undefined` when somebody else has the address: a login elsewhere
 * does not open an account that has a password here.
 */
async function userOf(
  profile: Profile,
  provider: string,
  { service, options, asItself }: Tools,
): Promise<number | undefined> {
  const { store, registry } = service.octavo
  const known = await userRows(store, registry).first({
    where: { provider, providerSubject: profile.subject },
    select: ['id'],
  })
  if (known) return known.id
  if (await takenIn({ email: profile.email }, undefined, store, registry)) return undefined
  if (options.register?.enabled === false) throw problem('auth/register-off')
  const role = await service.directory.roleOfType(options.register?.defaultRole ?? 'authenticated')
  if (!role) throw problem('auth/no-role')
  const { data } = await service.octavo.write({
    type: registry.contentType(userUid),
    action: 'create',
    input: {
      username: await freeName(profile.name, service.octavo),
      email: profile.email,
      provider,
      providerSubject: profile.subject,
      role: role.id,
      confirmed: true,
      blocked: false,
    },
    query: 'fields=id',
    state: asItself,
  })
  return (JSON.parse(data ?? '{}') as { id: number }).id // what was just created
}

/** A username like the one that the provider gave, of characters that a username may have, which no user has. */
async function freeName(wanted: string, { store, registry }: Octavo): Promise<string> {
  const name = printable(wanted).slice(0, 60).trim().padEnd(3, '_')
  const taken = await takenIn({ username: name }, undefined, store, registry)
  return taken === undefined ? name : `${name.slice(0, 50)}-${makeToken().slice(0, 8)}`
}

async function keep(
  { octavo, tables }: Service,
  kind: string,
  secret: string,
  provider: string,
  value: object,
  seconds: number,
): Promise<void> {
  const logins = octavo.store.rows(tables.logins)
  await logins.delete({ where: { expires: { $lt: sql`now()` } } })
  await logins.insert({
    hash: hashToken(secret),
    kind,
    provider,
    value: JSON.stringify(value),
    expires: sql`now() + make_interval(secs => ${param(seconds, 'int')})`,
  })
}

/** What was kept under a secret; it is gone then. `undefined` when there is nothing, or it is too old. */
async function take(
  { octavo, tables }: Service,
  kind: string,
  secret: string,
  provider: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await octavo.store.rows(tables.logins).delete({
    where: { hash: hashToken(secret), kind, provider, expires: { $gt: sql`now()` } },
    returning: ['value'],
  })
  return row && (JSON.parse(row.value) as Readonly<Record<string, unknown>>) // an object, as keep wrote it
}

const withParam = (url: string, name: string, value: string): string => {
  const target = new URL(url)
  target.searchParams.set(name, value)
  return target.href
}
