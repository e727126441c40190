/** Requests with JSON, whose answers may be missing. */
export interface Answer {
  readonly status: number
  // The forms of the answers are those of the contract.
  // biome-ignore lint/suspicious/noExplicitAny: JSON of requests that this package makes
  readonly body: any
}

/** @returns `undefined` when the connection broke, nothing listens, or there is no answer within a minute */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return undefined
  }
}
