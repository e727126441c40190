import type { SectionHandler, Transaction } from '@octavo/core'
import { changesChannel } from './changes.ts'

/** SHA-256 of a token of ours, HMAC-SHA512 of one of Strapi 4. */
const hashes = /^([0-9a-f]{64}|[0-9a-f]{128})$/

/**
 * The section `apiTokens` of a data file: tokens for server-to-server requests, by their hashes.
 *
 *     { id, name, hash, access: 'read-only' | 'full' | ['api::article.article.find'], expiresAt }
 */
export const apiTokensSection: SectionHandler = {
  async import(items, tx) {
    for (const [i, item] of items.entries()) await importToken(item, `apiTokens[${i}]`, tx)
    if (items.length === 0) return
    await tx.query(
      `select setval(pg_get_serial_sequence('octavo_api_tokens', 'id'), greatest((select max("id") from "octavo_api_tokens"), 1))`,
    )
    await tx.query('select pg_notify($1, $2)', [changesChannel, '{"apiTokens":true}'])
  },
  async export(tx) {
    const rows = await tx.query(
      `select json_build_object('id', "id", 'name', "name", 'hash', "hash", 'access', "access", 'expiresAt', to_char("expires_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text from "octavo_api_tokens" order by "id"`,
    )
    return rows.map(([text]) => {
      const { access, ...token } = JSON.parse(String(text)) as { readonly access: string } // of the statement above
      return { ...token, access: access === 'full' || access === 'read-only' ? access : access.split(' ') }
    })
  },
}

async function importToken(item: unknown, at: string, tx: Transaction): Promise<void> {
  const { id, name, hash, access, expiresAt } = (item ?? {}) as Readonly<Record<string, unknown>> // any value has properties
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 1)
    throw new Error(`${at}.id must be a whole number from 1`)
  if (typeof hash !== 'string' || !hashes.test(hash))
    throw new Error(`${at}.hash must be the hash of a token`)
  const actions = typeof access === 'string' ? [access] : access
  if (!Array.isArray(actions) || actions.some((action) => typeof action !== 'string'))
    throw new Error(`${at}.access must be read-only, full or a list of actions`)
  if (expiresAt != null && (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))))
    throw new Error(`${at}.expiresAt must be an ISO date`)
  await tx.query(
    `insert into "octavo_api_tokens" ("id", "name", "hash", "access", "expires_at") values ($1::int4, $2, $3, $4, $5::timestamptz)
     on conflict ("id") do update set "name" = excluded."name", "hash" = excluded."hash", "access" = excluded."access", "expires_at" = excluded."expires_at"`,
    [id, String(name ?? `token ${id}`), hash, actions.join(' '), expiresAt ?? null],
  )
}
