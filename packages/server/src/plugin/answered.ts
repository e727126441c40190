import { isThenable } from '@octavo/core/internal'
import { noteAnswer, type Origin, withOrigin } from '../error/origins.ts'
import { refuseUnawaited } from './context-octavo.ts'
import type { RouteContext } from './route-context.ts'

/**
 * Runs the handler of a route.
 *
 * @param origin Noted in its errors.
 * @throws Error when it returned a value and answered nothing, or did not wait for its answer: in Koa the answer would be a 404, without a
 * word about why
 */
export const answered = (
  context: RouteContext,
  origin: Origin,
  handler: ((context: RouteContext) => unknown) | undefined,
): Promise<void> =>
  withOrigin(origin, async () => {
    const given = handler?.(context)
    // Without a step in between, in which an answer that is refused at once would be over.
    const returned = isThenable(given) ? await given : given
    await refuseUnawaited(context)
    const isUnanswered = context.body === undefined && context.status === 404 && context.respond !== false
    if (returned !== undefined && isUnanswered)
      throw new Error('the handler returned a value, and set no context.body, which is the answer')
    noteAnswer(context, origin)
  })
