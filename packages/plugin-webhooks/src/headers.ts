import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Headers of the connection and those that each request sets. One of these would change what the receiver takes for the request. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-strapi-event',
])

/** The mistake in a header; `undefined` for a valid one. @param value Null: its name alone is checked. */
export function wrongHeader(name: string, value: string | null): string | undefined {
  if (reserved.has(name.toLowerCase()) || /^proxy-/i.test(name))
    return `must not have ${name}, which each request sets`
  try {
    validateHeaderName(name)
    if (value !== null) validateHeaderValue(name, value)
    return undefined
  } catch {
    return `has a name or a value that no header may have: ${JSON.stringify(name)}`
  }
}

/** The mistake in the names of headers that are equal but for their case; `undefined` for none. */
export const wrongNames = (names: readonly string[]): string | undefined =>
  new Set(names.map((name) => name.toLowerCase())).size < names.length ? 'has a name twice' : undefined
