/** Requests to `/desk/api`, with the outcomes that a page has to tell apart. */

/** The parts of an answer that are read. */
interface WireAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

export type WireFetch = (
  url: string,
  request: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
) => Promise<WireAnswer>

/** The body of an error, as docs/errors.md describes it. */
export interface WireError {
  readonly status: number
  readonly name: string
  readonly message: string
  readonly details?: {
    readonly code?: string
    readonly field?: string
    readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[]
  }
}

export type Outcome =
  | { readonly kind: 'ok'; readonly status: number; readonly body: unknown; readonly tag: string | undefined }
  /** 401: nothing was done; the request can be repeated after signing in. */
  | { readonly kind: 'signed-out' }
  /** 412: somebody else has changed the entry. */
  | { readonly kind: 'changed' }
  /** 404 */
  | { readonly kind: 'missing' }
  /** Too many requests, or a server that has no room: nothing was done. `after` has the seconds of `Retry-After`. */
  | { readonly kind: 'busy'; readonly after: number | undefined }
  /** No answer came, or one that does not say whether a write was done: `answered` has what is known of that. */
  | { readonly kind: 'unknown'; readonly answered?: Answered }
  /** The answer has a part that the definitions of this page lack, or the query names an attribute that the server lacks: its definitions are newer. */
  | { readonly kind: 'outdated' }
  /** Any other refusal. */
  | { readonly kind: 'refused'; readonly error: WireError }

/** An answer of the server, or of a proxy in front of it, that it could not do what was asked. */
export interface Answered {
  readonly status: number
  readonly message: string
}

export class Wire {
  readonly #fetch: WireFetch
  readonly #base: string

  /** @param base The beginning of addresses. Default `/desk/api`. */
  constructor(fetch: WireFetch, base = '/desk/api') {
    this.#fetch = fetch
    this.#base = base
  }

  async request(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<Outcome> {
    let answer: WireAnswer
    let text: string
    try {
      answer = await this.#fetch(`${this.#base}/${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      text = await answer.text()
    } catch {
      return { kind: 'unknown' }
    }
    return outcomeOf(answer, text)
  }
}

/** Refusals of names in a query. Its names are those of the definitions of this page, which the server has changed since. */
const namesAnother: ReadonlySet<string> = new Set([
  'query/unknown-attribute',
  'query/unknown-parameter',
  'query/unknown-value',
  'query/nothing-to-populate',
  'query/not-usable',
])

/** The refusal of a path with a content-type that the server no longer has. */
const noContentType = 'desk/not-found'

/** Whether a refusal with this code is one of a name that the server does not know. */
export const isOfOtherName = (code: string): boolean => namesAnother.has(code)

function outcomeOf({ status, headers }: WireAnswer, text: string): Outcome {
  const body = parsed(text)
  if (status < 300) {
    // A success without JSON is the page of a proxy.
    if (body === undefined) return { kind: 'unknown' }
    return { kind: 'ok', status, body, tag: headers.get('ETag') ?? undefined }
  }
  if (status === 401) return { kind: 'signed-out' }
  if (status === 412) return { kind: 'changed' }
  const error = (body as { readonly error?: WireError } | undefined)?.error
  const code = error?.details?.code ?? ''
  if (isOfOtherName(code) || code === noContentType) return { kind: 'outdated' }
  // Without an error of the server it is the page of a proxy, as while the server is started again.
  if (status === 404 && error !== undefined) return { kind: 'missing' }
  const retryAfter = headers.get('Retry-After')
  if (status === 429 || (status === 503 && retryAfter !== null))
    return { kind: 'busy', after: secondsIn(retryAfter ?? '') }
  if (status >= 500 || error === undefined)
    return { kind: 'unknown', answered: { status, message: error?.message ?? '' } }
  return { kind: 'refused', error }
}

/** The seconds in a `Retry-After`: a number of seconds, or the date of a proxy. */
function secondsIn(header: string): number | undefined {
  const given = Number(header)
  const seconds = Number.isNaN(given) ? (Date.parse(header) - Date.now()) / 1_000 : given
  return seconds > 0 ? seconds : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
