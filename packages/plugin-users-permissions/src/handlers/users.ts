import type { ReadRequest } from '@octavo/core'
import { foldEmail, isObject } from '@octavo/core/internal'
import { readId } from '@octavo/core/plugin'
import type { RouteContext } from '@octavo/server'
import { userRows } from '../content-rows.ts'
import { guardedAttributes, userUid } from '../content-types.ts'
import { type Body, isEmailText, mistake, throwIfAny } from '../input/input.ts'
import { maxPasswordBytes } from '../input/password.ts'
import { bodyOf, send, stateOf } from '../input/request.ts'
import { problem } from '../problems.ts'
import { callerOf } from '../rights/caller.ts'
import type { Service } from '../service.ts'
import type { Tools } from '../tools.ts'
import { bare } from '../users/bare.ts'
import { conflictWithUsers } from '../users/user-input.ts'
import { paramsOf, selectParams, withoutPaging } from '../users/user-query.ts'
import { requestEmail } from './account.ts'

type Json = Readonly<Record<string, unknown>>

/** Maximum number of users in one response. */
const maxUsers = 10_000

/**
 * `GET /users`: a list without an envelope. Paged by `start` and `limit`; default: all users.
 * @throws ValidationError when there are more than {@link maxUsers}.
 */
export async function find(context: RouteContext, { service }: Tools): Promise<void> {
  const paging = paramsOf(context.querystring, (key) => key === 'start' || key === 'limit')
  const query = withoutPaging(context.querystring)
  const parts = [query, ...paging.map(([key, value]) => `pagination[${key}]=${encodeURIComponent(value)}`)]
  const isAll = !paging.some(([key]) => key === 'limit')
  if (isAll) parts.push('pagination[limit]=-1')
  const { data = '[]' } = await readEntries(service, context, {
    action: 'find',
    kind: 'list',
    query: `${parts.filter(Boolean).join('&')}&pagination[withCount]=false`,
    maxLimit: isAll ? maxUsers + 1 : maxUsers,
  })
  const users = JSON.parse(data) as Json[]
  if (users.length > maxUsers) throw problem('user/too-many', { limit: maxUsers })
  const { registry } = service.octavo
  const type = registry.contentType(userUid)
  send(
    context,
    users.map((user) => bare(user, type, registry)),
  )
}

