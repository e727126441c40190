/** Requests with JSON, whose answers may be missing. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** `data` of an answer with status 200; the caller names its form, which the contract determines. */
export const dataOf = <T>({ body }: Answer): T => (body as { readonly data: T }).data

/** The code of a refusal; `undefined` for any other answer. */
export const codeOf = ({ body }: Answer): string | undefined =>
  (body as { readonly error?: { readonly details: { readonly code: string } } } | undefined)?.error?.details
    .code

/** @returns `undefined` when the connection broke, nothing listens, or there is no answer within a minute */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return undefined
  }
}
