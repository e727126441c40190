import type { Octavo } from '@octavo/core'
import type { Context, Middleware } from 'koa'

/** Time that the database has to answer, in milliseconds. */
const patience = 2_000

/** `GET /_health`: 204 when the database answers, 503 when it does not. For load balancers; it says nothing else. */
export const health =
  (octavo: Octavo): Middleware =>
  (context, next) =>
    context.path === '/_health' ? tell(context, octavo) : next()

async function tell(context: Context, octavo: Octavo): Promise<void> {
  const isUp = await answers(octavo)
  context.body = null
  // Setting no body makes it 204, so the status comes after.
  context.status = isUp ? 204 : 503
}

async function answers(octavo: Octavo): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience)
  })
  try {
    return await Promise.race([octavo.store.ping().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
