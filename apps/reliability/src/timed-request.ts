import { type Agent, request as httpRequest } from 'node:http'

export interface Shot {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Timed {
  readonly shot: Shot
  /** 0: the connection broke, or there was no answer in time. */
  readonly status: number
  /** The body, or the reason of a broken connection. */
  readonly text: string
  readonly milliseconds: number
}

/** Milliseconds until a request counts as never answered. */
const patience = 60_000

/** Sends a request on a connection of `agent` and reads its answer. It never rejects. */
export function timed(agent: Agent, url: string, shot: Shot): Promise<Timed> {
  const { method, path, headers, body } = shot
  const { hostname, port } = new URL(url)
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, text: string): void =>
      resolve({ shot, status, text, milliseconds: performance.now() - began })
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = httpRequest(
      { hostname, port, method, path, agent, timeout: patience, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => end(0, error.message))
        response.on('end', () => end(response.statusCode ?? 0, Buffer.concat(chunks).toString()))
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`nothing for ${patience} ms`)))
    sent.on('error', (error) => end(0, error.message))
    sent.end(body)
  })
}

/** A request with a JSON body. */
export const json = (method: string, path: string, body: object): Shot => ({
  method,
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The value below which `part` of the values lie; 0 for none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
