import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
import { isObject, writeActions } from '@octavo/core/internal'
import { type ContentType, isId } from '@octavo/core/plugin'
import type { Context } from 'koa'
import { refuseMethod } from '../error/errors.ts'
import { problem } from '../error/problems.ts'
import type { Around } from '../plugin/plugin-middleware.ts'
import type { Bodies } from '../request/body.ts'
import { repeatableOf } from '../request/idempotency.ts'
import { withoutPasswords } from './without-passwords.ts'

/** Limits of a bulk request. */
export interface BulkLimits {
  /** Entries to create, update and delete, in all. Default 1,000. */
  readonly items: number
  /** Milliseconds that its transaction may take; it is undone then. Default 15,000. */
  readonly time: number
}

const defaultBulkLimits: BulkLimits = { items: 1_000, time: 15_000 }

/** @returns `undefined` where the route is off. */
export function bulkLimits(option: boolean | Partial<BulkLimits> = false): BulkLimits | undefined {
  if (option === false) return undefined
  return option === true ? defaultBulkLimits : { ...defaultBulkLimits, ...option }
}

export interface BulkOptions {
  readonly octavo: Octavo
  readonly bodies: Bodies
  readonly around: Around | undefined
  readonly admit: (context: Context, action: string, type: ContentType | undefined) => Promise<RequestState>
}

/** `POST /:plural/actions/bulk` with `{ create: [...], update: [...], delete: [...] }`: one transaction, one answer. */
export async function bulk(
  context: Context,
  type: ContentType,
  { items, time }: BulkLimits,
  { octavo, admit, bodies, around }: BulkOptions,
): Promise<void> {
  if (context.method !== 'POST') return refuseMethod(context, ['POST'])
  await admitAny(context, type, admit)
  const body = await bodies.fields(context)
  const lists = {
    create: listOf(body, 'create'),
    update: listOf(body, 'update'),
    delete: listOf(body, 'delete'),
  }
  if (type.kind === 'singleType' && lists.create.length > 0)
    throw mistake(
      ['create'],
      'create must be empty: a single type has one entry, which its first PUT creates.',
    )
  const count = lists.create.length + lists.update.length + lists.delete.length
  if (count > items) throw problem('body/bulk-too-many', { count, limit: items })
  // Each kind of write needs the right that it needs by itself.
  let state: RequestState = {}
  for (const action of writeActions) {
    if (lists[action].length > 0) state = await admit(context, `${type.uid}.${action}`, type)
  }
  const recognised = (list: readonly unknown[]): readonly unknown[] =>
    list.map((item) => withoutPasswords(item, type, octavo.registry))
  const content = () => ({ ...lists, create: recognised(lists.create), update: recognised(lists.update) })
  const run = async (): Promise<void> => {
    const result = await octavo.bulk({
      type,
      state,
      time,
      repeatable: repeatableOf(context, state, content),
      create: lists.create.map((item, i) => entryOf(item, ['create', String(i)])),
      update: lists.update.map((item, i) => ({
        ...entryOf(item, ['update', String(i)]),
        id: idOf(item, ['update', String(i), 'id']),
      })),
      delete: lists.delete.map((item, i) => idOf(item, ['delete', String(i)])),
    })
    context.type = 'application/json'
    context.body = JSON.stringify({ data: result, meta: {} })
  }
  await (around ? around(context, { name: `${type.uid}.bulk`, type }, run) : run())
}

/**
 * Refuses callers without any of the three rights before their body is read. The body defines the required ones.
 * @throws OctavoError the first refusal
 */
async function admitAny(context: Context, type: ContentType, admit: BulkOptions['admit']): Promise<void> {
  let refusal: unknown
  for (const action of writeActions) {
    try {
      await admit(context, `${type.uid}.${action}`, type)
      return
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

function listOf(body: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const list = body[name] ?? []
  if (Array.isArray(list)) return list
  throw mistake([name], `${name} must be a list.`)
}

function entryOf(item: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  if (isObject(item)) return item
  throw mistake(path, `${path.join('.')} must be an object.`)
}

function idOf(item: unknown, path: readonly string[]): number {
  const id = isObject(item) ? item.id : item
  if (isId(id)) return id
  throw mistake(path, `${path.join('.')} must be the id of an entry.`)
}

function mistake(path: readonly string[], message: string): OctavoError {
  const errors = [{ path, message, name: 'ValidationError' }]
  return problem('body/bad-bulk', { errors }, { details: { errors } })
}
