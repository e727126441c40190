import { foldEmail } from '@octavo/core/internal'
import type { RouteContext } from '@octavo/server'
import { notTrue, userRows } from '../content-rows.ts'
import { emailRule, readTexts } from '../input/input.ts'
import { bodyOf, send } from '../input/request.ts'
import { problem } from '../problems.ts'
import { hashToken, makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { confirmationUrl, writeUser } from './account.ts'
import { invalid } from './session.ts'

/** `GET /auth/email-confirmation?confirmation=`: confirms the address and redirects to the site. */
export async function emailConfirmation(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'confirm')
  const { confirmation } = readTexts({ confirmation: context.query.confirmation }, { confirmation: {} })
  const { store, registry } = service.octavo
  const value = hashToken(confirmation)
  const refusal = invalid('Invalid token')
  const user = await userRows(store, registry).first({
    where: { confirmationToken: value },
    select: ['id', 'pendingEmail'],
  })
  if (!user) throw refusal
  const { id, pendingEmail: email } = user
  // A write with hooks, which refuses an address that another user has by now and invalidates the user's tokens.
  const input = {
    confirmed: true,
    confirmationToken: null,
    ...(email !== null && { email, pendingEmail: null }),
  }
  const userProof = { attribute: 'confirmationToken', value, refusal } as const
  await writeUser(tools, id, input, { ...tools.ownState, userProof })
  context.redirect(options.urls?.afterConfirmation ?? '/')
}

/** `POST /auth/send-email-confirmation`: `{ email }` to `{ email, sent: true }`. */
export async function sendEmailConfirmation(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit } = tools
  await limit.address(context, 'send-confirmation')
  const { email: written } = readTexts(bodyOf(context), { email: emailRule })
  const email = foldEmail(written)
  await limit.account(context, 'send-confirmation', email)
  if (options.neutralAnswers !== false) {
    // In the background: the duration would reveal whether the user exists.
    service.background.run('A confirmation could not be made', async () => void (await confirm(tools, email)))
  } else if (!(await confirm(tools, email))) {
    const { store, registry } = service.octavo
    const known = await userRows(store, registry).first({ where: { email }, select: ['blocked'] })
    if (known) throw problem('auth/confirmed', { blocked: known.blocked === true })
  }
  send(context, { email, sent: true })
}

/** Sends a new code to an unconfirmed user. @returns whether there is such a user. */
async function confirm(tools: Tools, email: string): Promise<boolean> {
  const { octavo, mailer } = tools.service
  const token = makeToken()
  const users = userRows(octavo.store, octavo.registry)
  const [user] = await users.update({
    where: { email, confirmed: notTrue, blocked: notTrue },
    set: { confirmationToken: hashToken(token), pendingEmail: null },
    returning: ['username'],
  })
  if (user)
    mailer.send('emailConfirmation', email, {
      email,
      username: user.username ?? '',
      url: confirmationUrl(tools, token),
    })
  return user !== undefined
}
