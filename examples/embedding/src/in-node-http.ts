import { createServer, type Server as HttpServer } from 'node:http'
import type { Server } from '@octavo/server'

/** Octavo behind a route of a plain HTTP server. */
export function inNodeHttp(octavo: Server): HttpServer {
  const handler = octavo.app.callback()
  return createServer((request, response) => {
    if (request.url === '/hello') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ hello: 'Node' }))
    } else {
      void handler(request, response)
    }
  })
}
