/** Requests of questions, one or many. */
import autocannon from 'autocannon'
import type { Asked, Body } from './peer.ts'

export interface Sample {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds; `NaN` without an answer. */
  readonly p50: number
}

/** The next body of a question, and its headers. */
function partsOf({ body, headers }: Asked): {
  readonly body?: Body
  readonly headers: Readonly<Record<string, string>>
} {
  if (body === undefined) return { headers: { ...headers } }
  return {
    body: typeof body === 'function' ? body() : body,
    headers: { 'content-type': 'application/json', ...headers },
  }
}

/** @param count Chooses the path. @returns The text of the answer. @throws Error for an answer that is not 2xx */
export async function ask(url: string, asked: Asked, count = 0): Promise<string> {
  const { method, paths } = asked
  const path = paths[count % paths.length] ?? ''
  const { body, headers } = partsOf(asked)
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return text
}

/** Reads are sent in turn by each connection. Writes are sent in turn by all together: two of one row would wait for each other. */
function requestsOf(asked: Asked): autocannon.Request[] {
  const { method, paths, body } = asked
  const requests = paths.map((path) => ({ method, path, ...partsOf(asked) }))
  const [first] = requests
  if (method === 'GET' || !first || (paths.length === 1 && typeof body !== 'function')) return requests
  let count = 0
  const next = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    path: paths[count++ % paths.length] ?? '',
    ...(typeof body === 'function' && { body: body() }),
  })
  return [{ ...first, setupRequest: next }]
}

/** Asks a server a question for some seconds. @throws Error when an answer is not 2xx */
export async function loadOf(
  { name, url }: { readonly name: string; readonly url: string },
  asked: Asked,
  seconds: number,
  connections: number,
): Promise<Sample> {
  const { non2xx, errors, timeouts, requests, latency, statusCodeStats } = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 60,
    requests: requestsOf(asked),
  })
  const bad = non2xx + errors + timeouts
  if (bad > 0) throw new Error(`${name}: ${bad} requests failed: ${JSON.stringify(statusCodeStats)}`)
  return { rate: requests.average, p50: requests.total === 0 ? Number.NaN : latency.p50 }
}
