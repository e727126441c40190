import type { Mistake } from '@octavo/core'
import { didYouMean, foldEmail } from '@octavo/core/internal'
import { readId } from '@octavo/core/plugin'
import { etagOf, isFromThisMachine, isSameSite, type RouteContext } from '@octavo/server'
import { abandonedLoginCookies, loginCookieName } from '@octavo/server/attempts'
import { isEmail } from '../accounts/email.ts'
import { maxPasswordBytes, minPasswordLength } from '../accounts/password.ts'
import { problem } from '../problems.ts'

type Body = Readonly<Record<string, unknown>>

/** The fields of the body. The server parsed them; koa-body's type of `request.body` is not visible here. */
export const bodyOf = (context: RouteContext): Body =>
  (context.request as unknown as { readonly body?: Body }).body ?? {}

/** The id in the path. @throws NotFoundError */
export function idOf({ params }: RouteContext): number {
  const id = readId(params.id)
  if (id === undefined) throw problem('desk/not-found')
  return id
}

export function send(context: RouteContext, body: unknown, status = 200): void {
  context.status = status
  context.type = 'application/json'
  context.body = JSON.stringify(body)
}

/** Sends what a path holds, with the ETag of this version, which `If-Match` of a later change may name. */
export function sendVersion(context: RouteContext, body: unknown, status = 200): void {
  send(context, body, status)
  context.set('ETag', etagOf(String(context.body)))
}

/**
 * Makes an answer one for pages of this origin only, whatever the configuration of CORS: no other page may read it, and no cache
 * keeps it.
 */
export function ownAnswer(context: RouteContext): void {
  for (const name of ['Origin', 'Credentials', 'Expose-Headers'])
    context.res.removeHeader(`Access-Control-Allow-${name}`)
  context.res.removeHeader('Access-Control-Expose-Headers')
  context.set('Cross-Origin-Resource-Policy', 'same-origin')
  context.set('Cache-Control', 'private, no-store')
  context.vary('Cookie')
}

/**
 * Refuses requests of pages of other origins. A browser says the origin of each change; a change that says none comes from no browser
 * that is known, and is refused as well.
 *
 * @throws ForbiddenError `desk/other-site`
 */
export function requireSameSite({ req, method }: Pick<RouteContext, 'req' | 'method'>): void {
  const { origin } = req.headers
  const site = req.headers['sec-fetch-site']
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isSameSite(req)) throw problem('desk/other-site')
  if (isRead) return
  if (origin === undefined && site === undefined) throw problem('desk/other-site')
  if (site !== undefined && site !== 'same-origin') throw problem('desk/other-site')
}

/** A cookie of the desk. On this machine without TLS browsers take no cookie with the prefix `__Host-`. */
interface Cookie {
  readonly name: string
  readonly sameSite: 'Strict' | 'Lax'
}

/** The session. */
const sessionCookie: Cookie = { name: 'octavo_desk', sameSite: 'Strict' }

/** The browser in which a sign-in at the issuer began. The issuer leads back from another site, so browsers must send it then. */
export const openIdCookie: Cookie = { name: 'octavo_desk_openid', sameSite: 'Lax' }

/** The cookie of one sign-in: two tabs may each have begun one. */
export const ofLogin = (cookie: Cookie, state: string): Cookie => ({
  ...cookie,
  name: loginCookieName(cookie.name, state),
})

/** Deletes the cookies of sign-ins that were left, where a browser has many. */
export function endAbandoned(context: RouteContext, cookie: Cookie): void {
  const whole = nameFor(context, cookie)
  for (const name of abandonedLoginCookies(context.req, whole))
    setCookie(context, '', 0, { ...cookie, name: cookie.name + name.slice(whole.length) })
}

const isSecure = (context: RouteContext): boolean => context.secure || !isFromThisMachine(context.req)

const nameFor = (context: RouteContext, { name }: Cookie): string =>
  isSecure(context) ? `__Host-${name}` : name

