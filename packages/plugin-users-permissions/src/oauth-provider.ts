import { foldEmail } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'
import { providerFetch, sendSecret, verifiedAddress } from '@octavo/server/attempts'
import type { Configuration } from 'openid-client'
import { isEmailText } from './input/input.ts'
import type { OAuthProvider, UsersPermissionsOptions } from './options.ts'

/** The identity of a user whom a provider has authenticated. */
export interface Profile {
  readonly subject: string
  readonly email: string
  readonly name: string
}

/** @throws Error for an incomplete provider. */
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

const configurations = new WeakMap<OAuthProvider, Promise<Configuration>>()

export function configurationOf(provider: OAuthProvider): Promise<Configuration> {
  const known = configurations.get(provider)
  if (known) return known
  const made = discover(provider)
  configurations.set(provider, made)
  // A failed discovery is repeated by the next login.
  made.catch(() => configurations.delete(provider))
  return made
}

async function discover({ preset, issuer, clientId, clientSecret }: OAuthProvider): Promise<Configuration> {
  const client = await import('openid-client')
  if (preset === 'github') {
    const { web } = githubAt(issuer)
    const metadata = {
      // As callbacks name it in `iss`.
      issuer: `${web}/login/oauth`,
      authorization_endpoint: `${web}/login/oauth/authorize`,
      token_endpoint: `${web}/login/oauth/access_token`,
    }
    const configuration = new client.Configuration(metadata, clientId, clientSecret)
    configuration[client.customFetch] = providerFetch
    if (isLocal(new URL(web))) client.allowInsecureRequests(configuration)
    return configuration
  }
  const url = new URL(issuer ?? (preset === 'google' ? 'https://accounts.google.com' : ''))
  const sent = sendSecret(client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret))
  return client.discovery(url, clientId, clientSecret, sent, {
    [client.customFetch]: providerFetch,
    execute: [client.enableNonRepudiationChecks, ...(isLocal(url) ? [client.allowInsecureRequests] : [])],
  })
}

/** Unencrypted HTTP is accepted on the loopback address only, for development. */
const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const githubCom = 'https://github.com'

/** GitHub has OAuth without discovery; a GitHub Enterprise Server has its API below its own URL. */
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

/** Checks issuer, audience, signature, nonce, state and code challenge. @throws Error when a check fails. */
export async function profileOf(
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
  if (!claims || !isSubject(claims.sub)) throw new Error('The provider gave no identity')
  const own = verifiedAddress(claims)
  const info =
    own === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims
  const email = own ?? verifiedAddress(info)
  // An address that the provider has not verified may belong to another person.
  if (email === undefined || !isEmailText(email)) throw new Error('The provider knows no verified address')
  const name = [info.preferred_username, info.name].find((text) => typeof text === 'string' && text !== '')
  return {
    subject: claims.sub,
    email: foldEmail(email),
    name: typeof name === 'string' ? name : email,
  }
}

/** Whether an identifier of a person can be stored. OpenID Connect has at most 255 characters of ASCII. */
const isSubject = (text: string): boolean => /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text)

interface GithubEmail {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

async function githubProfile(token: string, api: string): Promise<Profile> {
  const get = async (path: string): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'octavo',
    }
    const response = await providerFetch(api + path, { headers })
    if (!response.ok) throw new Error(`GitHub answered ${response.status}`)
    return response.json()
  }
  const user = (await get('/user')) as { id?: unknown; login?: unknown } | null
  const emails = await get('/user/emails')
  if (!Array.isArray(emails)) throw new Error('GitHub answered with no list of addresses')
  const primary = (emails as readonly (GithubEmail | null)[]).find(
    (email) => email?.primary === true && email.verified === true && typeof email.email === 'string',
  )
  if (typeof user?.id !== 'number' || typeof user.login !== 'string' || !primary)
    throw new Error('GitHub knows no verified address')
  return { subject: String(user.id), email: foldEmail(primary.email), name: user.login }
}
