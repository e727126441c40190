import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { isLocalRequest, isSameSite } from '../socket/local-request.ts'

/** In the environment, so that the workers of a process have the token of the process. */
const variable = 'OCTAVO_OPERATOR_TOKEN'
const cookieName = 'octavo_operator'

/**
 * The token that opens the pages for developers through a proxy and from other machines: `/?token=…`. It is made once for a
 * process and its workers, and ends with them.
 */
export function operatorToken(): string {
  process.env[variable] ??= randomBytes(24).toString('base64url')
  return process.env[variable]
}

/** Whether a request is the operator's: from this machine, or with the cookie that {@link admitOperator} sets. */
export const isOperator = (request: IncomingMessage): boolean =>
  isLocalRequest(request) || (isSameSite(request) && isToken(cookieOf(request)))

/**
 * Answers a request for a page whose query has the token: sets the cookie and redirects to the page without it, so that neither
 * history nor `Referer` keep it.
 *
 * @returns whether it has answered.
 */
export function admitOperator(context: Context): boolean {
  const { token } = context.query
  if (typeof token !== 'string' || !isToken(token)) return false
  context.cookies.set(cookieName, token, {
    httpOnly: true,
    sameSite: 'strict',
    secure: context.secure,
    path: '/',
    overwrite: true,
  })
  context.set('Cache-Control', 'no-store')
  context.status = 303
  context.redirect(context.path)
  return true
}

function isToken(text: string | undefined): boolean {
  const [given, own] = [Buffer.from(text ?? ''), Buffer.from(operatorToken())]
  return given.length === own.length && timingSafeEqual(given, own)
}

const cookieOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.cookie
    ?.split(/; */)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
