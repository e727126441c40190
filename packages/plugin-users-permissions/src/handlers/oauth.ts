import { hash } from 'node:crypto'
import { OctavoError } from '@octavo/core'
import type { RouteContext } from '@octavo/server'
import { abandonedLoginCookies, loginCookieName, reasonOfFailure } from '@octavo/server/attempts'
import { readTexts } from '../input/input.ts'
import { bodyOf } from '../input/request.ts'
import { configurationOf, profileOf } from '../oauth-provider.ts'
import type { OAuthProvider } from '../options.ts'
import { problem } from '../problems.ts'
import { hashToken, makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { storeUnder, takeStored } from './oauth-state.ts'
import { userOf } from './oauth-user.ts'
import { publicUrl } from './public-url.ts'
import { sendSession } from './session.ts'

/** Maximum duration of a login at the provider, in minutes. */
const stateMinutes = 10
/** Time for the site to fetch the token, in seconds. */
const codeSeconds = 60

/** The cookies that bind a login, and the code in which it ends, to the browser in which it began. */
const cookieName = 'octavo_connect'
const codeCookieName = 'octavo_connect_code'

/** A SHA-256 in base64url. */
const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

const invalid = (message: string): OctavoError => problem('auth/connect', { message })

/**
 * `GET /connect/:provider`: redirects to the provider, with PKCE, a state that is valid once, and a nonce. `?callback=` is
 * the page of the site to return to; it must equal one of the configured callbacks. `?challenge=` is the SHA-256, in base64url,
 * of a verifier that the page keeps: the token is then given for the code with the verifier, and otherwise to this browser only.
 */
export async function connect(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect')
  const { name, provider } = providerOf(context, tools)
  const requested = context.query.callback
  const callback =
    requested === undefined ? provider.callbacks[0] : provider.callbacks.find((url) => url === requested)
  if (callback === undefined) throw invalid('The callback is none of those that are configured')
  const { challenge } = context.query
  if (challenge !== undefined && (typeof challenge !== 'string' || !isChallenge(challenge)))
    throw invalid('The challenge is no SHA-256 in base64url')
  const configuration = await configurationOf(provider).catch((error: unknown) => failed(tools, name, error))
  if (!configuration) return context.redirect(withParam(callback, 'error', 'temporarily_unavailable'))
  const client = await import('openid-client')
  const [state, browser, nonce, verifier] = [
    makeToken(),
    makeToken(),
    makeToken(),
    client.randomPKCECodeVerifier(),
  ]
  await storeUnder(
    tools.service,
    'state',
    state,
    name,
    { browser: hashToken(browser), nonce, verifier, callback, challenge },
    stateMinutes * 60,
  )
  for (const left of abandonedLoginCookies(context.req, cookieName)) unbind(context, left)
  bindTo(context, loginCookieName(cookieName, state), browser, expiry(tools.service, stateMinutes * 60))
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(name, tools),
    scope: provider.scope ?? (provider.preset === 'github' ? 'read:user user:email' : 'openid email profile'),
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(provider.preset !== 'github' && { nonce }),
  })
  context.redirect(url.href)
}

/** `GET /connect/:provider/callback`: the provider's response. Redirects to the site with a code for one token. */
export async function connectCallback(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect-callback')
  const { service } = tools
  const { name, provider } = providerOf(context, tools)
  const { state } = readTexts({ state: context.query.state }, { state: {} })
  // Removed before any check, so that a state is valid once even when the login fails.
  const stored = await takeStored(service, 'state', state, name)
  const cookie = loginCookieName(cookieName, state)
  const browser = context.cookies.get(cookie)
  unbind(context, cookie)
  if (!stored || browser === undefined || hashToken(browser) !== stored.browser)
    throw invalid('This login was not begun here, or too long ago')
  const { nonce, verifier, callback, challenge } = stored as Readonly<Record<string, string>> & StoredLogin // as connect wrote them
  const profile = await profileOf(provider, context, {
    state,
    nonce,
    verifier,
    redirect: redirectUri(name, tools),
  }).catch((error: unknown) => failed(tools, name, error))
  if (!profile) return context.redirect(withParam(callback, 'error', 'access_denied'))
  const id = await userOf(profile, name, tools).catch((error: unknown) => reasonOf(tools, name, error))
  if (typeof id === 'string') return context.redirect(withParam(callback, 'error', id))
  const code = makeToken()
  if (challenge === undefined) {
    const next = makeToken()
    bindTo(context, loginCookieName(codeCookieName, code), next, expiry(service, codeSeconds))
    await storeUnder(service, 'code', code, name, { id, browser: hashToken(next) }, codeSeconds)
  } else await storeUnder(service, 'code', code, name, { id, challenge }, codeSeconds)
  context.redirect(withParam(callback, 'code', code))
}

