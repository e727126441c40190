import { createHmac } from 'node:crypto'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Receiver } from './options.ts'
import type { Delivery, Outcome } from './outbox.ts'
import { lookupPublic, notPublic, requirePublicHost } from './public-addresses.ts'

/**
 * `webhook-signature` of Standard Webhooks: one signature for each secret.
 *
 * @param timestamp Seconds since 1970.
 */
export const signatures = (secrets: readonly Buffer[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')

/** The message of an error; that of the filter of addresses says in our words which one it refuses. */
function wordsOf({ message, name }: Error): string {
  const [, refused] = /^DNS lookup ([^\s(]+).* is not allowed/.exec(message) ?? []
  return refused === undefined ? message || name : notPublic(refused)
}

/**
 * The response to a request. Rejects with the error of the connection. The status 101 counts as a response, although Node.js has a separate event for
 * it. A request that is closed without an event rejects, too: it would otherwise hold its place for ever, and a closing server would wait for it.
 */
const responseOf = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent
      .on('response', resolve)
      .on('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      .on('error', reject) // after the response it changes nothing
      .on('close', () => reject(new Error('the connection was closed without a response')))
  })

interface SendOptions {
  /** In milliseconds. */
  readonly timeout: number
  /** The present time of the database: receivers refuse timestamps that are minutes away, and the clock of this machine may be set to another time. */
  readonly now: Date
}

/**
 * Sends a delivery once. A response with a status of 200 to 299 is a success; redirects are errors. Never throws.
 */
export async function send(
  { url, secrets, headers, privateAddresses = false }: Receiver,
  { message, body, event }: Pick<Delivery, 'message' | 'body' | 'event'>,
  { timeout, now }: SendOptions,
): Promise<Outcome> {
  // Loaded with the first delivery: most starts have none.
  const { useAgent } = await import('request-filtering-agent')
  const signal = AbortSignal.timeout(timeout)
  const timestamp = Math.floor(now.getTime() / 1000)
  try {
    if (!privateAddresses) requirePublicHost(url)
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      signal,
      // Refuses addresses that are not public, after their names were resolved.
      ...(privateAddresses ? { agent: false } : { agent: useAgent(url.href), lookup: lookupPublic }),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'octavo-webhooks',
        'x-strapi-event': event,
        'webhook-id': message,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatures(secrets, message, timestamp, body),
      },
    })
    const answered = responseOf(sent)
    sent.end(body)
    const response = await answered
    response.on('error', () => {}).destroy() // its body is not read
    const { statusCode: status = 0 } = response
    return status >= 200 && status < 300 ? { status } : { status, error: `the response has status ${status}` }
  } catch (error) {
    if (signal.aborted) return { error: `no response within ${timeout} ms` }
    return { error: error instanceof Error ? wordsOf(error) : String(error) }
  }
}
