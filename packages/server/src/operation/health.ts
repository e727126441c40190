import type { Octavo } from '@octavo/core'
import type { Context, Middleware, Next } from 'koa'

/** Milliseconds within which the database must answer a health check. */
const patience = 2_000

/** Whether the server still accepts requests; see `GET /_health/ready`. */
export interface Lifecycle {
  isStopping: boolean
}

/**
 * Endpoints for load balancers and supervisors:
 *
 *     GET /_health        204 while the database answers, 503 otherwise
 *     GET /_health/live   200 while the process runs: restart it without an answer
 *     GET /_health/ready  200 while requests are accepted, 503 when the server stops or the database does not answer
 *
 * `ready` has the status `busy` with 200 when statements wait for a connection: all instances share the database, and
 * removing one would only increase the load of the others.
 */
export const health =
  (octavo: Octavo, lifecycle: Lifecycle): Middleware =>
  (context, next) => {
    const path = context.path.toLowerCase()
    return path.startsWith('/_health') ? answerHealth(path, context, next, octavo, lifecycle) : next()
  }

async function answerHealth(
  path: string,
  context: Context,
  next: Next,
  octavo: Octavo,
  lifecycle: Lifecycle,
): Promise<void> {
  switch (path) {
    case '/_health': {
      const isUp = await databaseAnswers(octavo)
      context.body = null
      // An empty body sets the status to 204, so the status is set afterwards.
      context.status = isUp ? 204 : 503
      return
    }
    case '/_health/live':
      answer(context, 200, { status: 'live' })
      return
    case '/_health/ready':
      answer(context, ...(await readiness(octavo, lifecycle)))
      return
    default:
      await next()
  }
}

interface Readiness {
  readonly status: 'ready' | 'busy' | 'stopping' | 'unavailable'
  readonly database: 'up' | 'down' | 'unknown'
}

async function readiness(
  octavo: Octavo,
  { isStopping }: Lifecycle,
): Promise<[status: 200 | 503, body: Readiness]> {
  if (isStopping) return [503, { status: 'stopping', database: 'unknown' }]
  if (!(await databaseAnswers(octavo))) return [503, { status: 'unavailable', database: 'down' }]
  const { waiting = 0 } = octavo.figures().connections ?? {}
  return [200, { status: waiting > 0 ? 'busy' : 'ready', database: 'up' }]
}

function answer(context: Context, status: number, body: object): void {
  context.status = status
  context.set('Cache-Control', 'no-store')
  context.body = body
}

async function databaseAnswers({ store }: Octavo): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience)
  })
  try {
    return await Promise.race([store.ping().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
