import type { RequestState } from './hooks.ts'

/**
 * The state of a program that acts for itself: plugins that look after rights let it do everything.
 *
 *     octavo.entries('article', unrestricted('sends the newsletter')).find()
 *
 * A plugin takes `host.unrestricted` instead, whose reasons are logged at start.
 * @param reason Why nobody's rights are asked, for whoever reads the code.
 * @throws Error without a reason.
 */
export function unrestricted(reason: string): RequestState {
  if (reason.trim() === '') throw new Error('unrestricted() needs a reason')
  return { unrestricted: reason }
}
