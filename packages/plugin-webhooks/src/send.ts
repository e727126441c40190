import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Receiver } from './options.ts'
import type { Delivery, Outcome } from './outbox.ts'
import { publicLookup, refusePrivateHost } from './private-address.ts'

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

/** Sends a delivery once. A response with a status of 200 to 299 is a success; redirects are errors. Never throws. */
export async function send(
  { url, secrets, headers, privateAddresses = false }: Receiver,
  { message, body, event }: Delivery,
  timeout: number,
): Promise<Outcome> {
  const signal = AbortSignal.timeout(timeout)
  try {
    if (!privateAddresses) refusePrivateHost(url)
    const timestamp = Math.floor(Date.now() / 1000)
    const status = await post(url, body, {
      signal,
      privateAddresses,
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
    return status >= 200 && status < 300 ? { status } : { status, error: `the response has status ${status}` }
  } catch (error) {
    if (signal.aborted) return { error: `no response within ${timeout} ms` }
    return { error: error instanceof Error ? error.message || error.name : String(error) }
  }
}

interface Posting {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly privateAddresses: boolean
}

/** Posts a body and returns the status of the response, whose body is not read. */
function post(url: URL, body: string, { privateAddresses, ...options }: Posting): Promise<number> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      ...options,
      method: 'POST',
      agent: false,
      ...(!privateAddresses && { lookup: publicLookup }),
    })
    sent.on('error', reject) // after the response, the promise is settled and this has no effect
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.on('error', () => {})
      response.destroy()
    })
    sent.end(body)
  })
}
