import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: ReturnType<typeof JSON.parse>
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Waits until this many requests have arrived in all. */
  arrived(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

/**
 * A server on loopback that stores the requests that it receives.
 *
 * @param statusOf The status of the response to the request with this index, from 0; 0: no response. Default 204.
 */
export async function startReceiver(statusOf: (index: number) => number = () => 204): Promise<Receiver> {
  const received: Received[] = []
  let waiting: { readonly count: number; readonly done: () => void }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const status = statusOf(received.length)
    received.push({ headers: request.headers, text, body: JSON.parse(text) })
    if (status !== 0) response.writeHead(status, { location: '/elsewhere' }).end()
    for (const { count, done } of waiting) if (received.length >= count) done()
    waiting = waiting.filter(({ count }) => received.length < count)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    arrived: async (count) => {
      if (received.length < count) await new Promise<void>((done) => waiting.push({ count, done }))
      return received
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`

/** The signature of a request as the specification of Standard Webhooks computes it. */
export function expectedSignature({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
