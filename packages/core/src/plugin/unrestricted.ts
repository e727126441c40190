import { type RequestState, unrestrictedReason } from './request-state.ts'

/**
 * The state that gives a program unrestricted access: plugins that check rights allow everything.
 *
 *     octavo.entries('article', unrestricted('sends the newsletter')).find()
 *
 * A plugin uses `host.unrestricted` instead, which logs the reasons at start.
 * @param reason Why no rights are checked, for readers of the code.
 * @throws Error when the reason is empty.
 */
export function unrestricted(reason: string): RequestState {
  if (reason.trim() === '') throw new Error('unrestricted() needs a reason')
  return { [unrestrictedReason]: reason }
}

/** Whether a state was created by {@link unrestricted} or copied from such a state. An inherited key does not count. */
export const isUnrestricted = (state: RequestState): boolean => Object.hasOwn(state, unrestrictedReason)
