import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'

/** Requests to a server, one after the other on one connection, as those of many clients behind a proxy are. */
export interface OneConnection {
  /** @returns the status of the answer. @throws Error when the connection ends without one */
  send(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string | Uint8Array,
  ): Promise<number>
  /** Connections that were made so far. */
  readonly count: number
  close(): void
}

/** @param url The URL of the server. A body without `Content-Length` among its headers is sent in chunks. */
export function openConnection(url: string): OneConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<Socket>()
  return {
    get count() {
      return sockets.size
    },
    send: (method, path, headers = {}, body = '') =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { method, headers, agent }, (answer) => {
          answer.resume()
          answer.once('end', () => resolve(answer.statusCode ?? 0))
          answer.once('error', reject)
        })
        sent.once('error', reject)
        sent.once('socket', (socket) => sockets.add(socket))
        // Apart from the end, since Node.js gives a body that is sent at once a length.
        if (body.length > 0) sent.write(body)
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}
