import { useQuery } from '@tanstack/react-query'
import { request } from '../requests/api.ts'

/** A webhook of the database, as `GET webhooks` has it. */
export interface Webhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  /** Null: all content-types. */
  readonly types: readonly string[] | null
  /** Names only. */
  readonly headers: Readonly<Record<string, null>>
  readonly enabled: boolean
}

/** A webhook as in requests. */
export interface WebhookInput extends Omit<Webhook, 'id' | 'headers'> {
  /** Null keeps the stored value. */
  readonly headers: Readonly<Record<string, string | null>>
}

/** A webhook in the configuration, which is not changed here. */
export interface ConfiguredWebhook {
  readonly name: string
  readonly origin: string
}

export interface Delivery {
  readonly id: number
  readonly event: string
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly error: string | null
  readonly createdAt: string
}

export const eventNames = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'media.create',
  'media.update',
  'media.delete',
] as const

export interface Webhooks {
  readonly webhooks: readonly Webhook[]
  readonly configured: readonly ConfiguredWebhook[]
}

export const useWebhooks = () =>
  useQuery<Webhooks>({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => request<Webhooks>('GET', 'webhooks', { signal }).then(({ body }) => body),
  })

export const useDeliveries = (id: number) =>
  useQuery<readonly Delivery[]>({
    // Not below the key of the list: a webhook that was just deleted has none to ask for.
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) =>
      request<readonly Delivery[]>('GET', `webhooks/${id}/deliveries`, { signal }).then(({ body }) => body),
    staleTime: 0,
  })

/** `authorization: Bearer x` in each line; a name without a value keeps the stored one. */
export function readHeaders(lines: string): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...rest] = line.split(':')
        const value = rest.join(':').trim()
        return [name.trim(), value === '' ? null : value]
      }),
  )
}
