/** The result of `JSON.parse`; the expectations of a test check its shape. */
type Json = ReturnType<typeof JSON.parse>

export interface ClientRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** FormData, URLSearchParams, text and bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown
  /** Sent as `Authorization: Bearer <token>`. */
  readonly token?: string | undefined
}

export interface ClientResponse {
  readonly status: number
  readonly headers: Headers
  /** The parsed body when the answer is JSON, else its text; undefined when there is none. */
  readonly body: Json
  readonly text: string
}

type Send = (path: string, request?: ClientRequest) => Promise<ClientResponse>

export interface Client {
  readonly get: Send
  readonly post: Send
  readonly put: Send
  readonly delete: Send
  readonly head: Send
  /** Any other method. */
  request(method: string, path: string, request?: ClientRequest): Promise<ClientResponse>
}

/**
 * A client of the server at `baseUrl`. It follows no redirects and never throws for a status.
 *
 *     const api = createClient('http://127.0.0.1:1337')
 *     const { status, body } = await api.get('/api/articles?sort=id', { token })
 */
export function createClient(baseUrl: string): Client {
  const base = baseUrl.replace(/\/+$/, '')

  async function request(method: string, path: string, { headers, body, token }: ClientRequest = {}) {
    const payload = encode(body)
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: { ...payload.headers, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(payload.body !== undefined && { body: payload.body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: decode(response.headers, text), text }
  }

  const send =
    (method: string): Send =>
    (path, options) =>
      request(method, path, options)
  return {
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
    head: send('HEAD'),
    request,
  }
}

type Payload = { readonly headers?: Record<string, string>; readonly body?: NonNullable<RequestInit['body']> }

function encode(body: unknown): Payload {
  if (body === undefined) return {}
  if (typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams) return { body }
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function decode(headers: Headers, text: string): Json {
  if (text === '') return undefined
  return /^application\/(.+\+)?json\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text
}
