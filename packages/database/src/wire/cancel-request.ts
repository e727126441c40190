import { connect } from 'node:net'
import type { ClientBase } from 'pg'

/** Timeout of the cancel request, in milliseconds. */
const patience = 2_000

/** The code of a CancelRequest. Source: PostgreSQL's manual, "Message Formats". */
const cancelRequest = 80_877_102

/** A client's data about its backend process. pg sets both fields and does not declare them. */
interface Backend {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * Asks the server, on a separate connection, to cancel the running statement of a client. It resolves when the server has
 * sent the signal, and also when the server cannot be reached: the statement then runs to its end or to its timeout.
 *
 * The signal cancels the statement that runs when it arrives. The caller must close the client's connection, or the signal could
 * cancel the next statement on it.
 *
 * Source: PostgreSQL's manual, "Canceling Requests in Progress". Like in libpq the request is sent without TLS: it contains
 * only the key of the backend, whose connection is closed.
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
    // The server closes the connection after sending the signal; `resume` is needed to receive the end event.
    socket.resume()
  })
}
