import type { Octavo, ReadRequest, RequestState } from '@octavo/core'
import type { ContentType } from '@octavo/core/plugin'
import type { Context } from 'koa'
import { notFound } from '../error/errors.ts'
import { callerOf } from '../request/caller.ts'
import { Leaving } from '../socket/leaving.ts'
import type { UnsentAnswers } from '../socket/unsent.ts'
import { type CacheOptions, setCaching } from './caching.ts'
import { envelope } from './envelope.ts'
import { readOf } from './positions.ts'

export interface ReadOptions {
  readonly octavo: Octavo
  readonly cache: CacheOptions
  readonly unsent: UnsentAnswers
}

/** The part of a read that its endpoint or its route determines. */
export interface AskedRead {
  readonly type: ContentType
  readonly action: 'find' | 'findOne'
  readonly kind: 'list' | 'one' | 'single'
  readonly id?: number
  readonly query: string
  readonly state: RequestState
}

/** The parts of a read that belong to its request. */
export type RequestRead = Pick<ReadRequest, 'signal' | 'requireRoom' | 'replica'>

/** For the reads of a request, whose answers take their room together. */
export function readsOf(
  context: Context,
  { octavo, unsent }: Pick<ReadOptions, 'octavo' | 'unsent'>,
): RequestRead {
  let room = 0
  return {
    signal: new Leaving(context.res),
    requireRoom: (bytes) => {
      room += bytes
      unsent.reserve(context.res, room, callerOf(context))
    },
    ...(octavo.store.hasReplicas && readOf(context)),
  }
}

/** Reads entries and answers with them. @throws OctavoError */
export async function answerRead(context: Context, read: AskedRead, options: ReadOptions): Promise<void> {
  const { octavo, cache } = options
  const request: ReadRequest = {
    ...read,
    ...readsOf(context, options),
    ...(cache.tags !== undefined && { tags: true }),
  }
  const own = octavo.hooks.has('server:read')
    ? await octavo.hooks.decide('server:read', request, context)
    : undefined
  if (own) {
    context.set('Cache-Control', 'private, no-store')
    context.body = own
    return
  }
  const { data, pagination, tags } = await octavo.read(request)
  send(context, data, pagination)
  setCaching(context, read.type, cache, tags)
}

const json = 'application/json; charset=utf-8'

/** @throws NotFoundError without an entry */
export function send(
  context: Context,
  data: string | undefined,
  pagination?: Parameters<typeof envelope>[1],
): void {
  if (data === undefined) throw notFound()
  // `context.type` would look the charset up for each request.
  context.res.setHeader('Content-Type', json)
  context.body = envelope(data, pagination)
}
