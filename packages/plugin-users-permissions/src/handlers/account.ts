import type { EntryInput } from '@octavo/core/plugin'
import { userUid } from '../content-types.ts'
import { hashToken, makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { publicUrl } from './public-url.ts'

/**
 * Writes a user after a route's checks. The hooks of writes run as for any other write.
 * @param state Default: the state of the plugin's own writes.
 */
export async function writeUser(
  { service, ownState }: Tools,
  id: number,
  input: EntryInput,
  state = ownState,
): Promise<void> {
  const type = service.octavo.registry.contentType(userUid)
  await service.octavo.write({ type, action: 'update', id, input, query: 'fields=id', state })
}

/**
 * Sends a code to the new address of a user. The present address is valid until the code is confirmed. An earlier change of
 * address, with its code, is cancelled.
 */
export async function requestEmail(tools: Tools, id: number, username: string, email: string): Promise<void> {
  const token = makeToken()
  await writeUser(tools, id, { pendingEmail: email, confirmationToken: hashToken(token) })
  tools.service.mailer.send('emailConfirmation', email, {
    email,
    username,
    url: confirmationUrl(tools, token),
  })
}

/** The link of the email that confirms an address. */
export const confirmationUrl = ({ options, prefix }: Tools, token: string): string =>
  withParam(
    options.urls?.emailConfirmation ?? `${publicUrl(options)}${prefix}/auth/email-confirmation`,
    'confirmation',
    token,
  )

/** Adds a parameter to the query of a URL. */
export const withParam = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
