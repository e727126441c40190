/** Webhooks over HTTP, for people who manage the server. */
import { randomUUID } from 'node:crypto'
import type { Logger, Mistake, Octavo } from '@octavo/core'
import { readId } from '@octavo/core/plugin'
import {
  ifMatch,
  type ManagedRequest,
  type ManagedRoute,
  type ManagedRoutes,
  type RouteContext,
} from '@octavo/server'
import { fileUid } from '../events.ts'
import type { Settings } from '../options.ts'
import { type Deliveries, Outbox } from '../outbox.ts'
import { problem } from '../problems.ts'
import type { Receivers } from '../receivers.ts'
import { send } from '../send.ts'
import { operations } from './describe.ts'
import { readInput, type WebhookInput } from './input.ts'
import type { StoredWebhooks } from './stored-webhooks.ts'
import { keyOf, receiverOf, type StoredWebhook, type WebhookValues } from './values.ts'

interface Parts {
  readonly octavo: () => Octavo
  readonly stored: StoredWebhooks
  readonly deliveries: Deliveries
  readonly settings: Settings
  readonly receivers: Receivers
  readonly logger: Logger
}

/** Adds the routes of webhooks. */
export function addWebhookRoutes(routes: ManagedRoutes, parts: Parts): void {
  const add = (
    name: keyof typeof operations,
    method: ManagedRoute['method'],
    path: string,
    handler: (request: ManagedRequest, parts: Parts) => Promise<object>,
  ): void =>
    routes.add({
      method,
      path: `/webhooks${path}`,
      right: 'webhooks',
      operation: operations[name],
      handler: (request) => handler(request, parts),
    })
  const testing = new Set<number>()
  add('list', 'GET', '', list)
  add('create', 'POST', '', create)
  add('one', 'GET', '/:id', async ({ context }, { stored, octavo }) =>
    shown(await stored.one(idOf(context), octavo().store)),
  )
  add('change', 'PUT', '/:id', change)
  add('remove', 'DELETE', '/:id', remove)
  add('secret', 'POST', '/:id/secret', rotate)
  add('test', 'POST', '/:id/test', (request) => test(request, parts, testing))
  add('deliveries', 'GET', '/:id/deliveries', lastDeliveries)
}

/** @throws NotFoundError */
function idOf({ params }: RouteContext): number {
  const id = readId(params.id)
  if (id === undefined) throw problem('webhook/not-found')
  return id
}

/** A webhook in answers: with the names of its headers, and without its secrets. */
const shown = ({ headers, secrets, ...webhook }: StoredWebhook) => ({
  ...webhook,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
  secrets: secrets.length,
})

async function list(_request: ManagedRequest, { stored, octavo, receivers }: Parts): Promise<object> {
  return {
    webhooks: (await stored.list(octavo().store)).map(shown),
    // Their paths may be secrets of the configuration.
    configured: [...receivers.configured.values()].map(({ name, url, events }) => ({
      name,
      origin: url.origin,
      events: [...events],
    })),
  }
}

async function create(request: ManagedRequest, { stored, octavo, logger }: Parts): Promise<object> {
  const input = inputOf(request, octavo())
  const { name, url } = input
  const missing = [...(name === undefined ? ['name'] : []), ...(url === undefined ? ['url'] : [])]
  throwIfAny(missing.map((key) => mistake(key, `${key} is a required field`)))
  requireOwn(request, input)
  const made = await stored.create({ ...input, name: name ?? '', url: url ?? '' }, octavo())
  logger.info({ webhook: made.id, by: request.caller }, 'A webhook was made')
  return { ...shown(made), secret: made.secrets[0] }
}

async function change(request: ManagedRequest, { stored, octavo, logger }: Parts): Promise<object> {
  const input = inputOf(request, octavo())
  const id = idOf(request.context)
  const check = checkOf(request)
  const changed = await stored.change(id, input, octavo(), (former, next) => {
    check(former)
    requireOwn(request, former)
    requireOwn(request, next)
    requireHeaders(former, next, input)
  })
  logger.info({ webhook: id, by: request.caller }, 'A webhook was changed')
  return shown(changed)
}

