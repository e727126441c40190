import type { RequestState } from '@octavo/core'
import { everything, type Grants } from './grants.ts'

/** Who asks. */
export interface Caller {
  readonly grants: Grants
  /** Of somebody who logged in. */
  readonly userId?: number
  /** The action that the route was let in for: `api::article.article.find`. Set by `server:authorize`. */
  admitted?: string
}

declare module '@octavo/core' {
  interface RequestState {
    /** Absent: nobody in particular, who has the rights of the role `public`. */
    readonly caller?: Caller
  }
}

/** Who asks; `undefined` for nobody in particular. A program or plugin that acts for itself may do everything. */
export const callerOf = ({ caller, unrestricted }: RequestState): Caller | undefined =>
  unrestricted === undefined ? caller : { ...caller, grants: everything }
