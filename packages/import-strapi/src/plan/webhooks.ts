/** Webhooks, in the form of the section `webhooks` of `@octavo/plugin-webhooks`, and what does not fit. */
import { isIP } from 'node:net'
import type { WebhookRecord } from '../records.ts'

/** A part of a webhook that does not come, or needs a setting, and why. */
export interface LeftOfWebhook {
  readonly webhook: string
  readonly why: string
}

export interface PlannedWebhooks {
  /** Items of the section. */
  readonly items: readonly object[]
  readonly left: readonly LeftOfWebhook[]
}

/** The name of the section, and of the plugin that has it. */
export const webhooksName = 'webhooks'

const events: ReadonlySet<string> = new Set([
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'media.create',
  'media.update',
  'media.delete',
])

/** Headers that each request of Octavo sets by itself. */
const ownHeaders =
  /^(connection|content-length|content-type|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|webhook-.*|x-strapi-event|proxy-.*)$/i

const longestName = 100
const mostHeaders = 20

export function planWebhooks(webhooks: readonly WebhookRecord[]): PlannedWebhooks {
  const left: LeftOfWebhook[] = []
  const names = new Set<string>()
  const items = webhooks.flatMap((given) => {
    const label = given.name?.trim() || `webhook ${given.id}`
    const leave = (why: string): void => void left.push({ webhook: label, why })
    const wrong = wrongUrl(given.url)
    if (wrong !== undefined) {
      leave(`does not come: ${wrong}`)
      return []
    }
    const known = given.events.filter((event) => events.has(event))
    for (const event of given.events.filter((one) => !events.has(one)))
      leave(`the event ${event} does not exist here`)
    if (known.length === 0) {
      leave('does not come: none of its events exists here')
      return []
    }
    const short = label.slice(0, longestName - 12)
    const name = names.has(short) ? `${short} ${given.id}` : short
    names.add(name)
    const url = given.url ?? ''
    if (isPrivate(new URL(url).hostname))
      leave(`leads to a private address; privateHosts must have ${new URL(url).host}`)
    return [
      { id: given.id, name, url, events: known, headers: headersOf(given, leave), enabled: given.enabled },
    ]
  })
  return { items, left }
}

function wrongUrl(given: string | null): string | undefined {
  const url =
    given !== null && /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : undefined
  if (!url) return 'its address is no URL of HTTP'
  if (given !== null && given.length > 2_000) return 'its address is too long'
  return url.username !== '' || url.password !== ''
    ? 'its address has a password; a header authorization may take its place'
    : undefined
}

/** Whether a host has a private address by its form. A name may lead to one as well. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0)
    return !host.includes('.') || /\.(local|localhost|internal|lan|home\.arpa)$/.test(host)
  return /^(127\.|10\.|192\.168\.|169\.254\.|0\.|172\.(1[6-9]|2\d|3[01])\.|::1?$|f[cde])/.test(host)
}

function headersOf({ headers }: WebhookRecord, leave: (why: string) => void): object {
  const taken = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const text = typeof value === 'string' ? value.trim() : String(value)
    const key = name.trim().toLowerCase()
    const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(key) && /^[\t\x20-\x7e\x80-\xff]{0,4000}$/.test(text)
    if (key === '') continue
    if (ownHeaders.test(key)) leave(`its header ${name} is set by each request`)
    else if (!isHeader || taken.size >= mostHeaders)
      leave(`its header ${JSON.stringify(name)} cannot be sent`)
    else taken.set(key, text)
  }
  return Object.fromEntries(taken)
}
