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

/**
 * The state of a program that acts for itself: it may do everything.
 * @param reason Why nobody's rights are asked, for whoever reads the code: `'sends the newsletter'`.
 */
export const unrestricted = (reason: string): RequestState => {
  if (reason.trim() === '') throw new Error('unrestricted() needs a reason')
  return { caller: { grants: everything } }
}