/** The check that a request is about the version of a webhook that `If-Match` names. Without the header every version passes. */
function checkOf({ context }: ManagedRequest): (former: StoredWebhook) => void {
  const check = ifMatch(context)
  return (former) => check?.(JSON.stringify(shown(former)))
}

async function remove(request: ManagedRequest, { stored, octavo, logger }: Parts): Promise<object> {
  const id = idOf(request.context)
  await stored.remove(id, octavo(), checkOf(request))
  logger.info({ webhook: id, by: request.caller }, 'A webhook was deleted')
  return { ok: true }
}

/** `POST webhooks/:id/secret`: `{ endFormer }`. */
async function rotate(request: ManagedRequest, { stored, octavo, logger }: Parts): Promise<object> {
  const id = idOf(request.context)
  const { endFormer = false } = request.fields
  if (typeof endFormer !== 'boolean') throwIfAny([mistake('endFormer', 'endFormer must be true or false')])
  const secret = await stored.rotate(id, endFormer === true, octavo(), (former) =>
    requireOwn(request, former),
  )
  logger.info({ webhook: id, by: request.caller }, 'A webhook has a new secret')
  return { secret }
}

/** Sends one event without content, and answers with the outcome. */
async function test(
  { context }: ManagedRequest,
  { stored, octavo, settings }: Parts,
  testing: Set<number>,
): Promise<object> {
  const id = idOf(context)
  const receiver = receiverOf(await stored.one(id, octavo().store), settings)
  if (testing.has(id)) throw problem('webhook/testing')
  testing.add(id)
  try {
    const event = 'trigger-test'
    const now = octavo().store.now()
    const body = JSON.stringify({ event, createdAt: now.toISOString() })
    const message = `msg_${randomUUID().replaceAll('-', '')}`
    const { timeout } = settings
    const { status = null, error = null } = await send(receiver, { message, event, body }, { timeout, now })
    return { status, error: outwards(error) }
  } finally {
    testing.delete(id)
  }
}

async function lastDeliveries(
  { context }: ManagedRequest,
  { stored, octavo, deliveries }: Parts,
): Promise<object> {
  const { store } = octavo()
  const { id } = await stored.one(idOf(context), store)
  const rows = await new Outbox(store, deliveries).of(keyOf(id))
  return rows.map((row) => ({
    id: row.id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    status: row.status,
    error: outwards(row.error),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    nextAttemptAt: row.due,
  }))
}

/** An error without the private address that a name leads to (S-67). */
const outwards = (error: string | null): string | null =>
  error !== null && /^the address .* is not allowed/.test(error) ? 'the address is not a public one' : error

/** @throws ForbiddenError where a person would send what it may not read (S-66) */
function requireOwn(
  request: ManagedRequest,
  { events, types = null }: Pick<WebhookInput, 'events' | 'types'>,
): void {
  const has = (prefix: string): boolean => events?.some((event) => event.startsWith(prefix)) ?? true
  if (has('entry.')) request.requireOwn(types === null ? 'everything' : types.map((uid) => `${uid}.find`))
  if (has('media.')) request.requireOwn([fileAction])
}

const fileAction = `${fileUid.replace(/\.file$/, '')}.content-api.find`

/** @throws ValidationError where another server would get the headers of the former one (S-66) */
function requireHeaders(former: StoredWebhook, next: WebhookValues, { headers }: WebhookInput): void {
  if (new URL(former.url).origin === new URL(next.url).origin) return
  const kept = Object.keys(next.headers).some((name) => {
    const given = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1]
    return given === undefined || given === null
  })
  if (kept) throwIfAny([mistake('headers', 'headers must be sent again with the address of another server')])
}

function inputOf({ fields }: ManagedRequest, { registry }: Octavo): WebhookInput {
  const { input, mistakes } = readInput(fields, new Set(registry.contentTypes.keys()))
  throwIfAny(mistakes)
  return input
}

const mistake = (name: string, message: string): Mistake => ({
  path: [name],
  message,
  name: 'ValidationError',
})

function throwIfAny(errors: readonly Mistake[]): void {
  if (errors.length > 0) throw problem('webhook/invalid', { errors }, { details: { errors } })
}
