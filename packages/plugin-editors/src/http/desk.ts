import type { RequestState } from '@octavo/core'
import type { Method, Route, RouteContext, Routes } from '@octavo/server'
import type { Session } from '../accounts/sessions.ts'
import { problem } from '../problems.ts'
import { stateOfEditor } from '../rights/caller.ts'
import type { GeneralRight } from '../rights/right.ts'
import type { Service } from '../service.ts'
import { cookieOf, ownAnswer, requireSameSite } from './request.ts'

/** The beginning of all paths of this plugin. Outside of the prefix of the content endpoints. */
export const deskPath = '/desk/api'

/** The id of the person who makes a request, for pages that may be open longer than a session. */
const personHeader = 'Octavo-Person'

/** A request without a session. */
export interface Visit {
  readonly context: RouteContext
  readonly service: Service
  readonly routes: Routes
}

/** A request of a person who is signed in. */
export interface SignedIn extends Visit {
  readonly session: Session
}

/** The states of requests of editors: only routes of this plugin put one here, for the endpoints that they forward a request to. */
const states = new WeakMap<object, RequestState>()

/** The state of the editor whose request a route of this plugin forwards. */
export const forwardedState = ({ req }: Pick<RouteContext, 'req'>): RequestState | undefined =>
  states.get(req)

interface OpenRoute {
  /** Whether it makes the first editor, and there must be none yet. Default false. */
  readonly isFirst?: boolean
  /** Whether a page of another site may lead here. Default false. */
  readonly fromElsewhere?: boolean
}

/** Adds the routes of the desk. */
export class Desk {
  readonly #routes: Routes
  readonly #service: () => Service

  constructor(routes: Routes, service: () => Service) {
    this.#routes = routes
    this.#service = service
  }

  /** A route that needs no session. */
  open(
    method: Method,
    path: string,
    handler: (visit: Visit) => Promise<void>,
    { isFirst = false, fromElsewhere = false }: OpenRoute = {},
  ): void {
    const body = method === 'GET' ? 'none' : 'fields'
    this.#add(
      method,
      path,
      body,
      async (visit) => {
        if ((await visit.service.isFounded()) === isFirst) throw problem('desk/not-found')
        await handler(visit)
      },
      fromElsewhere,
    )
  }

  /** A route for people who are signed in. @param needs A right that they need. Default: none. */
  add(
    method: Method,
    path: string,
    handler: (request: SignedIn) => Promise<void>,
    needs?: GeneralRight['action'],
    body: Route['body'] = method === 'POST' || method === 'PUT' ? 'fields' : 'none',
  ): void {
    this.#add(method, path, body, async (visit) => {
      const session = await sessionOf(visit)
      if (needs !== undefined && !session.grants.allows(needs)) throw problem('desk/forbidden')
      const { context, service } = visit
      const state = stateOfEditor({ id: session.editor.id, grants: session.grants }, service.unrestricted)
      const whole: RequestState = { ...context.state.octavo, ...state }
      context.state.octavo = whole
      states.set(context.req, whole)
      await handler({ ...visit, session })
    })
  }

  #add(
    method: Method,
    path: string,
    body: Route['body'],
    handler: (visit: Visit) => Promise<void>,
    fromElsewhere = false,
  ): void {
    this.#routes.add({
      method,
      path: `${deskPath}${path}`,
      root: true,
      handler: async (context) => {
        ownAnswer(context)
        if (!fromElsewhere) requireSameSite(context)
        if (body === 'fields') await this.#receive(context)
        await handler({ context, service: this.#service(), routes: this.#routes })
      },
    })
  }

  /** After the origin is checked, a body is read. */
  async #receive(context: RouteContext): Promise<void> {
    const { fields } = await this.#routes.receive(context, { fileSize: 0, files: 0, idle: 10_000 })
    Object.assign(context.request, { body: fields })
  }
}

/**
 * Whether a session is that of the person whom a request names. All tabs of a browser share one cookie. If another person signs in in another tab,
 * a page still shows the first person, and would write in the name of the second.
 */
function isMeant(context: RouteContext, { editor }: Session): boolean {
  const named = context.get(personHeader)
  return named === '' || named === String(editor.id)
}

/** @throws UnauthorizedError */
async function sessionOf({ context, service }: Visit): Promise<Session> {
  const cookie = cookieOf(context)
  const session =
    cookie === undefined || !(await service.isFounded()) ? undefined : await service.sessions.find(cookie)
  if (session && isMeant(context, session)) return session
  if (!(await service.isFounded())) throw problem('desk/not-found')
  throw problem('desk/not-signed-in')
}
