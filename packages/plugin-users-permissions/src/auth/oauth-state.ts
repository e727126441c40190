import { param, sql } from '@octavo/core'
import type { Service } from '../service.ts'
import { hashToken } from '../tokens/secret-token.ts'

/** Stores a value under a secret, of which only the hash is stored, for some seconds. */
export async function keep(
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

/** What was kept under a secret; it is gone then. `undefined` when there is nothing, or it is too old. */
export async function take(
  { octavo, tables }: Service,
  kind: string,
  secret: string,
  provider: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await octavo.store.rows(tables.logins).delete({
    where: { hash: hashToken(secret), kind, provider, expires: { $gt: sql`now()` } },
    returning: ['value'],
  })
  return row && (JSON.parse(row.value) as Readonly<Record<string, unknown>>) // an object, as keep wrote it
}
