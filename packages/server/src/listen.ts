import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type Koa from 'koa'

export interface Listening {
  /** `http://127.0.0.1:1337`, with the address that was bound; `localhost` where that is every address. */
  readonly url: string
  readonly port: number
  readonly server: Server
}

/** Bytes of the request line and all headers. */
const maxHeaderSize = 128 * 1024

/** @throws Error that says so when the port is taken. */
export function listen(app: Koa, port: number, host: string | undefined): Promise<Listening> {
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 66_000, requestTimeout: 120_000, maxHeaderSize },
    app.callback(),
  )
  server.on('clientError', refuse)
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

/** What is no request that the parser of HTTP could hand on is answered like any other error; the connection ends. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  // The client is gone, or has an answer on its way that this would run into.
  if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesWritten > 0) return void socket.destroy()
  const { status, name, message } = unparsed(error.code)
  const body = JSON.stringify({ data: null, error: { status, name, message, details: {} } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function unparsed(code: string | undefined) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        name: 'RequestHeaderFieldsTooLargeError',
        message: `The URL and headers may have at most ${maxHeaderSize} bytes.`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, name: 'RequestTimeoutError', message: 'The request did not arrive in time.' }
    default:
      return { status: 400, name: 'BadRequestError', message: 'The request cannot be read.' }
  }
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
