import type { Repeatable, TransactionScope } from '@octavo/core'
import { foldEmail } from '@octavo/core/internal'
import type { EntryInput, Registry } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { guardedAttributes, userUid } from '../content-types.ts'
import { type Body, emailRule, mistake, newPassword, readTexts, throwIfAny } from '../input/input.ts'
import { mistakeInName } from '../input/names.ts'
import { bodyOf, send, stateOf } from '../input/request.ts'
import { defaultRoleOf } from '../options.ts'
import { problem } from '../problems.ts'
import { callerOf } from '../rights/caller.ts'
import { everything } from '../rights/grants.ts'
import { hashToken, makeToken } from '../tokens/secret-token.ts'
import type { Tools } from '../tools.ts'
import { conflictWithUsers, defaultNameLength } from '../users/user-input.ts'
import { confirmationUrl } from './account.ts'
import { type Checked, expectPassword, idOfStored, readSelf, sendSession } from './session.ts'

/** `POST /auth/local/register`: `{ username, email, password }` and the attributes that the options allow; others are ignored. */
export async function register(context: RouteContext, tools: Tools): Promise<void> {
  const { service, options, limit, ownState } = tools
  await limit.address(context, 'register')
  if (options.register?.enabled === false) throw problem('auth/register-off')
  const body = bodyOf(context)
  const {
    username,
    email: written,
    password,
  } = readTexts(body, { username: { min: 3 }, email: emailRule, password: newPassword })
  const email = foldEmail(written)
  const role = await service.directory.roleOfType(defaultRoleOf(options))
  if (!role) throw problem('auth/no-role')
  const wrong = mistakeInName(username, options.usernames?.maxLength ?? defaultNameLength)
  if (wrong !== undefined) throwIfAny([mistake('username', `username ${wrong}`)])
  // The name and the address may not equal or resemble those of another user.
  const conflict = await conflictWithUsers(
    { username, email },
    undefined,
    service.octavo.store,
    service.octavo.registry,
  )
  const { password: _secret, ...content } = body
  const repeatable = tools.repeatable(context, content)
  if (conflict && !options.neutralAnswers) {
    const stored = repeatable && (await service.octavo.storedAnswer(repeatable))
    if (stored === undefined) throw problem('auth/taken')
    return repeated(context, tools, { id: idOfStored(stored), password, repeatable })
  }
  const token = options.emailConfirmation ? makeToken() : undefined
  const input = {
    ...allowedFields(body, options.register?.allowedFields ?? [], service.octavo.registry),
    username,
    email,
    password,
    provider: 'local',
    role: role.id,
    confirmed: token === undefined,
    blocked: false,
    ...(token !== undefined && { confirmationToken: hashToken(token) }),
  }
  if (conflict) {
    await simulateRegistration(tools, input)
    return send(context, { ok: true })
  }
  const create = async (tx: TransactionScope) => {
    const { id } = await tx.entries(userUid).create(input, { fields: 'id' })
    return JSON.stringify({ id })
  }
  const { answer: stored, isRepeated } = repeatable
    ? await service.octavo.once(repeatable, create, ownState)
    : { answer: await service.octavo.transaction(create, ownState), isRepeated: false }
  const id = idOfStored(stored)
  if (isRepeated) return repeated(context, tools, { id, password, repeatable })
  if (token === undefined) return answer(context, tools, { id }, repeatable)
  service.mailer.send('emailConfirmation', email, {
    email,
    username,
    url: confirmationUrl(tools, token),
  })
  if (options.neutralAnswers) return send(context, { ok: true })
  return answer(context, tools, { id }, repeatable)
}

/** Responds with the user, and with a session where no address is to be confirmed. */
async function answer(
  context: RouteContext,
  tools: Tools,
  user: Checked,
  repeatable: Repeatable | undefined,
): Promise<void> {
  const { service, options } = tools
  const registrant = callerOf(stateOf(context))?.grants ?? service.publicGrants()
  if (!options.emailConfirmation) return sendSession(context, tools, user, repeatable, registrant)
  send(context, { user: await readSelf(service, user.id, everything, registrant) })
}

interface Registered {
  readonly id: number
  readonly password: string
  readonly repeatable: Repeatable | undefined
}

/**
 * Answers a registration that was repeated with its key. The password proves that it is the same client.
 * @throws OctavoError 422 `entry/key-reused` with another password
 */
async function repeated(
  context: RouteContext,
  tools: Tools,
  { id, password, repeatable }: Registered,
): Promise<void> {
  if (tools.options.neutralAnswers) return send(context, { ok: true })
  return answer(context, tools, await expectPassword(tools, id, password), repeatable)
}

/**
 * Does the work of a registration, with its errors, and stores nothing, so that neither the duration nor the next id
 * reveals that the name is taken.
 */
async function simulateRegistration({ service, ownState }: Tools, input: EntryInput): Promise<void> {
  const undone = new Error('Rolled back on purpose')
  const free = { username: makeToken(), email: `${makeToken()}@example.invalid` }
  const work = service.octavo.transaction(async (tx) => {
    await tx.entries(userUid).create({ ...input, ...free }, { fields: 'id' })
    throw undone
  }, ownState)
  await work.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

/** Whether a registration never sets the attribute, whatever the options allow. */
const isProtected = (name: string): boolean =>
  guardedAttributes.has(name) || ['role', 'provider', 'confirmed', 'blocked'].includes(name)

/** The attributes that the options allow, without those that identify or authorise a user, and those that only programs write. */
function allowedFields(body: Body, allowed: readonly string[], registry: Registry): Body {
  const { attributes } = registry.contentType(userUid)
  const isOpen = (name: string) => attributes.get(name)?.definition.writable !== false
  return Object.fromEntries(
    allowed
      .filter((name) => !isProtected(name) && isOpen(name) && Object.hasOwn(body, name))
      .map((name) => [name, body[name]]),
  )
}
