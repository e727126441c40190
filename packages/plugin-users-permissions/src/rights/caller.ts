import type { RequestState } from '@octavo/core'
import { isUnrestricted } from '@octavo/core/plugin'
import { everything, type Grants } from './grants.ts'

/** The author of a request. */
export interface Caller {
  readonly grants: Grants
  /** Id of the user, when one is logged in. */
  readonly userId?: number
  /** The authorised action of the route: `api::article.article.find`. Set by `server:authorize`. */
  admitted?: string
}

/** No text is equal to a symbol, so no body, query or data file can set it. */
const key: unique symbol = Symbol('octavo.caller')

declare module '@octavo/core' {
  interface RequestState {
    readonly [key]?: Caller
  }
}

/** The state of a request of this caller. */
export const stateOfCaller = (caller: Caller): RequestState => ({ [key]: caller })

/**
 * The caller of a request; `undefined` for an anonymous one, which has the rights of the role `public`. A program or
 * plugin with an unrestricted state has all rights. Inherited properties of the state are ignored.
 */
export function callerOf(state: RequestState): Caller | undefined {
  const caller = Object.hasOwn(state, key) ? state[key] : undefined
  return isUnrestricted(state) ? { ...caller, grants: everything } : caller
}
