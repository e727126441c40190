/** Milliseconds for the whole answer of a provider. */
const patience = 10_000

/** Bytes of an answer: keys, tokens and profiles have some thousands. */
const mostBytes = 1_048_576

/** The part of `fetch` that is used. Libraries have types of their own for it. */
export interface ProviderRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>> | Headers
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
}

/**
 * `fetch` for the answers of login providers, which the server neither controls nor has to trust. The whole answer has to arrive within 10 s
 * and have at most 1 MiB, so that a provider that sends byte by byte, or without an end, holds neither a login nor the memory. Redirects
 * are not followed: they come back as the answer.
 *
 * @throws Error that names the host, for an answer that is late or too large; the errors of `fetch`
 */
export async function providerFetch(url: string, request: ProviderRequest = {}): Promise<Response> {
  const { signal, ...others } = request
  const late = AbortSignal.timeout(patience)
  const { host } = new URL(url)
  try {
    const answer = await fetch(url, {
      ...(others as RequestInit), // as the libraries made it
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const bytes = await bytesOf(answer, host)
    const { status, statusText, headers } = answer
    return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers })
  } catch (error) {
    if (!late.aborted) throw error
    throw new Error(`${host} did not answer within ${patience / 1_000} s`, { cause: error })
  }
}

/** @throws Error for more than {@link mostBytes}; the rest is not read */
async function bytesOf({ body }: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    // Leaving the loop closes the connection.
    if (size > mostBytes) throw new Error(`The answer of ${host} has more than ${mostBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
