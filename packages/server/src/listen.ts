import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'

export interface Listening {
  /** `http://127.0.0.1:1337`, with the address that was bound; `localhost` where that is every address. */
  readonly url: string
  readonly port: number
  readonly server: Server
}

/** @throws Error that says so when the port is taken. */
export function listen(app: Koa, port: number, host: string | undefined): Promise<Listening> {
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 66_000, requestTimeout: 120_000, maxHeaderSize: 128 * 1024 },
    app.callback(),
  )
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(taken ? new Error(`Port ${port} is in use; choose another one`, { cause: error }) : error)
    })
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo // it listens on a port, not on a pipe
      const everywhere = address.address === '::' || address.address === '0.0.0.0'
      const name = everywhere
        ? 'localhost'
        : address.family === 'IPv6'
          ? `[${address.address}]`
          : address.address
      resolve({ url: `http://${name}:${address.port}`, port: address.port, server })
    })
  })
}

/** Answers what is in flight, for at most `grace` milliseconds, and takes nothing new. */
export async function stop(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), grace)
  // A connection that is kept alive becomes idle only when its answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearTimeout(late)
  clearInterval(idle)
}
