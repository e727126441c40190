/** Bytes of the files that were sent. */
export interface UploadProgress {
  readonly loaded: number
  readonly total: number
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * A `fetch` that reports the progress of a form with files. Browsers send it with XMLHttpRequest, since `fetch` does not
 * report progress there; other environments send it as a stream. A `fetch` of the program's own is used in browsers as well, and
 * then reports the end only.
 */
export function uploadFetch(
  fetch: Fetch,
  isOwn: boolean,
  form: FormData,
  report: (progress: UploadProgress) => void,
): Fetch {
  const total = [...form.values()].reduce(
    (sum, value) => sum + (typeof value === 'string' ? 0 : value.size),
    0,
  )
  let last = -1
  const sent = (bytes: number): void => {
    // The body is a little longer than its files: it has the names of the parts as well.
    const loaded = Math.min(bytes, total)
    if (loaded !== last) report({ loaded, total })
    last = loaded
  }
  return async (url, init) => {
    if (typeof XMLHttpRequest === 'undefined') return stream(fetch, url, init, sent)
    if (!isOwn) return post(url, init, sent)
    const response = await fetch(url, init)
    sent(total)
    return response
  }
}

function stream(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  sent: (bytes: number) => void,
): Promise<Response> {
  // Safe: the body is the form of `uploadFetch`.
  const [body, type] = multipart(init.body as FormData)
  const headers = new Headers(init.headers)
  headers.set('content-type', type)
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      sent(bytes)
      controller.enqueue(chunk)
    },
  })
  // `duplex` is required for streams, and missing in the types of some environments.
  const streamed: RequestInit & { duplex: 'half' } = {
    ...init,
    headers,
    body: body.stream().pipeThrough(counter),
    duplex: 'half',
  }
  return fetch(url, streamed)
}

/**
 * A form as bytes, with its type. `new Response(form).body` would be shorter, but in Node an aborted request then causes an
 * unhandled rejection, which ends the process.
 */
function multipart(form: FormData): readonly [Blob, string] {
  const boundary = `octavo-${crypto.randomUUID()}`
  const parts: BlobPart[] = []
  for (const [name, value] of form) {
    parts.push(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`)
    if (typeof value === 'string') parts.push('\r\n\r\n', value, '\r\n')
    else {
      const type = value.type || 'application/octet-stream'
      parts.push(`; filename="${quoted(value.name)}"\r\ncontent-type: ${type}\r\n\r\n`, value, '\r\n')
    }
  }
  return [new Blob([...parts, `--${boundary}--\r\n`]), `multipart/form-data; boundary=${boundary}`]
}

/** A name in a header, escaped as browsers do. */
const quoted = (name: string): string => name.replace(/["\r\n]/g, encodeURIComponent)

/** `fetch` by XMLHttpRequest; the body is a form. */
const post = (url: string, { method, headers, body, signal }: RequestInit, sent: (bytes: number) => void) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method ?? 'POST', url)
    new Headers(headers).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded }) => sent(loaded)
    request.onload = () => resolve(responseOf(request))
    request.onerror = () => reject(new TypeError('The request failed'))
    request.onabort = () => reject(signal?.reason)
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body as FormData)
  })

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return new Response(request.responseText, {
    status: request.status,
    statusText: request.statusText,
    headers,
  })
}