/** The value of a cookie. @param cookie Default: the cookie of the session. */
export function cookieOf(context: RouteContext, cookie = sessionCookie): string | undefined {
  const name = `${nameFor(context, cookie)}=`
  const found = (context.req.headers.cookie ?? '').split(/; */).filter((pair) => pair.startsWith(name))
  // Two cookies of one name would come from somebody else.
  return found.length === 1 ? found[0]?.slice(name.length) : undefined
}

/** @param value Empty: deletes the cookie. @param age Seconds. @param cookie Default: the cookie of the session. */
export function setCookie(context: RouteContext, value: string, age: number, cookie = sessionCookie): void {
  const secure = isSecure(context) ? '; Secure' : ''
  context.append(
    'Set-Cookie',
    `${nameFor(context, cookie)}=${value}; Path=/; Max-Age=${value === '' ? 0 : age}; HttpOnly; SameSite=${cookie.sameSite}${secure}`,
  )
}

export const mistake = (name: string, message: string): Mistake => ({
  path: [name],
  message: `${name} ${message}`,
  name: 'ValidationError',
})

/** @throws ValidationError when there is any. */
export function throwIfAny(errors: readonly Mistake[]): void {
  if (errors.length > 0) throw problem('desk/invalid', { errors }, { details: { errors } })
}

/** Of wrong fields that an answer names, so that it stays shorter than the request. */
const [mostNamed, longestName] = [10, 100]

/**
 * Refuses unknown fields. A misspelt name would leave out a value silently: the end of a token, or the events of a webhook.
 * @param shown The fields of answers, which may be sent back.
 * @throws ValidationError that names them.
 */
export const refuseOthers = (body: Body, read: readonly string[], shown: readonly string[] = []): void =>
  throwIfAny(
    Object.keys(body)
      .filter((name) => !read.includes(name) && !shown.includes(name))
      .slice(0, mostNamed)
      .map((name) => name.slice(0, longestName))
      .map((name) =>
        mistake(name, `is no field here${didYouMean(name, read, `; there are ${read.join(', ')}`)}`),
      ),
  )

/** Far more than any name or token needs. */
const maxBytes = 1_000

/** The rules for a text: whether it is required, and a further check. */
interface TextRule {
  /** Default true. */
  readonly required?: boolean
  /** Returns the mistake in a text; `undefined` for a valid one. */
  readonly check?: (text: string) => string | undefined
}

/**
 * Reads texts of a body. An object, a list or a number in place of a text is reported, so that only texts reach a comparison (S-07).
 * @throws ValidationError with every mistake.
 */
export function readTexts<R extends Readonly<Record<string, TextRule>>>(
  body: Body,
  rules: R,
): { readonly [K in keyof R]: R[K] extends { required: false } ? string | undefined : string } {
  const mistakes: Mistake[] = []
  const texts = Object.entries(rules).map(([name, rule]) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    const wrong = mistakeIn(value, rule)
    if (wrong !== undefined) mistakes.push(mistake(name, wrong))
    return [name, value ?? undefined]
  })
  throwIfAny(mistakes)
  return Object.fromEntries(texts)
}

function mistakeIn(value: unknown, { required = true, check }: TextRule): string | undefined {
  if (value === undefined || value === null || value === '')
    return required ? 'is a required field' : undefined
  if (typeof value !== 'string') return 'must be a text'
  // Control characters and marks that turn the direction of a text have no place in names (S-28).
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return 'must not have control or invisible characters'
  if (Buffer.byteLength(value) > maxBytes) return `must be at most ${maxBytes} bytes`
  return check?.(value)
}

export const emailRule = {
  check: (text: string) => (isEmail(foldEmail(text)) ? undefined : 'must be a valid email'),
} as const

/** A password that a person chooses. */
export const newPassword = {
  check: (text: string) => {
    if (text.length < minPasswordLength) return `must be at least ${minPasswordLength} characters`
    return Buffer.byteLength(text) > maxPasswordBytes
      ? `must be at most ${maxPasswordBytes} bytes`
      : undefined
  },
} as const

/** `en`, `pt-BR` */
export const languageRule = {
  required: false,
  check: (text: string) =>
    /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text) ? undefined : 'must be the code of a language',
} as const
