import type { Octavo, RequestState } from '@octavo/core'
import { hasUnknownOutcome, isObject, jsonErrorText } from '@octavo/core/internal'
import { type ContentAction, type ContentType, readId } from '@octavo/core/plugin'
import type { Context, Middleware } from 'koa'
import type { CacheOptions } from '../answer/caching.ts'
import { envelope } from '../answer/envelope.ts'
import { ifMatch } from '../answer/etag.ts'
import { answerRead, send } from '../answer/read-answer.ts'
import { notFound, refuseMethod } from '../error/errors.ts'
import { problem } from '../error/problems.ts'
import type { FileReceiver } from '../plugin/hooks.ts'
import type { Around } from '../plugin/plugin-middleware.ts'
import { type Bodies, checkDepth, type Fields } from '../request/body.ts'
import { repeatableOf } from '../request/idempotency.ts'
import type { UnsentAnswers } from '../socket/unsent.ts'
import { type BulkLimits, bulk } from './bulk.ts'
import { withoutPasswords } from './without-passwords.ts'

/** The action of a content endpoint, by the shape of its path and the method. HEAD is GET without a body. */
const endpoints = {
  collection: { GET: 'find', POST: 'create' },
  entry: { GET: 'findOne', PUT: 'update', DELETE: 'delete' },
  single: { GET: 'find', PUT: 'update', DELETE: 'delete' },
} as const satisfies Record<string, Record<string, ContentAction>>

type Shape = keyof typeof endpoints
const readKinds = { collection: 'list', entry: 'one', single: 'single' } as const satisfies Record<
  Shape,
  string
>

export interface ContentOptions {
  readonly octavo: Octavo
  /** `/api`, or empty for the root. */
  readonly prefix: string
  /** The bounds of `POST /:plural/actions/bulk`; `undefined`: there is no such route. */
  readonly bulk: BulkLimits | undefined
  readonly bodies: Bodies
  readonly cache: CacheOptions
  /** Whether a plugin has a route for this path and method, which takes precedence: `GET /articles/count`. */
  readonly isTaken: (path: string, method: string) => boolean
  readonly unsent: UnsentAnswers
  /** Middleware of plugins around actions. */
  readonly around: Around | undefined
  /** Authenticates the caller and checks its permission. @throws OctavoError: 401 or 403 */
  readonly admit: (context: Context, action: string, type: ContentType | undefined) => Promise<RequestState>
}

/**
 * The endpoints of all content-types. The type is looked up per request, so that a type that is added to the running
 * server has its endpoints at once. Other paths are passed to the next middleware.
 */
export function content(options: ContentOptions): Middleware {
  const { octavo, prefix } = options
  const start = `${prefix.toLowerCase()}/`
  return (context, next) => {
    const { path } = context
    if (!path.toLowerCase().startsWith(start)) return next()
    // The path is normalised: the characters that are still encoded are in no content-type's name and in no id.
    const [name = '', id = '', third = '', ...more] = path.slice(start.length).split('/')
    const type = name === '' ? undefined : octavo.registry.byRoute(name)
    if (!type || more.length > 0 || options.isTaken(path, context.method)) return next()
    if (third !== '')
      return options.bulk && id === 'actions' && third === 'bulk'
        ? bulk(context, type, options.bulk, options)
        : next()
    const shape: Shape = type.kind === 'singleType' ? 'single' : id === '' ? 'collection' : 'entry'
    if (shape === 'single' && id !== '') return next()
    return serve(context, type, shape, id, options)
  }
}

async function serve(
  context: Context,
  type: ContentType,
  shape: Shape,
  id: string,
  options: ContentOptions,
): Promise<void> {
  const { admit } = options
  const methods: Readonly<Record<string, ContentAction>> = endpoints[shape]
  const action = methods[context.method === 'HEAD' ? 'GET' : context.method]
  if (!action) return refuseMethod(context, Object.keys(methods))
  const state = await admit(context, `${type.uid}.${action}`, type)
  const run = (): Promise<void> => act(context, { type, action, shape, id, state }, options)
  if (!options.around) return run()
  return options.around(context, { name: `${type.uid}.${action}`, type }, run)
}

interface Asked {
  readonly type: ContentType
  readonly action: ContentAction
  readonly shape: Shape
  readonly id: string
  readonly state: RequestState
}

/** Does an action of a caller who may do it. */
async function act(
  context: Context,
  { type, action, shape, id, state }: Asked,
  options: ContentOptions,
): Promise<void> {
  const { octavo } = options
  const target = shape === 'entry' ? { id: entryId(id) } : {}
  const query = context.querystring
  if (action === 'find' || action === 'findOne') {
    await answerRead(context, { type, action, kind: readKinds[shape], query, state, ...target }, options)
    return
  }
  const check = action === 'create' ? undefined : ifMatch(context, envelope)
  const precondition = check ? { precondition: check } : {}
  if (action === 'delete') {
    const { data } = await octavo.write({
      type,
      action,
      query,
      state,
      ...precondition,
      ...target,
    })
    send(context, data)
    return
  }
  const write = async (body: Fields, more: RequestState): Promise<boolean> => {
    const input = dataOf(body, context)
    const repeatable =
      action === 'create'
        ? repeatableOf(context, state, () => withoutPasswords(input, type, octavo.registry))
        : undefined
    const { data, isRepeated = false } = await octavo.write({
      type,
      action,
      query,
      state: more,
      input,
      repeatable,
      ...precondition,
      ...target,
    })
    send(context, data)
    return isRepeated
  }
  const taker = context.is('multipart')
    ? await octavo.hooks.decide('server:files', { name: `${type.uid}.${action}`, type }, state)
    : undefined
  if (taker) await withFiles(context, taker, state, write, options)
  else await write(await options.bodies.fields(context), state)
}

/** Writes an entry with the files that came in the same body. */
async function withFiles(
  context: Context,
  { limits, take }: FileReceiver,
  state: RequestState,
  /** @returns whether nothing was written, because an earlier request had the same key. */
  write: (body: Fields, state: RequestState) => Promise<boolean>,
  { bodies }: ContentOptions,
): Promise<void> {
  const { fields, files, discard } = await bodies.withFiles(context, limits)
  try {
    if (files.length === 0) return void (await write(fields, state))
    const taken = await take(files)
    try {
      if (await write(fields, { ...state, ...taken.state })) await taken.undo()
    } catch (error) {
      // The entry may exist, and lead to its files.
      if (!hasUnknownOutcome(error)) await taken.undo()
      throw error
    }
  } finally {
    await discard()
  }
}

/** @throws NotFoundError for text that cannot be an id. */
function entryId(text: string): number {
  const id = readId(text)
  if (id === undefined) throw notFound()
  return id
}

/** @throws ValidationError when the body has no object `data`. */
function dataOf(body: Fields, context: Context): Readonly<Record<string, unknown>> {
  const isText = typeof body.data === 'string' && context.is('multipart', 'urlencoded')
  const data = isText ? parsed(String(body.data)) : body.data
  if (isObject(data)) return data
  throw problem('body/no-data')
}

/** A form has `data` as JSON text; in a body of JSON a text is a mistake, such as an object that was written as JSON twice. */
function parsed(text: string): unknown {
  const data = parsedOrRefused(text)
  checkDepth(data)
  return data
}

function parsedOrRefused(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problem('body/bad-data', { place: jsonErrorText(text) }, { cause: error })
  }
}
