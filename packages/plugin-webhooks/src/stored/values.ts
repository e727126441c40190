/** The values of webhooks in the database: as rows, and as their deliveries need them. */
import { randomBytes } from 'node:crypto'
import { allEvents, type Receiver, readSecret, type Settings } from '../options.ts'
import type { WebhookInput } from './input.ts'
import type { WebhookRow } from './table.ts'

/** A webhook in the database. */
export interface StoredWebhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly types: readonly string[] | null
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly attempts: number | null
  /** `whsec_…`, the newest first. */
  readonly secrets: readonly string[]
  readonly createdAt: string
  readonly changedAt: string
}

/** The values of a row besides its id and times. */
export type WebhookValues = Omit<StoredWebhook, 'id' | 'createdAt' | 'changedAt'>

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Deliveries of a webhook in the database are stored under this key, which stays when its name changes. */
export const keyOf = (id: number): string => `#${id}`

/** The values of a webhook after a change; those that the body lacks stay. */
export function valuesOf(input: WebhookInput, former: StoredWebhook | undefined): WebhookValues {
  const { name = '', url = '' } = { ...former, ...input }
  const headers = Object.entries(input.headers ?? former?.headers ?? {}).flatMap(([key, value]) => {
    const lower = key.toLowerCase()
    const text = value ?? former?.headers[lower]
    return text === undefined ? [] : [[lower, text] as const]
  })
  return {
    name,
    url,
    events: input.events ?? former?.events ?? allEvents,
    types: input.types === undefined ? (former?.types ?? null) : input.types,
    headers: Object.fromEntries(headers),
    enabled: input.enabled ?? former?.enabled ?? true,
    attempts: input.attempts === undefined ? (former?.attempts ?? null) : input.attempts,
    secrets: former?.secrets ?? [newSecret()],
  }
}

/** The columns of a webhook. */
export const stored = ({ name, url, events, types, headers, enabled, attempts, secrets }: WebhookValues) => ({
  name,
  url,
  events: events.join(' '),
  types: types === null ? null : types.join(' '),
  headers: JSON.stringify(headers),
  enabled,
  attempts,
  secrets: secrets.join(' '),
})

export const webhookOf = (row: WebhookRow): StoredWebhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: row.events.split(' '),
  types: row.types === null ? null : row.types.split(' '),
  headers: JSON.parse(row.headers) as Readonly<Record<string, string>>, // as stored above
  enabled: row.enabled,
  attempts: row.attempts,
  secrets: row.secrets.split(' '),
  createdAt: row.created_at,
  changedAt: row.changed_at,
})

/** A webhook as its deliveries need it. */
export function receiverOf(
  webhook: StoredWebhook,
  { privateHosts }: Pick<Settings, 'privateHosts'>,
): Receiver {
  const url = new URL(webhook.url)
  return {
    key: keyOf(webhook.id),
    name: webhook.name,
    url,
    secrets: webhook.secrets.flatMap((secret) => readSecret(secret) ?? []),
    events: new Set(webhook.events),
    headers: webhook.headers,
    privateAddresses: privateHosts.has(url.host),
    ...(webhook.types !== null && { types: webhook.types }),
    ...(webhook.attempts !== null && { attempts: webhook.attempts }),
  }
}
