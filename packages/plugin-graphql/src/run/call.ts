import type { Octavo, ReadRequest, RequestState } from '@octavo/core'
import type { ContentType, EntryInput } from '@octavo/core/plugin'
import type { RouteContext, Routes } from '@octavo/server'
import { problem } from '../problems.ts'
import type { PageBounds } from '../read/arguments.ts'
import type { EntryField } from '../schema/roots.ts'
import type { Perform } from './account-fields.ts'
import { AnswerBytes, OperationSignal } from './operation-bounds.ts'

export interface CallParts {
  readonly octavo: Octavo
  readonly routes: Routes
  readonly options: PageBounds
}

/** The request of an operation, whose root fields read and write in the name of its caller. */
export class Call {
  readonly octavo: Octavo
  readonly pages: PageBounds
  /** The state of the request. Each field has a copy of its own; see {@link ownState}. */
  readonly state: RequestState
  /** Parts of reads that are the same for all fields of the request. */
  readonly common: Pick<ReadRequest, 'signal' | 'requireRoom' | 'replica'>
  /** Aborts when the operation takes too long. */
  readonly signal: OperationSignal | undefined
  readonly #bytes: AnswerBytes
  readonly #context: RouteContext
  readonly #routes: Routes

  /**
   * @param time Milliseconds that the reads of all fields may take together.
   * @param batch The batch that the operation is part of, whose time and bytes bound those of all of its operations.
   */
  constructor({ octavo, routes, options }: CallParts, context: RouteContext, time: number, batch?: Call) {
    const { replica, ...read } = batch?.common ?? routes.readOf(context)
    this.octavo = octavo
    this.pages = options
    this.state = context.state.octavo as RequestState // set by the server before a handler runs
    this.signal = read.signal && new OperationSignal(read.signal, time)
    this.#bytes = batch ? batch.#bytes : new AnswerBytes(octavo.limits.answerBytes, read.requireRoom)
    this.#context = context
    this.#routes = routes
    this.common = {
      ...read,
      // A replica may lack what an operation before this one has written.
      ...(replica && context.state.onlyReads !== false && { replica }),
      ...(this.signal && { signal: this.signal }),
      requireRoom: this.#bytes.requireRoom,
    }
  }

  /** Counts the bytes of an answer. @throws PayloadTooLargeError when all together are too many */
  get count(): AnswerBytes['count'] {
    return this.#bytes.count
  }

  /** @throws ForbiddenError without the permission */
  async authorize(
    action: string | undefined,
    type: ContentType | undefined,
    state: RequestState,
  ): Promise<void> {
    const { hooks } = this.octavo
    if (action === undefined) throw problem('graphql/not-available')
    if (hooks.has('server:authorize')) return hooks.guard('server:authorize', { name: action, type }, state)
    const { path } = this.#context
    const method = readActions.test(action) ? 'GET' : 'POST'
    const endpoint = { method, path, route: path, root: true, plugin: 'graphql', actions: [action] } as const
    if (!(await this.#routes.permits(endpoint, state))) throw problem('graphql/not-available')
  }

  /**
   * Runs an action inside of the middleware of plugins around actions.
   * @returns `undefined` when one of them prevented it
   */
  around<T>(
    field: EntryField,
    values: ActionValues,
    state: RequestState,
    run: () => Promise<T>,
  ): Promise<T | undefined> {
    const action = { name: field.action ?? '', type: field.type }
    return this.#routes.around(this.#context, () => ({ ...restOf(field, values), state }), action, run)
  }

  /** Makes a request of a route, in the name of the caller. @returns the body of its answer. @throws OctavoError */
  readonly perform: Perform = async (request) => {
    const { body } = await this.#routes.perform(this.#context, request)
    return typeof body === 'string' ? JSON.parse(body) : body
  }

  /** Makes an entry in another locale, as the route of REST does. @returns its id */
  async localize(type: ContentType, id: number | undefined, input: EntryInput): Promise<number> {
    const path =
      type.kind === 'singleType'
        ? `/${type.singularName}/localizations`
        : `/${type.pluralName}/${id ?? ''}/localizations`
    const made = (await this.perform({ method: 'POST', path, body: input })) as { readonly id: number } // the answer of the route
    return made.id
  }
}

const readActions = /\.(find|findOne|listLocales)$/

/** The arguments that are part of the request of REST. */
interface ActionValues {
  readonly id?: unknown
  readonly data?: unknown
}

/** The request of REST for an action: its method, path and body. */
function restOf({ kind, type }: EntryField, { id, data }: ActionValues) {
  const methods = { create: 'POST', localize: 'POST', update: 'PUT', delete: 'DELETE' } as const
  const method =
    kind === 'create' || kind === 'localize' || kind === 'update' || kind === 'delete' ? methods[kind] : 'GET'
  const root = `/${type.kind === 'singleType' ? type.singularName : type.pluralName}`
  const path = id === undefined || id === null ? root : `${root}/${encodeURIComponent(String(id))}`
  return { method, path, ...(data !== undefined && { body: { data } }) } as const
}

/**
 * The state of a field: a copy with copies of the objects in it, since `server:authorize` records the permission of an action in
 * them, and fields run side by side.
 */
export function ownState(state: RequestState): RequestState {
  const own = { ...state } as Record<string | symbol, unknown>
  for (const key of Reflect.ownKeys(own)) {
    const value = own[key]
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      own[key] = { ...value }
  }
  return own as RequestState
}
