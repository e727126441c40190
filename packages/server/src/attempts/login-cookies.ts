import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Logins that may be under way in one browser. */
const mostLogins = 8

/**
 * The name of the cookie that binds a login to the browser in which it began. Each login has one of its own, so that those of two tabs do not
 * take the place of each other.
 *
 * @param secret The state or the code of the login, which the answer of the provider or the page repeats.
 */
export const loginCookieName = (name: string, secret: string): string =>
  `${name}_${hash('sha256', secret, 'hex').slice(0, 16)}`

/**
 * The cookies of logins that were left and make room for another one. Browsers send the oldest cookies first.
 * @param name As in {@link loginCookieName}; with a prefix such as `__Host-` where the cookies have it.
 */
export function abandonedLoginCookies({ headers }: IncomingMessage, name: string): readonly string[] {
  const names = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('=', 1)[0] ?? '')
  const ofLogins = names.filter(
    (other) => other.startsWith(`${name}_`) && /^[\da-f]{16}$/.test(other.slice(name.length + 1)),
  )
  return ofLogins.slice(0, Math.max(0, ofLogins.length - mostLogins + 1))
}
