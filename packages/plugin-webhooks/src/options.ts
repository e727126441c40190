import { ConfigurationError } from '@octavo/core'
import {
  checkOptions,
  didYouMean,
  isObject,
  type KeysOf,
  kindOf,
  type WholeNumber,
  wholeNumbers,
} from '@octavo/core/internal'
import { wrongHeader, wrongNames } from './headers.ts'

const entryEvents = ['entry.create', 'entry.update', 'entry.delete'] as const
const publicationEvents = ['entry.publish', 'entry.unpublish'] as const
const fileEvents = ['media.create', 'media.update', 'media.delete'] as const
export const allEvents = [...entryEvents, ...publicationEvents, ...fileEvents] as const

/** The events, with the names of the reference server. */
export type WebhookEvent = (typeof allEvents)[number]

/** A receiver of events. */
export interface Webhook {
  /**
   * Unique, and without `#` at its beginning; deliveries are stored under it, so pending ones of a renamed webhook wait for the former
   * name.
   */
  readonly name: string
  /** `https://…` or `http://…`. Redirects are not followed. */
  readonly url: string
  /**
   * Standard Webhooks secrets: `whsec_` and 24 to 64 bytes in base64. Each request is signed with all of them: to rotate,
   * add the new one, change the receiver, remove the old one. `undefined`, an environment variable that is not set, stops the start.
   */
  readonly secrets: readonly (string | undefined)[]
  /** Default: all events. */
  readonly events?: readonly WebhookEvent[]
  /** Uids of the content-types of `entry.*`. Default: all `api::` types, so no users. */
  readonly types?: readonly string[]
  /**
   * Additional request headers, e.g. `authorization`. `undefined`, an environment variable that is not set, stops the start, and so does a header that each
   * request sets. Default: none.
   */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Whether the address may be a private one: loopback, local networks, link-local. Default false. */
  readonly privateAddresses?: boolean
}

export interface WebhooksOptions {
  /** Webhooks in code, besides those that are made while the server runs. Default none. */
  readonly webhooks?: readonly Webhook[]
  /**
   * Hosts to which webhooks that are made while the server runs may lead although their addresses are private: `localhost:4000`, or
   * `builder.internal` for the usual port. Default none.
   */
  readonly privateHosts?: readonly string[]
  /** The time for one delivery, in milliseconds. Default 10,000. */
  readonly timeout?: number
  /** Deliveries that are tried before one counts as failed. Default 16, which is about a day. */
  readonly attempts?: number
  /** The delay before the second attempt, in milliseconds; it doubles each time. Default 5,000. */
  readonly delay?: number
  /** The maximum delay between attempts, in milliseconds. Default 21,600,000 (6 hours). */
  readonly maxDelay?: number
  /** Interval at which each process looks for due deliveries, in milliseconds. Default 5,000. */
  readonly poll?: number
  /**
   * Pending deliveries of one webhook at most, without publications to come. Of more, which a slow or failing receiver leaves, the oldest are given up:
   * they count as failed. Default 100,000.
   */
  readonly queue?: number
  /** Finished deliveries that are stored, for the log and for replays. Default 1,000. */
  readonly log?: number
}

type Numbers = Required<Omit<WebhooksOptions, 'webhooks' | 'privateHosts'>>

const numbers = {
  timeout: { default: 10_000 },
  attempts: { default: 16 },
  delay: { default: 5_000 },
  maxDelay: { default: 21_600_000 },
  poll: { default: 5_000 },
  queue: { default: 100_000 },
  log: { default: 1_000 },
} as const satisfies Record<keyof Numbers, WholeNumber>

/** The names of the options of a webhook. A new option without a row does not compile. */
const webhookKeys = {
  name: true,
  url: true,
  secrets: true,
  events: true,
  types: true,
  headers: true,
  privateAddresses: true,
} as const satisfies KeysOf<Webhook>

/** A checked webhook. */
export interface Receiver extends Omit<Webhook, 'url' | 'secrets' | 'events' | 'headers'> {
  /** Deliveries are stored under it: the name of a webhook in code, `#7` for one with the id 7. */
  readonly key: string
  /** Default: the option of the plugin. */
  readonly attempts?: number
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly Buffer[]
  readonly events: ReadonlySet<string>
}

export interface Settings extends Numbers {
  /** The webhooks in code, by key. */
  readonly configured: ReadonlyMap<string, Receiver>
  readonly privateHosts: ReadonlySet<string>
}

/** @throws ConfigurationError */
export function readOptions({ webhooks = [], privateHosts = [], ...given }: WebhooksOptions): Settings {
  const configured = new Map<string, Receiver>()
  for (const webhook of webhooks) {
    if (configured.has(webhook.name))
      throw new ConfigurationError(`webhooks: two webhooks are named "${webhook.name}"`)
    configured.set(webhook.name, readWebhook(webhook))
  }
  for (const host of privateHosts)
    if (!URL.canParse(`http://${host}`) || new URL(`http://${host}`).host !== host)
      throw new ConfigurationError(
        `webhooks: privateHosts has hosts as in URLs, such as localhost:4000, not "${host}"`,
      )
  return { ...wholeNumbers(given, numbers, 'webhooks'), configured, privateHosts: new Set(privateHosts) }
}

function readWebhook(webhook: Webhook): Receiver {
  checkOptions(webhook, webhookKeys, 'a webhook')
  const { name, url, secrets, events = allEvents, types, headers = {} } = webhook
  if (typeof name !== 'string' || name === '')
    throw new ConfigurationError(`webhooks: the name of a webhook is a text, not ${kindOf(name)}`)
  const refuse = (reason: string): never => {
    throw new ConfigurationError(`The webhook "${name}": ${reason}`)
  }
  // A text would be read by its letters, or match a part of it.
  for (const [key, list] of Object.entries({ events, types }))
    if (list !== undefined && !Array.isArray(list)) refuse(`${key} is a list, not ${kindOf(list)}`)
  if (name.startsWith('#')) refuse('its name begins with #, as those of webhooks in the database')
  if (!URL.canParse(url) || !/^https?:/.test(url)) refuse(`expected url to begin with https://, not "${url}"`)
  const unknown = events.find((event) => !allEvents.includes(event))
  if (unknown !== undefined) refuse(`there is no event "${unknown}"${didYouMean(unknown, allEvents)}`)
  if (!Array.isArray(secrets) || secrets.length === 0) refuse('it needs at least one secret in secrets')
  const keys = secrets.map(
    (secret, i) => readSecret(secret) ?? refuse(`secrets[${i}] is not whsec_ and 24 to 64 bytes in base64`),
  )
  return {
    ...webhook,
    key: name,
    url: new URL(url),
    events: new Set<string>(events),
    headers: readHeaders(headers, refuse),
    secrets: keys,
  }
}

/** No message contains a value: those of headers are secrets. */
function readHeaders(given: unknown, refuse: (reason: string) => never): Readonly<Record<string, string>> {
  if (!isObject(given)) return refuse(`headers is an object, not ${kindOf(given)}`)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) refuse(`headers.${name} is not set`)
    if (typeof value !== 'string') return refuse(`headers.${name} is ${kindOf(value)}, not a text`)
    const wrong = wrongHeader(name, value)
    if (wrong !== undefined) refuse(`headers ${wrong}`)
  }
  const twice = wrongNames(Object.keys(given))
  if (twice !== undefined) refuse(`headers ${twice}`)
  return given as Readonly<Record<string, string>> // each value is a text
}

/** The bytes of a secret. No message contains it. */
export function readSecret(secret: string | undefined): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret ?? '')?.[1] ?? ''
  const bytes = Buffer.from(text, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined
}
