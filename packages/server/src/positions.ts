import type { Octavo, ReadRequest } from '@octavo/core'
import type { Context, Middleware } from 'koa'

/** How far a session has written: sent back by browsers as a cookie, by others as a header if they care. */
const cookie = 'octavo_position'
export const positionHeader = 'X-Octavo-Position'

/** Milliseconds after which every replica will have come so far, or will not matter any more. */
const remembered = 60_000

/** Reads go to replicas, but for what their session has written and no replica knows yet. */
export const readOf = (context: Context): Pick<ReadRequest, 'replica'> => ({
  replica: { after: context.cookies.get(cookie) ?? (context.get(positionHeader) || undefined) },
})

/** Tells who has written how far the database was then. */
export const positions =
  ({ store, logger }: Octavo): Middleware =>
  async (context, next) => {
    await next()
    if (/^(GET|HEAD|OPTIONS)$/.test(context.method) || context.status >= 400) return
    try {
      const position = await store.position()
      if (position === undefined) return
      context.set(positionHeader, position)
      context.cookies.set(cookie, position, {
        httpOnly: true,
        sameSite: 'lax',
        secure: context.secure,
        maxAge: remembered,
        overwrite: true,
      })
    } catch (error) {
      // It is written all the same.
      logger.warn(
        { err: error, requestId: context.state.requestId },
        'The position after a write is not known',
      )
    }
  }
