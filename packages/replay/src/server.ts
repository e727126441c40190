import { createHash } from 'node:crypto'
import type { Answer } from './compare.ts'
import { ReplayError } from './replay-error.ts'

/** An answer with the milliseconds that it took. */
export interface TimedAnswer extends Answer {
  readonly milliseconds: number
}

/** A source of answers: a running server, or a recording. */
export interface Source {
  /** @returns `undefined` when there is no recorded answer to this request. @throws ReplayError when the server does not answer. */
  get(path: string): Promise<TimedAnswer | undefined>
}

/** Time limit of one answer, in milliseconds. */
const patience = 60_000

/** A server that receives `GET` requests only; redirects are not followed. */
export function serverAt(url: string, headers: Readonly<Record<string, string>>): Source {
  const base = baseOf(url)
  return {
    async get(path) {
      const begun = performance.now()
      try {
        const response = await fetch(base + path, {
          method: 'GET',
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(patience),
        })
        const bytes = Buffer.from(await response.arrayBuffer())
        const milliseconds = performance.now() - begun
        return { ...readAnswer(response, bytes), milliseconds }
      } catch (error) {
        const reason =
          error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
        throw new ReplayError(`${base} does not answer GET ${path}: ${reason}`, { cause: error })
      }
    },
  }
}

function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ReplayError(`A server is given as http://host:port, not "${url}"`)
  return url.replace(/\/+$/, '')
}

function readAnswer(response: Response, bytes: Buffer): Answer {
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
  const { status } = response
  if (/^application\/(?:.+\+)?json$/.test(contentType)) {
    try {
      return { status, contentType, body: JSON.parse(bytes.toString('utf8')) as unknown, isJson: true }
    } catch {
      // Malformed JSON is compared by its bytes.
    }
  }
  return { status, contentType, body: createHash('sha256').update(bytes).digest('hex'), isJson: false }
}
