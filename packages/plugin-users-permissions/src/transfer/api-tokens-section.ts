import { sql, type Transaction } from '@octavo/core'
import { type Channel, importItems, isId, type SectionHandler } from '@octavo/core/plugin'
import type { Change } from '../changes.ts'
import type { Tables } from '../tables.ts'

/** SHA-256 of an Octavo token, HMAC-SHA512 of a Strapi 4 token. */
const hashes = /^([0-9a-f]{64}|[0-9a-f]{128})$/

/**
 * The section `apiTokens` of a data file: tokens for server-to-server requests, by their hashes.
 *
 *     { id, name, hash, access: 'read-only' | 'full' | ['api::article.article.find'], expiresAt }
 */
export const apiTokensSection = (
  table: Tables['apiTokens'],
  changes: () => Channel<Change>,
): SectionHandler => ({
  async import(items, tx) {
    if (items.length === 0) return
    await importItems('apiTokens', items, tx.rows(table), (item, at) => importToken(item, at, table, tx))
    await changes().publish({ apiTokens: true }, tx)
  },
  async export(tx) {
    const rows = await tx.rows(table).find({ orderBy: { id: 'asc' } })
    return rows.map(({ id, name, hash, access, expires_at }) => ({
      id,
      name,
      hash,
      access: isWhole(access) ? access : access.split(' ').filter(Boolean),
      expiresAt: expires_at,
    }))
  },
})

const isWhole = (access: unknown): access is 'read-only' | 'full' =>
  access === 'full' || access === 'read-only'

/** The words of the column; `undefined` for a value that has other rights there than it seems to have, such as the list `["full"]`. */
function accessOf(access: unknown): readonly string[] | undefined {
  if (isWhole(access)) return [access]
  const isAction = (action: unknown): action is string =>
    typeof action === 'string' && !/\s/.test(action) && !isWhole(action)
  return Array.isArray(access) && access.every(isAction) ? access : undefined
}

async function importToken(
  item: unknown,
  at: string,
  table: Tables['apiTokens'],
  tx: Transaction,
): Promise<void> {
  const { id, name, hash, access, expiresAt } = (item ?? {}) as Readonly<Record<string, unknown>> // any value has properties
  if (!isId(id)) throw new Error(`${at}.id must be a whole number from 1`)
  if (typeof hash !== 'string' || !hashes.test(hash))
    throw new Error(`${at}.hash must be the hash of a token`)
  const actions = accessOf(access)
  if (!actions) throw new Error(`${at}.access must be read-only, full or a list of actions`)
  if (expiresAt != null && (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))))
    throw new Error(`${at}.expiresAt must be an ISO date`)
  const known = await tx.rows(table).first({ where: { id }, select: ['name', 'hash'] })
  if (known && known.hash !== hash)
    throw new Error(`${at}: the id ${id} is that of the token ${JSON.stringify(known.name)}`)
  await tx.rows(table).insert(
    {
      id,
      name: String(name ?? `token ${id}`),
      hash,
      access: actions.join(' '),
      expires_at: expiresAt ?? null,
      created_at: sql`now()`,
    },
    { onConflict: { on: ['id'], set: ['name', 'hash', 'access', 'expires_at'] } },
  )
}