function failed({ service }: Tools, provider: string, error: unknown): undefined {
  service.logger.warn({ reason: reasonOfFailure(error), provider }, 'A login by a provider failed')
}

/**
 * The `error` for the page where no user could be made or found: `refused` by a hook, a rule or an attribute of the users, whose reason is for the log,
 * or `server_error`. The browser is between two pages, and an answer in JSON would be shown to the person.
 */
function reasonOf({ service }: Tools, provider: string, error: unknown): 'refused' | 'server_error' {
  const isRefusal = error instanceof OctavoError && error.status < 500
  const message = 'A login by a provider ended without a user'
  if (isRefusal) service.logger.warn({ code: error.code, reason: error.message, provider }, message)
  else service.logger.error({ err: error, provider }, message)
  return isRefusal ? 'refused' : 'server_error'
}

/** A login that has begun, as it is stored under its state. */
interface StoredLogin {
  readonly nonce: string
  readonly verifier: string
  readonly callback: string
  readonly challenge?: string
}

/** The end of a cookie by the clock of the database, as that of what is stored: the clock of this machine may be set to another time. */
const expiry = ({ octavo }: Tools['service'], seconds: number): Date =>
  new Date(octavo.store.now().getTime() + seconds * 1000)

function bindTo(context: RouteContext, name: string, secret: string, expires: Date): void {
  context.cookies.set(name, secret, {
    httpOnly: true,
    sameSite: 'lax',
    secure: context.secure,
    expires,
    path: '/',
    overwrite: true,
  })
}

const unbind = (context: RouteContext, name: string): void => {
  context.cookies.set(name, null, { path: '/' })
}

/**
 * `POST /connect/:provider/token`: `{ code }` to `{ jwt, user }`. Tokens are never part of a URL, since URLs are logged. A code
 * needs the verifier of the login's challenge, or the cookie of the browser in which the login began. So a code is refused that somebody else
 * sends to a page (a login in a stranger's account) or reads in a log.
 */
export async function connectToken(context: RouteContext, tools: Tools): Promise<void> {
  await tools.limit.address(context, 'connect-token')
  const { name } = providerOf(context, tools)
  const { code, verifier } = readTexts(bodyOf(context), { code: {}, verifier: { required: false } })
  const stored = await takeStored(tools.service, 'code', code, name)
  const cookie = loginCookieName(codeCookieName, code)
  if (typeof stored?.id !== 'number' || !isFrom(stored, verifier, context.cookies.get(cookie)))
    throw invalid('Incorrect code provided')
  unbind(context, cookie)
  const account = await tools.service.directory.account(stored.id)
  if (!account || account.blocked) throw problem('auth/blocked')
  await sendSession(context, tools, { id: stored.id })
}

/** Whether a code was given to whom began the login: by its verifier, or by the cookie of the browser. */
function isFrom(
  { challenge, browser }: Readonly<Record<string, unknown>>,
  verifier: string | undefined,
  cookie: string | undefined,
): boolean {
  if (typeof challenge === 'string')
    return verifier !== undefined && hash('sha256', verifier, 'base64url') === challenge
  return cookie !== undefined && hashToken(cookie) === browser
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

const withParam = (url: string, name: string, value: string): string => {
  const target = new URL(url)
  target.searchParams.set(name, value)
  return target.href
}
