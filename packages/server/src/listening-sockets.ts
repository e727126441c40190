import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type ListenOptions, type Server } from 'node:net'

/**
 * Listening sockets of a process. In each round of its event loop Node accepts one connection of each listening socket (libuv:
 * "don't accept() in a loop"), so that a busy process with a single one accepts a hundred connections a second: the
 * thousandth client then waits for ten seconds before its request is even read.
 */
const sockets = 16

/**
 * Whether the port is shared by several listening sockets, among which Linux distributes connections: those of one process, and those
 * of the workers of a cluster. Otherwise the primary of a cluster accepts all connections, and one that it hands to a worker
 * that was just killed waits for ever.
 */
export const sharesPort = (port: number): boolean =>
  process.platform === 'linux' && (cluster.isPrimary || port !== 0)

/** @throws Error of the system, when the server cannot listen */
export async function listening(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

/** A shared port is not refused when another process of the same user shares it. @throws Error of the system, `EADDRINUSE` */
export async function checkFree(port: number, host: string | undefined): Promise<void> {
  if (port === 0 || cluster.isWorker) return
  const server = createServer()
  await listening(server, { port, host })
  server.close()
  await once(server, 'close')
}

/** Opens the further sockets, whose connections `server` answers. They are closed with it at the latest. */
export async function furtherSockets(
  server: HttpServer,
  port: number,
  host: string | undefined,
): Promise<readonly Server[]> {
  const further = Array.from({ length: sockets - 1 }, () =>
    // With the options of an HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket)),
  )
  server.once('close', () => {
    for (const each of further) each.close()
  })
  await Promise.all(further.map((each) => listening(each, { port, host, reusePort: true })))
  return further
}
