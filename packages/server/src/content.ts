import {
  type ContentAction,
  type ContentType,
  isId,
  isObject,
  MethodNotAllowedError,
  type Octavo,
  type RequestState,
  readId,
  ValidationError,
  writeActions,
} from '@octavo/core'
import type { Context, Middleware } from 'koa'
import { type Bodies, checkDepth, type Fields } from './body.ts'
import { type CacheOptions, setCaching } from './caching.ts'
import { envelope } from './envelope.ts'
import { notFound } from './errors.ts'
import type { FileTaker } from './hooks.ts'
import { leaving } from './leaving.ts'
import { readOf } from './positions.ts'

/** What a content endpoint does, by the shape of its path and the method. HEAD is GET without its body. */
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
  /** Whether `POST /:plural/actions/bulk` is there. */
  readonly bulk: boolean
  readonly bodies: Bodies
  readonly cache: CacheOptions
  /** Whether a plugin has a route of this path and method, which is then the plugin's: `GET /articles/count`. */
  readonly isTaken: (path: string, method: string) => boolean
  /** Tells who asks, and refuses what they may not. */
  readonly admit: (context: Context, action: string, type: ContentType | undefined) => Promise<RequestState>
}

/**
 * The endpoints of all content-types. A type is looked up when it is asked for, so that one that is added to the running
 * server answers at once. What is no content-type's path goes on to the next.
 */
export function content(options: ContentOptions): Middleware {
  const { octavo, prefix } = options
  const start = `${prefix.toLowerCase()}/`
  return async (context, next) => {
    const { path } = context
    if (!path.toLowerCase().startsWith(start)) return next()
    // A normal path: ASCII, and what is still encoded in it is in no content-type's name and in no id.
    const [name = '', id = '', third = '', ...more] = path.slice(start.length).split('/')
    const type = name === '' ? undefined : octavo.registry.byRoute(name)
    if (!type || more.length > 0 || options.isTaken(path, context.method)) return next()
    if (third !== '')
      return options.bulk && id === 'actions' && third === 'bulk' ? bulk(context, type, options) : next()
    const shape: Shape = type.kind === 'singleType' ? 'single' : id === '' ? 'collection' : 'entry'
    if (shape === 'single' && id !== '') return next()
    await serve(context, type, shape, id, options)
  }
}

async function serve(
  context: Context,
  type: ContentType,
  shape: Shape,
  id: string,
  options: ContentOptions,
): Promise<void> {
  const { octavo, admit } = options
  const methods: Readonly<Record<string, ContentAction>> = endpoints[shape]
  const action = methods[context.method === 'HEAD' ? 'GET' : context.method]
  if (!action) return refuseMethod(context, Object.keys(methods))
  const state = await admit(context, `${type.uid}.${action}`, type)
  const target = shape === 'entry' ? { id: entryId(id) } : {}
  const query = context.querystring
  if (action === 'find' || action === 'findOne') {
    const kind = readKinds[shape]
    const { data, pagination, tags } = await octavo.read({
      type,
      action,
      kind,
      query,
      state,
      ...target,
      signal: leaving(context.res),
      ...(options.cache.tags !== undefined && { tags: true }),
      ...(octavo.store.hasReplicas && readOf(context)),
    })
    send(context, data, pagination)
    setCaching(context, type, options.cache, tags)
    return
  }
  if (action === 'delete') {
    const { data } = await octavo.write({ type, action, query, state, ...target })
    send(context, data)
    return
  }
  const write = async (body: Fields, more: RequestState): Promise<void> => {
    const input = dataOf(body)
    const { data } = await octavo.write({ type, action, query, state: more, input, ...target })
    send(context, data)
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
  { limits, take }: FileTaker,
  state: RequestState,
  write: (body: Fields, state: RequestState) => Promise<void>,
  { bodies }: ContentOptions,
): Promise<void> {
  const { fields, files, discard } = await bodies.withFiles(context, limits)
  try {
    if (files.length === 0) return await write(fields, state)
    const taken = await take(files)
    try {
      await write(fields, { ...state, ...taken.state })
    } catch (error) {
      await taken.undo()
      throw error
    }
  } finally {
    await discard()
  }
}

/** `POST /:plural/actions/bulk` with `{ create: [...], update: [...], delete: [...] }`: one transaction, one answer. */
async function bulk(
  context: Context,
  type: ContentType,
  { octavo, admit, bodies }: ContentOptions,
): Promise<void> {
  if (context.method !== 'POST') return refuseMethod(context, ['POST'])
  const body = await bodies.fields(context)
  const lists = {
    create: listOf(body, 'create'),
    update: listOf(body, 'update'),
    delete: listOf(body, 'delete'),
  }
  // Each kind of write needs the right that it needs by itself.
  let state: RequestState = {}
  for (const action of writeActions) {
    if (lists[action].length > 0) state = await admit(context, `${type.uid}.${action}`, type)
  }
  const result = await octavo.bulk({
    type,
    state,
    create: lists.create.map((item, i) => entryOf(item, ['create', String(i)])),
    update: lists.update.map((item, i) => ({
      ...entryOf(item, ['update', String(i)]),
      id: idOf(item, ['update', String(i), 'id']),
    })),
    delete: lists.delete.map((item, i) => idOf(item, ['delete', String(i)])),
  })
  send(context, JSON.stringify(result))
}

function send(context: Context, data: string | undefined, pagination?: Parameters<typeof envelope>[1]): void {
  if (data === undefined) throw notFound()
  context.type = 'application/json'
  context.body = envelope(data, pagination)
}

/** @throws MethodNotAllowedError, except that OPTIONS is answered. */
export function refuseMethod(context: Context, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']
  context.set('Allow', allowed.join(', '))
  if (context.method === 'OPTIONS') {
    context.status = 204
    return
  }
  throw new MethodNotAllowedError(
    'route/method-not-allowed',
    `${context.method} is not possible here; ${allowed.join(', ')} are.`,
  )
}

/** @throws NotFoundError for text that cannot be an id. */
function entryId(text: string): number {
  const id = readId(text)
  if (id === undefined) throw notFound()
  return id
}

/** @throws ValidationError when the body has no object `data`. */
function dataOf(body: Fields): Readonly<Record<string, unknown>> {
  const data = typeof body.data === 'string' ? parsed(body.data) : body.data
  if (isObject(data)) return data
  throw new ValidationError('body/no-data', 'Missing "data" payload in the request body')
}

/** A form has `data` as JSON text. */
function parsed(text: string): unknown {
  const data = parsedOrUndefined(text)
  if (data === undefined) throw new ValidationError('body/bad-data', 'The field "data" is not valid JSON.')
  checkDepth(data)
  return data
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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

const mistake = (path: readonly string[], message: string): ValidationError =>
  new ValidationError('body/bad-bulk', message, { errors: [{ path, message, name: 'ValidationError' }] })
