/** Signing in at the issuer of OpenID Connect. */
import { OctavoError } from '@octavo/core'
import { reasonOfFailure } from '@octavo/server/attempts'
import { flowSeconds } from '../accounts/flows.ts'
import { Issuer, type Profile } from '../accounts/issuer.ts'
import type { OpenIdOptions } from '../options.ts'
import { startSession } from './account-routes.ts'
import { type Desk, deskPath, type Visit } from './desk.ts'
import {
  cookieOf,
  endAbandoned,
  mistake,
  ofLogin,
  openIdCookie,
  send,
  setCookie,
  throwIfAny,
} from './request.ts'

const callbackPath = '/openid/callback'

export function addOpenIdRoutes(desk: Desk, openId: OpenIdOptions | undefined): void {
  desk.open('GET', '/sign-in', ways)
  if (!openId) return
  let issuer: Issuer | undefined
  const issuerOf = ({ service }: Visit): Issuer => {
    issuer ??= new Issuer(openId, () => `${service.publicUrl}${deskPath}${callbackPath}`)
    return issuer
  }
  desk.open('GET', '/openid', (visit) => begin(visit, issuerOf(visit)))
  // The issuer leads back from its own site. The state, which belongs to this browser, takes the place of the origin.
  desk.open('GET', callbackPath, (visit) => callback(visit, issuerOf(visit), openId), { fromElsewhere: true })
}

/** `GET sign-in`: `{ passwords, openId: { name } | null }`, the ways to sign in. */
async function ways({ context, service: { settings } }: Visit): Promise<void> {
  const { openId, passwords } = settings
  send(context, { passwords, openId: openId ? { name: openId.name ?? new URL(openId.issuer).host } : null })
}

/** `GET openid?to=/desk/content/articles`: leads to the issuer. `to` is the page of the desk to return to. */
async function begin(visit: Visit, issuer: Issuer): Promise<void> {
  const { context, service, routes } = visit
  await service.limits(routes).address(context, 'openid')
  const target = targetOf(context.query.to, service.publicUrl)
  if (target === undefined)
    throwIfAny([mistake('to', 'must be a page of the desk, such as /desk/content/articles')])
  const { browser, ...checks } = await service.flows.begin(target ?? '/desk')
  const page = await issuer.pageFor(checks).catch((error: unknown) => failed(visit, error))
  if (page === undefined) return refuse(visit, 'issuer')
  endAbandoned(context, openIdCookie)
  setCookie(context, browser, flowSeconds, ofLogin(openIdCookie, checks.state))
  context.redirect(page)
}

/** A page of the desk as a path; `undefined` for any other address (S-15). */
function targetOf(to: unknown, publicUrl: string): string | undefined {
  if (to === undefined) return '/desk'
  if (typeof to !== 'string' || !URL.canParse(to, publicUrl)) return undefined
  const { origin, pathname, search } = new URL(to, publicUrl)
  const isOfDesk =
    pathname === '/desk' || (pathname.startsWith('/desk/') && !`${pathname}/`.startsWith(`${deskPath}/`))
  return origin === new URL(publicUrl).origin && isOfDesk ? `${pathname}${search}` : undefined
}

/** `GET openid/callback`: the answer of the issuer. Begins a session and leads to the page of the desk. */
async function callback(visit: Visit, issuer: Issuer, openId: OpenIdOptions): Promise<void> {
  const { context, service, routes } = visit
  await service.limits(routes).address(context, 'openid-callback')
  const { state } = context.query
  if (typeof state !== 'string') return refuse(visit, 'late')
  const cookie = ofLogin(openIdCookie, state)
  const browser = cookieOf(context, cookie)
  setCookie(context, '', 0, cookie)
  const flow = await service.flows.take(state, browser)
  if (!flow) return refuse(visit, 'late')
  const profile = await issuer
    .profile(context.querystring, flow)
    .catch((error: unknown) => failed(visit, error))
  if (!profile) return refuse(visit, 'issuer')
  const refusal = await enter(visit, profile, openId).catch((error: unknown) => {
    failed(visit, error)
    return error instanceof OctavoError && error.code === 'desk/no-account' ? 'no-account' : 'server'
  })
  if (refusal) return refuse(visit, refusal)
  context.redirect(flow.target)
}

/** Begins the session of a person. @returns the reason why there is none */
async function enter(visit: Visit, profile: Profile, openId: OpenIdOptions): Promise<Refusal | undefined> {
  const person = await visit.service.identities.signIn(profile, openId)
  return (await startSession(visit, person)) ? undefined : 'no-account'
}

function failed({ service }: Visit, error: unknown): undefined {
  service.logger.warn({ reason: reasonOfFailure(error) }, 'A sign-in at the issuer failed')
}

/**
 * The reason for a refused sign-in; the desk has the words for it.
 * - `late`: the sign-in did not begin in this browser, or too long ago
 * - `issuer`: the issuer did not confirm it, or cannot be reached
 * - `no-account`: no person here has this account
 * - `server`: the database failed, a role of the options is not as it must be, or nobody could manage roles any more
 */
type Refusal = 'late' | 'issuer' | 'no-account' | 'server'

/** Leads back to the desk. */
function refuse({ context }: Visit, why: Refusal): void {
  context.redirect(`/desk?refused=${why}`)
}
