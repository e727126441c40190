import { type RequestState, unrestrictedReason } from './request-state.ts'

/**
 * The state of a program that acts for itself: plugins that look after rights let it do everything.
 *
 *     octavo.entries('article', unrestricted('sends the newsletter')).find()
 *
 * A plugin takes `host.unrestricted` instead, whose reasons are logged at start.
 * @param reason Why the rights of no caller apply, for readers of the code.
 * @throws Error without a reason.
 */
export function unrestricted(reason: string): RequestState {
  if (reason.trim() === '') throw new Error('unrestricted() needs a reason')
  return { [unrestrictedReason]: reason }
}

/** Whether a state was made by {@link unrestricted}, or copied from one that was. An inherited mark does not count. */
export const isUnrestricted = (state: RequestState): boolean => Object.hasOwn(state, unrestrictedReason)
