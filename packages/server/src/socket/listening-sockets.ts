import cluster from 'node:cluster'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Listening sockets of a process, each an open file. In each round of its event loop Node accepts one connection of each
 * listening socket (libuv: "don't accept() in a loop"). A busy process with one socket therefore accepts a hundred connections a second, and the
 * thousandth client waits for ten seconds before its request is even read.
 */
const sockets = 64

/** The part of the files that the process may open that listening sockets are at most: the rest is for connections. */
const partOfFiles = 1 / 8

/** The number of listening sockets by what `/proc/self/limits` says: a small container may open a few dozen files. */
async function numberOfSockets(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, files] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return files === undefined
    ? sockets
    : Math.max(1, Math.min(sockets, Math.floor(Number(files) * partOfFiles)))
}

/**
 * Whether the port is shared by several listening sockets, among which Linux distributes connections: those of one process, and those
 * of the workers of a cluster. Otherwise the primary of a cluster accepts all connections, and one that it hands to a worker
 * that was just killed waits for ever.
 */
export const sharesPort = (port: number): boolean =>
  process.platform === 'linux' && (cluster.isPrimary || port !== 0)

/** @throws Error of the system, when the server cannot listen */
export async function listening<T extends Server>(server: T, options: ListenOptions): Promise<T> {
  server.listen(options)
  await once(server, 'listening')
  return server
}

/** A port that no other server of Octavo takes until it is released. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/**
 * Reserves a port on which nothing listens. The system refuses a shared port to no process of the same user, so that of two servers that start at the
 * same instant both would listen.
 * @param port 0: any.
 * @throws Error of the system, `EADDRINUSE`
 */
export async function reserve(port: number, host: string | undefined): Promise<ReservedPort> {
  if (port === 0) {
    const any = await listening(createServer(), { port, host })
    const { port: chosen } = any.address() as AddressInfo // it listens on a port, not on a pipe
    await close(any)
    return reserve(chosen, host)
  }
  const turn = await takeTurn(port)
  try {
    await close(await listening(createServer(), { port, host }))
  } catch (error) {
    await close(turn)
    throw error
  }
  return { port, release: () => close(turn) }
}

/** Runs `open`, which listens on a shared port, if nothing else listens on it. @throws Error of the system, `EADDRINUSE` */
export async function whileFree<T>(
  port: number,
  host: string | undefined,
  open: () => Promise<T>,
): Promise<T> {
  // The primary has reserved the port of the workers.
  if (port === 0 || cluster.isWorker) return open()
  const reserved = await reserve(port, host)
  try {
    return await open()
  } finally {
    await reserved.release()
  }
}

/** Milliseconds between two attempts to take the turn, which others have for a few milliseconds. */
const interval = 10

/** A server listens within milliseconds; workers that start have the port for longer. */
const attempts = 100

/**
 * An abstract socket with the port in its name. One process at a time can have it; it is gone when the process ends, and belongs to the
 * network namespace, as the port does.
 */
async function takeTurn(port: number): Promise<Server | undefined> {
  if (process.platform !== 'linux') return undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return await listening(createServer(), { path: `\0octavo-listens-${port}` })
    } catch (error) {
      if (attempt === attempts) throw error
      await wait(interval)
    }
  }
}

async function close(server: Server | undefined): Promise<void> {
  if (!server) return
  server.close()
  await once(server, 'close')
}

/**
 * Opens the further sockets, whose connections `server` answers. They are closed with it at the latest.
 * @throws Error of the system, once none of them is about to open any more
 */
export async function furtherSockets(
  server: HttpServer,
  port: number,
  host: string | undefined,
): Promise<readonly Server[]> {
  const further = Array.from({ length: (await numberOfSockets()) - 1 }, () =>
    // With the options of an HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket)),
  )
  server.once('close', () => {
    for (const each of further) each.close()
  })
  const opened = await Promise.allSettled(
    further.map((each) => listening(each, { port, host, reusePort: true })),
  )
  const failed = opened.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return further
}
