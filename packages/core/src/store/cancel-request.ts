import { connect } from 'node:net'
import type { ClientBase } from 'pg'

/** Milliseconds that the server has to take a request. */
const patience = 2_000

/** The code of a CancelRequest. Source: PostgreSQL's manual, "Message Formats". */
const cancelRequest = 80_877_102

/** What a client knows of its backend. pg sets both fields and does not declare them. */
interface Backend {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * Asks the server, on a connection of its own, to cancel what a client runs. It resolves when the server has sent the
 * signal, and also when it cannot be reached: the statement then runs to its end or to its time limit.
 *
 * The signal says "whatever runs now". The caller must throw the client's connection away, or the next statement on it
 * could be the one that is cancelled.
 *
 * Source: PostgreSQL's manual, "Canceling Requests in Progress". As libpq does, it is sent without TLS: it holds nothing
 * but the key of the backend, which is thrown away.
 */
export function cancelStatement(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return Promise.resolve()
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(cancelRequest, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.setTimeout(patience, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.once('connect', () => socket.write(message))
    // The server closes the connection once it has sent the signal; without a reader its end would not be seen.
    socket.resume()
  })
}