/** `GET /users/count`: a number. Only `filters` filters it, as anywhere else: plain attribute names would allow guessing of hashes (S-01). */
export async function count(context: RouteContext, { service }: Tools): Promise<void> {
  const query = selectParams(context.querystring, (key) => /^filters(\[|$)/.test(key))
  const { data } = await readEntries(service, context, { action: 'count', kind: 'count', query })
  send(context, Number(data))
}

export async function me(context: RouteContext, { service }: Tools): Promise<void> {
  const id = callerOf(stateOf(context))?.userId
  if (id === undefined) throw problem('auth/not-logged-in', { message: 'You are not logged in.' })
  send(
    context,
    await readUser(service, {
      action: 'me',
      id,
      query: withoutPaging(context.querystring),
      state: stateOf(context),
    }),
  )
}

export async function findOne(context: RouteContext, { service }: Tools): Promise<void> {
  send(
    context,
    await readUser(service, {
      action: 'findOne',
      id: userId(context),
      query: withoutPaging(context.querystring),
      state: stateOf(context),
    }),
  )
}

export async function create(context: RouteContext, tools: Tools): Promise<void> {
  const { service } = tools
  const body = bodyOf(context)
  throwIfAny([
    ...['username', 'email', 'password']
      .filter((name) => !isFilled(body[name]))
      .map((name) => mistake(name, `${name} is a required field`)),
    ...(body.role === undefined || body.role === null ? [mistake('role', 'role is a required field')] : []),
  ])
  const { password: _secret, ...content } = body
  const repeatable = tools.repeatable(context, content)
  const stored = repeatable && (await service.octavo.storedAnswer(repeatable))
  if (stored !== undefined) return send(context, bareUser(service, stored), 201)
  if (!namesRole(body.role)) throwIfAny([mistake('role', 'Users must have a role')])
  const input = readInput(service, body)
  const { data } = await service.octavo.write({
    ...written(service, 'create', context),
    input: { ...input, provider: 'local' },
    repeatable,
  })
  send(context, bareUser(service, data), 201)
}

export async function update(context: RouteContext, tools: Tools): Promise<void> {
  const { service, limit } = tools
  const id = userId(context, 'User not found')
  const body = bodyOf(context)
  if (removesRole(body.role)) throwIfAny([mistake('role', 'Cannot remove role')])
  const { email, ...rest } = readInput(service, body)
  const requested = await pendingEmail(email, id, context, tools)
  if (requested) {
    // The email goes to an address that may be that of a stranger.
    await limit.account(context, 'change-email', id)
    await limit.account(context, 'send-confirmation', requested.email)
  }
  const input = email === undefined || requested ? rest : { ...rest, email }
  const { data } = await service.octavo.write({ ...written(service, 'update', context), id, input })
  if (data === undefined) throw problem('user/not-found', { message: 'User not found' })
  if (requested) await requestEmail(tools, id, requested.username, requested.email)
  send(context, bareUser(service, data))
}

/**
 * The new address of the caller's own account, where addresses must be confirmed: it is written after its confirmation.
 * `undefined` where the address is written at once or not changed.
 */
async function pendingEmail(
  email: unknown,
  id: number,
  context: RouteContext,
  { service, options }: Tools,
): Promise<{ readonly email: string; readonly username: string } | undefined> {
  const caller = callerOf(stateOf(context))
  if (!options.emailConfirmation || typeof email !== 'string' || caller?.userId !== id) return undefined
  const fields = caller.grants.of(`${userUid}.update`)?.fields
  if (fields && !fields.includes('email')) return undefined
  const { store, registry } = service.octavo
  // An answer about the address is for callers who may change this user.
  const reached = { action: 'update', kind: 'one', id, query: 'fields=id', state: stateOf(context) } as const
  const { data } = await service.octavo.read({ ...target(service), ...reached })
  if (data === undefined) throw problem('user/not-found', { message: 'User not found' })
  const user = await userRows(store, registry).first({ where: { id }, select: ['username', 'email'] })
  if (!user || user.email === email) return undefined
  if (await conflictWithUsers({ email }, id, store, registry))
    throw problem('user/taken', { attribute: 'email' })
  return { email, username: user.username ?? '' }
}

export async function destroy(context: RouteContext, { service }: Tools): Promise<void> {
  const { data } = await service.octavo.write({
    ...target(service),
    action: 'delete',
    id: userId(context),
    query: '',
    state: stateOf(context),
  })
  send(context, bareUser(service, data))
}

/** A user as in the responses of its routes. @throws NotFoundError */
export async function readUser(
  service: Service,
  request: Pick<ReadRequest, 'action' | 'query' | 'state' | 'lenient'> & { readonly id: number },
): Promise<Json> {
  const { data } = await service.octavo.read({ ...target(service), kind: 'one', ...request })
  return bareUser(service, data)
}

function bareUser({ octavo: { registry } }: Service, data: string | undefined): Json {
  if (data === undefined) throw problem('user/not-found')
  return bare(JSON.parse(data) as Json, registry.contentType(userUid), registry)
}

const target = ({ octavo }: Service) => ({ type: octavo.registry.contentType(userUid) })

/** A write whose answer has the role, if the caller may read it: with the option `strict`, another name would be refused. */
function written(service: Service, action: 'create' | 'update', context: RouteContext) {
  const request = { ...target(service), action, state: stateOf(context) } as const
  return { ...request, query: service.octavo.visible(request).has('role') ? 'populate=role' : '' }
}

const readEntries = (
  service: Service,
  context: RouteContext,
  request: Pick<ReadRequest, 'action' | 'kind' | 'query' | 'maxLimit'>,
) => service.octavo.read({ ...target(service), state: stateOf(context), ...request })

/**
 * The attributes of a body that callers may write. Attributes that only this plugin sets are ignored like unknown names. The write
 * itself checks that names and addresses are unused, when it is known that the caller may change them in this user (S-27).
 */
function readInput(service: Service, body: Body): Json {
  const { attributes } = service.octavo.registry.contentType(userUid)
  const input = Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const attribute = attributes.get(name)
      return attribute && !guardedAttributes.has(name) && (!attribute.private || name === 'password')
    }),
  )
  const wrong = ['username', 'email', 'password'].filter((name) => name in input && !isFilled(input[name]))
  throwIfAny(wrong.map((name) => mistake(name, `${name} must be a text`)))
  if (typeof input.password === 'string' && Buffer.byteLength(input.password) > maxPasswordBytes)
    throwIfAny([mistake('password', `password must be at most ${maxPasswordBytes} bytes`)])
  if (typeof input.email === 'string') {
    const email = foldEmail(input.email)
    if (!isEmailText(email)) throwIfAny([mistake('email', 'email must be a valid email')])
    input.email = email
  }
  return input
}

/** Whether the value of `role` in a body leads to a role, in any of the forms of a relation. */
function namesRole(role: unknown): boolean {
  if (Array.isArray(role)) return role.length > 0
  if (!isObject(role)) return role !== null && role !== undefined
  return role.id !== undefined || [role.connect, role.set].some((list) => isObject(list) || namesRole(list))
}

/** Whether an update would leave a user without a role. A relation without a list, or with empty ones, stays as it is. */
function removesRole(role: unknown): boolean {
  if (role === undefined || namesRole(role)) return false
  if (!isObject(role) || Array.isArray(role)) return true
  return role.set !== undefined || namesRole(role.disconnect)
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** @throws NotFoundError for text that cannot be an id. */
function userId(context: RouteContext, message = 'Not Found'): number {
  const id = readId(context.params.id)
  if (id === undefined) throw problem('user/not-found', { message })
  return id
}
