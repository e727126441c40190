import { sql } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import { param } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { notTrue, userRows } from '../content-rows.ts'
import { userUid } from '../content-types.ts'
import { emailRule, newPassword, readTexts } from '../input/input.ts'
import { matches } from '../input/password.ts'
import { bodyOf, send, stateOf } from '../input/request.ts'
import { problem } from '../problems.ts'
import { callerOf } from '../rights/caller.ts'
import { hashToken, makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { withParam, writeUser } from './account.ts'
import { publicUrl } from './public-url.ts'
import { expectPassword, idOfStored, invalid, sendSession } from './session.ts'

/** Validity of a reset code, in minutes. */
const resetMinutes = 60

/** `POST /auth/forgot-password`: `{ email }`, always `{ ok: true }`. */
export async function forgotPassword(
  context: RouteContext,
  { service, options, limit, prefix, repeatable }: Tools,
): Promise<void> {
  await limit.address(context, 'forgot')
  const { email: written } = readTexts(bodyOf(context), { email: emailRule })
  const email = foldEmail(written)
  await limit.account(context, 'forgot', email)
  // A repetition sends another code, which replaces the first, because it is unknown whether the first was sent.
  repeatable(context, { email })
  // In the background: updating a row takes longer than finding none, which would reveal whether the user exists.
  service.background.run('A code for a new password could not be made', async () => {
    const token = makeToken()
    const { store, registry } = service.octavo
    const [user] = await userRows(store, registry).update({
      where: { email, blocked: notTrue },
      set: {
        resetPasswordToken: hashToken(token),
        resetPasswordExpires: sql`now() + make_interval(mins => ${param(resetMinutes, 'int')})`,
      },
      returning: ['username', 'email'],
    })
    if (user) {
      const { username, email: address } = user
      const page = options.urls?.resetPassword ?? `${publicUrl(options)}${prefix}/auth/reset-password`
      service.mailer.send('resetPassword', address ?? email, {
        username: username ?? '',
        email: address ?? email,
        url: withParam(page, 'code', token),
      })
    }
  })
  send(context, { ok: true })
}

/** `POST /auth/reset-password`: `{ code, password, passwordConfirmation }` to `{ jwt, user }`. A code is valid once; a repetition with the key logs in again. */
export async function resetPassword(context: RouteContext, tools: Tools): Promise<void> {
  const { service, limit } = tools
  await limit.address(context, 'reset')
  const { code, password, passwordConfirmation } = readTexts(bodyOf(context), {
    code: {},
    password: newPassword,
    passwordConfirmation: {},
  })
  if (password !== passwordConfirmation) throw invalid('Passwords do not match')
  const repeatable = tools.repeatable(context, { code: hashToken(code) })
  const stored = repeatable && (await service.octavo.storedAnswer(repeatable))
  if (stored !== undefined) {
    const user = await expectPassword(tools, idOfStored(stored), password)
    return sendSession(context, tools, user, repeatable)
  }
  const { store, registry } = service.octavo
  const value = hashToken(code)
  const refusal = invalid('Incorrect code provided')
  const user = await userRows(store, registry).first({
    where: { resetPasswordToken: value, resetPasswordExpires: { $gt: sql`now()` }, blocked: notTrue },
    select: ['id'],
  })
  if (!user) throw refusal
  const { id } = user
  // The new password ends the code.
  const state = { ...tools.ownState, userProof: { attribute: 'resetPasswordToken', value, refusal } as const }
  if (repeatable)
    await service.octavo.once(
      repeatable,
      async (tx) => {
        await tx.entries(userUid).update(id, { password }, { fields: 'id' })
        return JSON.stringify({ id })
      },
      state,
    )
  else await writeUser(tools, id, { password }, state)
  await sendSession(context, tools, user, repeatable)
}

/** `POST /auth/change-password`: `{ currentPassword, password, passwordConfirmation }` to `{ jwt, user }`; older tokens become invalid. */
export async function changePassword(context: RouteContext, tools: Tools): Promise<void> {
  const { service, limit } = tools
  const id = callerOf(stateOf(context))?.userId
  if (id === undefined)
    throw problem('auth/not-logged-in', { message: 'You must be authenticated to reset your password' })
  await limit.address(context, 'change')
  await limit.account(context, 'change', id)
  const { currentPassword, password } = readTexts(bodyOf(context), {
    currentPassword: {},
    password: newPassword,
    passwordConfirmation: { repeats: { name: 'password', message: 'Passwords do not match' } },
  })
  const { store, registry } = service.octavo
  const stored = await userRows(store, registry).first({ where: { id }, select: ['password'] })
  const refusal = invalid('The provided current password is invalid')
  if (!(await matches(currentPassword, stored?.password))) throw refusal
  if (currentPassword === password)
    throw invalid('Your new password must be different than your current password')
  const userProof = { attribute: 'password', value: stored?.password ?? null, refusal } as const
  await writeUser(tools, id, { password }, { ...tools.ownState, userProof })
  await sendSession(context, tools, { id })
}
