import type { Client } from 'pg'
import type { ApiTokenRecord, Data, StoreItem, WebhookRecord } from '../../records.ts'
import { webhookOf } from '../webhook.ts'
import type { Catalog } from './catalog.ts'
import { quoted } from './names.ts'

/** The core store, with its values parsed as Strapi parses them. Of several rows with one key, the first counts, as there. */
export async function readSettings(client: Client): Promise<readonly StoreItem[]> {
  const { rows } = await client.query<{ key: string | null; value: string | null; type: string | null }>(
    'select key, value, type from strapi_core_store_settings order by id',
  )
  const items = new Map<string, StoreItem>()
  for (const { key, value, type } of rows)
    if (key !== null && !items.has(key)) items.set(key, { key, value: parsed(value, type) })
  return [...items.values()]
}

function parsed(value: string | null, type: string | null): unknown {
  if (value === null) return null
  if (type === 'number') return Number(value)
  try {
    return JSON.parse(value)
  } catch {
    // Some rows hold plain text.
    return value
  }
}

/** API tokens. Version 4.0 had neither an end nor a list of permissions. */
export async function readApiTokens(client: Client, catalog: Catalog): Promise<readonly ApiTokenRecord[]> {
  const table = 'strapi_api_tokens'
  if (!catalog.has(table, 'access_key')) return []
  const ends = catalog.has(table, 'expires_at')
    ? `to_char(t.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : 'null'
  const actions = catalog.has('strapi_api_token_permissions_token_links')
    ? `(select json_agg(p.action order by p.id) from strapi_api_token_permissions p
        join strapi_api_token_permissions_token_links l on l.api_token_permission_id = p.id where l.api_token_id = t.id)`
    : 'null'
  const { rows } = await client.query<{
    id: number
    name: string | null
    type: string | null
    access_key: string
    expires_at: string | null
    permissions: readonly string[] | null
  }>(
    `select t.id, t.name, t.type, t.access_key, ${ends} as expires_at, ${actions} as permissions from ${table} t order by t.id`,
  )
  return rows.map(({ id, name, type, access_key, expires_at, permissions }) => ({
    id,
    name: name ?? `token ${id}`,
    type: type ?? 'read-only',
    accessKey: access_key,
    permissions: permissions ?? [],
    expiresAt: expires_at,
  }))
}

/** The webhooks of the administration. */
export async function readWebhooks(client: Client, catalog: Catalog): Promise<readonly WebhookRecord[]> {
  const table = 'strapi_webhooks'
  if (!['url', 'headers', 'events', 'enabled'].every((column) => catalog.has(table, column))) return []
  const { rows } = await client.query<Data>(
    `select id, name, url, headers, events, enabled from ${table} order by id`,
  )
  return rows.map(webhookOf)
}

/** Tables whose rows are not imported, by kind. */
const tablesLeftBehind = {
  administrators: 'admin_users',
  'roles of administrators': 'admin_roles',
  'transfer tokens': 'strapi_transfer_tokens',
  webhooks: 'strapi_webhooks',
  releases: 'strapi_releases',
  workflows: 'strapi_workflows',
} as const

export async function countLeftBehind(
  client: Client,
  catalog: Catalog,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const [what, table] of Object.entries(tablesLeftBehind)) {
    if (!catalog.has(table)) continue
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${quoted(table)}`)
    counts[what] = rows[0]?.n ?? 0
  }
  return counts
}
