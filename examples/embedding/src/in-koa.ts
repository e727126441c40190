import type { Server } from '@octavo/server'
import Koa from 'koa'

/** Octavo behind the middleware of a Koa application, which leaves the response to it. */
export function inKoa(octavo: Server): Koa {
  const app = new Koa()
  const handler = octavo.app.callback()
  app.use(async (context, next) => {
    if (context.path !== '/hello') return next()
    context.body = { hello: 'Koa' }
  })
  app.use((context) => {
    context.respond = false
    return handler(context.req, context.res)
  })
  return app
}
