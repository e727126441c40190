import type { OwnTable, PluginHost } from '@octavo/core/plugin'

/** Declares the table of webhooks that are made while the server runs. */
export const declareWebhooks = (host: Pick<PluginHost, 'table'>) =>
  host.table('octavo_webhooks', {
    columns: {
      name: { type: 'text' },
      url: { type: 'text' },
      /** `whsec_…`, the newest first, with spaces between them. Requests are signed with them, so they are no hashes. */
      secrets: { type: 'text' },
      /** Names of events with spaces between them. */
      events: { type: 'text' },
      /** Uids of content-types with spaces between them; null for all `api::` types. */
      types: { type: 'text', nullable: true },
      /** A JSON object. */
      headers: { type: 'text' },
      enabled: { type: 'boolean' },
      /** Null: the option of the plugin. */
      attempts: { type: 'integer', nullable: true },
      created_at: { type: 'timestamp' },
      changed_at: { type: 'timestamp' },
    },
  })

export type WebhookTable = ReturnType<typeof declareWebhooks>
type RowOf<T> = T extends OwnTable<infer R> ? R : never
export type WebhookRow = RowOf<WebhookTable>
