import { type BatchedTransaction, param, type Sql, sql } from '@octavo/database'
import type { ContentType } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { WriteEvent } from '../../plugin/write-event.ts'
import { type Check, refusal } from './check.ts'

/** `all` for a single type: few entries, of which each is one language. */
type Ids = readonly number[] | 'all'

const among = (type: ContentType, ids: Ids): Sql =>
  sql`select "id" from ${sql.id(type.table)}${ids === 'all' ? sql`` : sql` where "id" = any(${param(ids, 'int8[]')})`}`

/**
 * Locks the entries that exist, in ascending order of their ids: two transactions that lock the same entries never wait for
 * each other. An update does not change the id, so the weaker lock suffices and concurrent writes can still refer to the entries. A
 * delete needs the stronger lock. Its rows are their ids.
 */
export const entryLock = (type: ContentType, ids: Ids, action: WriteEvent['action']): Sql =>
  sql`${among(type, ids)} order by "id" for ${sql.raw(action === 'delete' ? 'update' : 'no key update')}`

/** Locks entries together with the next statement. @returns the check that all exist, which throws NotFoundError */
export function lockEntries(
  type: ContentType,
  ids: readonly number[],
  action: WriteEvent['action'],
  tx: BatchedTransaction,
): Check {
  tx.send(entryLock(type, ids, action))
  return {
    lists: [{ rows: among(type, ids), count: new Set(ids).size }],
    report: refusal(() => problem('entry/not-found')),
  }
}
