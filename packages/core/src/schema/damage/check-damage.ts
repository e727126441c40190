import type { Store, Transaction } from '@octavo/database'
import { sql, sqlState } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import { type Table, tablesOf } from '../tables/tables.ts'
import { idsBehind, lostOwners, lostTargets, onlyRows, sameKeys, unindexed } from './find-damage.ts'
import { giveIds, removeRepeated, removeWithoutOwner, setIds, withoutTargets } from './mend-damage.ts'

/** A contradiction between two parts of the stored content. */
export interface Damage {
  /** A sentence with the content-type, what contradicts what, and the ids. */
  readonly text: string
  readonly isMended: boolean
}

/**
 * Compares the tables of the content with themselves: keys that two rows have, indexes that lack rows, links and parts of entries that are
 * not there, and ids that would be given a second time. PostgreSQL itself prevents all of it; two processes that wrote to one embedded folder, which versions
 * before 2026-11-23 allowed between containers, and triggers that were off leave it behind.
 *
 * @param repair Mends what can be: rows with the same id get ids of their own, indexes are made anew, and links and parts without an entry are
 * removed. Entries that are gone do not come back. Writers wait meanwhile. Default false.
 */
export async function checkDamage(
  store: Store,
  registry: Registry,
  { repair = false }: { readonly repair?: boolean } = {},
): Promise<readonly Damage[]> {
  const tables = tablesOf(registry).filter(({ label }) => !label.startsWith('the kept totals'))
  const found: Damage[] = []
  for (const table of tables) found.push(...(await ofKeys(store, table, repair)))
  for (const table of tables) found.push(...(await ofLinks(store, table, registry, repair)))
  return found
}

const uniqueViolation = '23505'

/** Keys that two rows have, and indexes that lack rows. A table whose index cannot be made anew stays as it is. */
async function ofKeys(store: Store, table: Table, repair: boolean): Promise<readonly Damage[]> {
  const inTable = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    store.transaction(async (tx) => {
      await tx.liftTimeLimits()
      return work(tx)
    })
  const texts = await inTable(async (tx) => {
    const keys = await sameKeys(tx, table)
    return [...keys, ...(await unindexed(tx, table))]
  })
  if (texts.length === 0) return []
  if (!repair) return texts.map((text) => ({ text, isMended: false }))
  try {
    await inTable(async (tx) => {
      await tx.run(sql`lock table ${sql.id(table.name)} in access exclusive mode`)
      await onlyRows(tx)
      for (const statement of table.primaryKey[0] === 'id' ? giveIds(table) : removeRepeated(table))
        await tx.run(statement)
      await tx.run(sql`reindex table ${sql.id(table.name)}`)
    })
    return texts.map((text) => ({ text, isMended: true }))
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
    const { detail = '' } = error as { readonly detail?: string } // the driver's
    const why = `${table.label}: its indexes cannot be made anew (${detail}); change one of the entries that have the same value, and repair again`
    return [...texts, why].map((text) => ({ text, isMended: false }))
  }
}

/** Links to entries that are not there, parts and links of such entries, and ids that would be given again. */
async function ofLinks(
  store: Store,
  table: Table,
  registry: Registry,
  repair: boolean,
): Promise<readonly Damage[]> {
  return store.transaction(async (tx) => {
    await tx.liftTimeLimits()
    if (repair) await tx.run(sql`lock table ${sql.id(table.name)} in share row exclusive mode`)
    await onlyRows(tx)
    const found: Damage[] = []
    const findings = [
      { texts: await lostTargets(tx, table), mends: withoutTargets(table) },
      { texts: await lostOwners(tx, table, registry), mends: removeWithoutOwner(table, registry) },
      { texts: await idsBehind(tx, table), mends: setIds(table) },
    ]
    for (const { texts, mends } of findings) {
      if (texts.length === 0) continue
      if (repair) for (const statement of mends) await tx.run(statement)
      found.push(...texts.map((text) => ({ text, isMended: repair })))
    }
    return found
  })
}
