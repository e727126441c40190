import { Agent, request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { FuzzRequest } from './requests.ts'

export type Answer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly type: string | undefined
      readonly body: string
      readonly milliseconds: number
    }
  | { readonly kind: 'none'; readonly reason: string }

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Milliseconds until a request counts as never answered. */
const patience = 60_000

/** Sends a request as it is: `node:http` neither normalises its path nor checks its method beyond HTTP's grammar. */
export function send(url: string, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64')
  const began = performance.now()
  return new Promise((resolve) => {
    const sent = httpRequest(
      {
        ...{ hostname, port, method, path, agent, timeout: patience },
        headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => resolve({ kind: 'none', reason: error.message }))
        response.on('end', () =>
          resolve({
            kind: 'answer',
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            body: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
            milliseconds: performance.now() - began,
          }),
        )
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`nothing for ${patience} ms`)))
    sent.on('error', (error) => resolve({ kind: 'none', reason: error.message }))
    sent.end(bytes)
  })
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return ''
  const decode = encoding === undefined ? undefined : decoders[encoding]
  return (decode ? decode(bytes) : bytes).toString()
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}
