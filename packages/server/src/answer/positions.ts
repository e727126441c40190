import type { Octavo, ReadRequest } from '@octavo/core'
import type { Context, Middleware } from 'koa'

/** The log position of a session's last write. Browsers send it back as a cookie, other clients as a header. */
const cookie = 'octavo_position'
export const positionHeader = 'X-Octavo-Position'

/** Milliseconds for which the cookie is valid; replicas reach the position within this time. */
const remembered = 60_000

/** Reads go to replicas that have reached the position of the session's last write. */
export const readOf = (context: Context): Pick<ReadRequest, 'replica'> => ({
  replica: { after: context.cookies.get(cookie) ?? (context.get(positionHeader) || undefined) },
})

/** Adds the database's position to the answer of a write. */
export const positions =
  ({ store, logger }: Octavo): Middleware =>
  async (context, next) => {
    await next()
    const isRead = /^(GET|HEAD|OPTIONS)$/.test(context.method) || context.state.onlyReads === true
    if (isRead || context.status >= 400) return
    try {
      const position = await store.position()
      if (position === undefined) return
      context.set(positionHeader, position)
      context.cookies.set(cookie, position, {
        httpOnly: true,
        sameSite: 'lax',
        secure: context.secure,
        expires: new Date(store.now().getTime() + remembered),
        overwrite: true,
      })
    } catch (error) {
      // The write is committed, so the answer is sent without a position.
      logger.warn(
        { err: error, requestId: context.state.requestId },
        'The position after a write is not known',
      )
    }
  }
