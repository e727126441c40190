import type { Octavo, ReadRequest, RequestState } from '@octavo/core'
import type { ContentType, EntryInput } from '@octavo/core/plugin'
import type { PageBounds } from '../read/arguments.ts'
import type { EntryField } from '../schema/roots.ts'

import type { OperationSignal } from './operation-bounds.ts'

/** The request that a field belongs to. */
export interface Call {
  readonly octavo: Octavo
  /** The state of the request. Each field has a copy, in which its permission is recorded. */
  readonly state: RequestState
  /** Parts of reads that are the same for all fields of the request. */
  readonly common: Pick<ReadRequest, 'signal' | 'requireRoom' | 'replica'>
  readonly pages: PageBounds
  /** Aborts when the operation takes too long. */
  readonly signal: OperationSignal | undefined
  /** @throws ForbiddenError without the permission */
  readonly authorize: (action: string | undefined, type: ContentType, state: RequestState) => Promise<void>
  /** Runs an action inside of the middleware of plugins around actions, of which one may prevent it. */
  readonly around: <T>(
    field: EntryField,
    values: Readonly<Record<string, unknown>>,
    state: RequestState,
    run: () => Promise<T>,
  ) => Promise<T | undefined>
  /** Counts the bytes of an answer. @throws PayloadTooLargeError when all together are too many */
  readonly count: (bytes: number) => void
  /** Makes an entry in another locale, as the route of REST does. @returns its id */
  readonly localize: (type: ContentType, id: number | undefined, input: EntryInput) => Promise<number>
}

/**
 * The call of a field: with a copy of the state, and copies of the objects in it, since `server:authorize` records the permission
 * of an action in them, and fields run side by side.
 */
export function ownCall(call: Call): Call {
  const state = { ...call.state } as Record<string | symbol, unknown>
  for (const key of Reflect.ownKeys(state)) {
    const value = state[key]
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      state[key] = { ...value }
  }
  return { ...call, state: state as RequestState }
}
