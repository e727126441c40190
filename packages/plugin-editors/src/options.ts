import { ConfigurationError } from '@octavo/core'
import { accepts, type KeysOf } from '@octavo/core/internal'
import { readKeys } from './sealing.ts'

export interface EditorsOptions {
  /**
   * The page that links of invitations and forgotten passwords lead to; the token follows behind `#`, where no log of a server sees it.
   * Default `/desk/accept` of this server.
   */
  readonly acceptUrl?: string
  readonly sessions?: {
    /** A session ends after this time without a request, in seconds. Default 8 hours. */
    readonly idle?: number
    /** A session ends after this time, in seconds. Default 7 days. */
    readonly longest?: number
  }
  readonly links?: {
    /** Validity of an invitation, and of the link for the first editor, in hours. Default 48. */
    readonly invitation?: number
    /** Validity of a link for a forgotten password, in minutes. Default 60. */
    readonly reset?: number
  }
  readonly email?: {
    /** The argument of `nodemailer.createTransport`: an SMTP URL or options. Default: mails are logged. */
    readonly transport?: string | Readonly<Record<string, unknown>>
    /** The sender. Default `no-reply@localhost`. */
    readonly from?: string
  }
  readonly rateLimit?: {
    /** Attempts in `duration` from one address, and separately for one account. Default 5. */
    readonly points?: number
    /** The time in which attempts are counted, in seconds. Default 60. */
    readonly duration?: number
  }
  /**
   * Keys that encrypt the secrets of second factors, 32 random bytes in base64 each. The first one encrypts, all of them decrypt. Default:
   * those in `OCTAVO_ENCRYPTION_KEYS`, with spaces or commas between them; without any, the secrets are stored as they are.
   */
  readonly encryptionKeys?: readonly string[]
  /** The issuer at which editors may sign in, by OpenID Connect. Default none. */
  readonly openId?: OpenIdOptions
  /** Whether editors may sign in with a password. `false` needs `openId`. Default true. */
  readonly passwords?: boolean
}

export interface OpenIdOptions {
  /** The URL of the issuer, whose configuration is discovered. */
  readonly issuer: string
  /** The id of the application, from the issuer. */
  readonly clientId: string
  /** The secret of the application, from the issuer. */
  readonly clientSecret: string
  /** The name of the issuer on the page to sign in. Default: the host of the issuer. */
  readonly name?: string
  /**
   * The public URL of this server, to whose `/desk/api/openid/callback` the issuer leads back. Default: the origin of `acceptUrl`, or
   * the address at which the server listens. It is never taken from a request.
   */
  readonly publicUrl?: string
  /** The scopes that are requested. Default `openid email profile`. */
  readonly scope?: string
  /** Roles that follow a claim of the issuer. Default: roles are given at the desk only. */
  readonly roles?: {
    /** The claim, a text or a list of texts; a list of names leads into objects: `['realm_access', 'roles']`. */
    readonly claim: string | readonly string[]
    /** Roles by values of the claim: `{ 'site-authors': ['Author'] }`. Each sign-in gives and takes these roles; others stay. */
    readonly names: Readonly<Record<string, readonly string[]>>
  }
  /**
   * Whether people without an account get one, with the roles of the claim. `{ role }` gives everybody a role, which may have rights
   * on content only. Default false: only people who were invited sign in.
   */
  readonly create?: boolean | { readonly role: string }
}

const seconds = accepts.size
const transport = accepts.either(accepts.text('smtp://localhost'), accepts.object)

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  acceptUrl: accepts.url('https://www.example.org/desk/accept'),
  sessions: { idle: seconds, longest: seconds },
  links: { invitation: seconds, reset: seconds },
  email: { transport, from: accepts.text('no-reply@example.org') },
  rateLimit: { points: accepts.wholeNumber(1), duration: accepts.wholeNumber(1) },
  encryptionKeys: accepts.texts('the output of openssl rand -base64 32'),
  openId: {
    issuer: true,
    clientId: true,
    clientSecret: true,
    name: accepts.text('Example'),
    publicUrl: accepts.url('https://www.example.org'),
    scope: accepts.text('openid email profile'),
    roles: {
      claim: accepts.either(accepts.text('groups'), accepts.texts('groups')),
      // The names of roles are the project's own.
      names: { '*': accepts.texts('Author') },
    },
    create: accepts.orObject(accepts.flag, { role: accepts.text('Author') }),
  },
  passwords: accepts.flag,
} as const satisfies KeysOf<EditorsOptions>

/** The options with their defaults; times in seconds. @throws ConfigurationError */
export function withDefaults(options: EditorsOptions) {
  const { acceptUrl, sessions, links, email, rateLimit, encryptionKeys, openId, passwords = true } = options
  if (openId) checkOpenId(openId)
  if (!passwords && !openId)
    throw new ConfigurationError('editors: passwords: false needs openId, or nobody could sign in')
  return {
    acceptUrl,
    idle: sessions?.idle ?? 8 * 3_600,
    longest: sessions?.longest ?? 7 * 86_400,
    invitation: (links?.invitation ?? 48) * 3_600,
    reset: (links?.reset ?? 60) * 60,
    email: email ?? {},
    rateLimit,
    keys: readKeys(encryptionKeys),
    openId,
    passwords,
  }
}

function checkOpenId({ issuer, publicUrl, clientId, clientSecret }: OpenIdOptions): void {
  for (const [name, url] of Object.entries({ issuer, ...(publicUrl !== undefined && { publicUrl }) }))
    if (!URL.canParse(url) || !(new URL(url).protocol === 'https:' || isLoopback(new URL(url))))
      throw new ConfigurationError(`editors.openId.${name} must be a URL with https, not "${url}"`)
  for (const [name, value] of Object.entries({ clientId, clientSecret }))
    if (typeof value !== 'string' || value === '')
      throw new ConfigurationError(`editors.openId.${name} is missing`)
}

/** Unencrypted HTTP is for development on one machine only. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

export type Settings = ReturnType<typeof withDefaults>
