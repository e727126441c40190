import { type Octavo, OctavoError, type RequestState } from '@octavo/core'
import { chargeTo } from '@octavo/core/internal'
import { type ContentType, chargedTo } from '@octavo/core/plugin'
import type { Context, Middleware } from 'koa'
import { problem } from '../error/problems.ts'
import { senderOf } from './caller.ts'
import type { Endpoint } from './endpoints.ts'

/** Access without a plugin that authorizes requests: reads only, or `open` for writes as well. */
export type Access = 'read' | 'open'

/** Authenticates and authorizes requests. */
export interface Gate {
  /** The state of a request, with its caller if a plugin authenticates it. */
  identify(context: Context): Promise<RequestState>
  /** The state of a request whose caller may do the action. @throws OctavoError: 401 or 403 */
  admit(context: Context, action: string, type: ContentType | undefined): Promise<RequestState>
  /** Checks a further action of a request. @throws OctavoError 403 */
  authorize(
    context: Context,
    action: string,
    type: ContentType | undefined,
    state: RequestState,
  ): Promise<void>
  /** Whether the caller may use an endpoint. */
  permits(endpoint: Endpoint, state: RequestState): Promise<boolean>
}

/** Charges the statements of a request to its address, until its caller is known. */
export const chargeSender: Middleware = (context, next) => {
  context.state.sender = senderOf(context.ip)
  return chargedTo(context.state.sender, next)
}

export function gate({ hooks }: Octavo, access: Access): Gate {
  const identify = async (context: Context): Promise<RequestState> => {
    const caller = hooks.has('server:authenticate')
      ? await hooks.decide('server:authenticate', context)
      : undefined
    const brought = hooks.collect('server:state', context)
    const state: RequestState = Object.assign(
      { requestId: context.state.requestId, caller: context.state.sender },
      ...brought,
      caller,
    )
    context.state.octavo = state
    if (state.caller !== undefined) chargeTo(state.caller)
    return state
  }
  const authorize: Gate['authorize'] = async (context, name, type, state) => {
    if (hooks.has('server:authorize')) {
      try {
        await hooks.guard('server:authorize', { name, type }, state)
      } catch (error) {
        // For the log: the response does not name the missing permission.
        context.state.refused = name
        throw error
      }
    } else if (access === 'read' && !reads.has(context.method)) throw problem('access/read-only')
  }
  return {
    identify,
    authorize,
    async admit(context, name, type) {
      const state = await identify(context)
      await authorize(context, name, type, state)
      return state
    },
    async permits({ method, actions, content }, state) {
      if (actions.length === 0) return true
      if (!hooks.has('server:authorize')) return access === 'open' || reads.has(method)
      for (const name of actions) {
        try {
          await hooks.guard('server:authorize', { name, type: content?.type }, state)
          return true
        } catch (error) {
          if (!(error instanceof OctavoError)) throw error
        }
      }
      return false
    },
  }
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
