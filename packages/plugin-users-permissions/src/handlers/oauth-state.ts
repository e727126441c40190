import { sql } from '@octavo/core'
import { param } from '@octavo/core/plugin'
import type { Service } from '../service.ts'
import { hashToken } from '../tokens/secret-token.ts'

/** Stores a value for some seconds under the hash of a secret. */
export async function storeUnder(
  { octavo, tables }: Service,
  kind: string,
  secret: string,
  provider: string,
  value: object,
  seconds: number,
): Promise<void> {
  const logins = octavo.store.rows(tables.logins)
  await logins.delete({ where: { expires: { $lt: sql`now()` } } })
  await logins.insert({
    hash: hashToken(secret),
    kind,
    provider,
    value: JSON.stringify(value),
    expires: sql`now() + make_interval(secs => ${param(seconds, 'int')})`,
  })
}

/** Removes and returns the value of a secret. `undefined` when there is none, or it has expired. */
export async function takeStored(
  { octavo, tables }: Service,
  kind: string,
  secret: string,
  provider: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await octavo.store.rows(tables.logins).delete({
    where: { hash: hashToken(secret), kind, provider, expires: { $gt: sql`now()` } },
    returning: ['value'],
  })
  return row && (JSON.parse(row.value) as Readonly<Record<string, unknown>>) // an object, as storeUnder wrote it
}
