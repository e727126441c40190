import type { Server } from '@octavo/server'
import { type FastifyInstance, fastify } from 'fastify'

/** Octavo answers below `/api`, before Fastify reads the body; Fastify answers the rest. */
export function inFastify(octavo: Server): FastifyInstance {
  const app = fastify()
  const handler = octavo.app.callback()
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/api/')) return done()
    reply.hijack()
    void handler(request.raw, reply.raw)
  })
  app.get('/hello', () => ({ hello: 'Fastify' }))
  return app
}
