import type { Mistake } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import { wrongHeader, wrongNames } from '../headers.ts'
import { allEvents } from '../options.ts'

/** A webhook as in bodies; absent values stay, or have their defaults. */
export interface WebhookInput {
  readonly name?: string
  readonly url?: string
  readonly events?: readonly string[]
  /** Null: all `api::` types. */
  readonly types?: readonly string[] | null
  /** Null as a value: it stays as it is. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly enabled?: boolean
  /** Null: the option of the plugin. */
  readonly attempts?: number | null
}

const longest = { name: 100, url: 2_000, header: 4_000 } as const
const mostHeaders = 20
export const mostAttempts = 50

type Body = Readonly<Record<string, unknown>>

/** Reads the body of a webhook. @param types The uids of all content-types. */
export function readInput(
  body: Body,
  types: ReadonlySet<string>,
): { readonly input: WebhookInput; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = []
  const input: Record<string, unknown> = {}
  for (const [key, check] of Object.entries(checks)) {
    const value = Object.hasOwn(body, key) ? body[key] : undefined
    if (value === undefined) continue
    const wrong = check(value, types)
    if (wrong === undefined) input[key] = typeof value === 'string' ? value.trim() : value
    else mistakes.push({ path: [key], message: `${key} ${wrong}`, name: 'ValidationError' })
  }
  return { input: input as WebhookInput, mistakes } // each value has passed its check
}

/** The mistakes in the values of a webhook, by name; `undefined` for a valid one. */
const checks: Readonly<
  Record<keyof WebhookInput, (value: unknown, types: ReadonlySet<string>) => string | undefined>
> = {
  name: (value) => {
    if (typeof value !== 'string' || value.trim() === '' || value.length > longest.name)
      return `must be a text of 1 to ${longest.name} characters`
    // Control characters and marks that turn the direction of a text have no place in names (S-28).
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
      ? 'must not have control or invisible characters'
      : undefined
  },
  url: wrongUrl,
  events: (value) => {
    if (!isTexts(value) || value.length === 0) return 'must be a list of events'
    const unknown = value.find((event) => !allEvents.some((known) => known === event))
    return unknown === undefined ? undefined : `has no event "${unknown}"; there are ${allEvents.join(', ')}`
  },
  types: (value, known) => {
    if (value === null) return undefined
    if (!isTexts(value) || value.length === 0) return 'must be a list of content-types, or null for all'
    const unknown = value.find((uid) => !known.has(uid))
    return unknown === undefined ? undefined : `has the content-type "${unknown}", which does not exist`
  },
  headers: wrongHeaders,
  enabled: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  attempts: (value) =>
    value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostAttempts)
      ? undefined
      : `must be a whole number from 1 to ${mostAttempts}, or null`,
}

/** The mistake in an address; `undefined` for a valid one. */
export function wrongUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longest.url || !/^\s*https?:\/\//i.test(value))
    return `must begin with https:// or http://, with at most ${longest.url} characters`
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url) return 'is no URL'
  return url.username !== '' || url.password !== ''
    ? 'must have no password; use the header authorization'
    : undefined
}

/** The mistake in headers; `undefined` for valid ones. */
export function wrongHeaders(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object'
  const given = Object.entries(value)
  if (given.length > mostHeaders) return `must be at most ${mostHeaders}`
  for (const [name, text] of given) {
    if (text !== null && (typeof text !== 'string' || text.length > longest.header))
      return `must have texts of at most ${longest.header} characters`
    const wrong = wrongHeader(name, text)
    if (wrong !== undefined) return wrong
  }
  return wrongNames(given.map(([name]) => name))
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
