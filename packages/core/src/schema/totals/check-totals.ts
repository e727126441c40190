import type { Store } from '@octavo/database'
import { sql } from '@octavo/database'
import type { Registry } from '../../content-type/model.ts'
import { type Table, tablesOf } from '../tables/tables.ts'
import { differences, isCounted, recount, reindexTotals } from './update-totals.ts'

/** A kept number of entries that is not the counted one. */
export interface TotalDifference {
  /** Uid of the content-type. */
  readonly uid: string
  /** The values of its `countedBy` attributes, in their order: `["en","true"]`. */
  readonly scope: string
  readonly kept: number
  readonly counted: number
}

/**
 * Compares the kept totals with the number of rows. Differences come from triggers that were off: `session_replication_role =
 * replica`, or `disable trigger`; and from two processes that wrote to one embedded folder (`damage/check-damage.ts`).
 *
 * @param repair Counts what differs anew, under a lock that makes writers wait. Default false.
 * @returns the differences, also those that were repaired.
 */
export async function checkTotals(
  store: Store,
  registry: Registry,
  { repair = false }: { readonly repair?: boolean } = {},
): Promise<readonly TotalDifference[]> {
  const found: (readonly TotalDifference[])[] = []
  for (const table of tablesOf(registry).filter(isCounted)) {
    const differing = await differencesOf(store, table)
    found.push(differing)
    if (repair && differing.length > 0)
      await store.transaction(async (tx) => {
        await tx.liftTimeLimits()
        // Deltas that its index has lost would stay.
        await tx.run(reindexTotals)
        for (const statement of recount(table)) await tx.run(statement)
      })
  }
  return found.flat()
}

async function differencesOf(
  store: Store,
  table: Table & Parameters<typeof differences>[0],
): Promise<readonly TotalDifference[]> {
  // The limits are those of requests: to count a large table takes longer.
  const rows = await store.transaction(async (tx) => {
    await tx.liftTimeLimits()
    // The rows themselves are counted: after two processes wrote to one folder, an index may have others.
    await tx.run(sql`set local enable_indexonlyscan = off`)
    return tx.run(differences(table))
  })
  return rows.map(({ scope, kept, counted }) => ({
    uid: table.label,
    scope: scope ?? '[]',
    kept: Number(kept),
    counted: Number(counted),
  }))
}
