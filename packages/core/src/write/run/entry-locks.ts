import { param, sql, type Transaction } from '@octavo/database'
import type { ContentType } from '../../content-type/model.ts'
import { problem } from '../../error/problems.ts'
import type { WriteEvent } from '../../plugin/write-hooks.ts'

type Strength = 'update' | 'no key update'

const keyOf = (type: ContentType, id: number): string => `${type.uid} ${id}`

/** The locks of one transaction on existing entries. */
export class EntryLocks {
  readonly #tx: Transaction
  /** The locked entries, each with its lock. */
  readonly #locked = new Map<string, Strength>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** @throws NotFoundError when an entry does not exist. */
  async require(type: ContentType, ids: readonly number[], action: WriteEvent['action']): Promise<void> {
    if (!(await this.lock(type, ids, action))) throw problem('entry/not-found')
  }

  /**
   * Locks the entries that exist, in ascending order of their ids: two transactions that lock the same entries never wait for
   * each other. An update does not change the id, so the weaker lock suffices and concurrent writes can still refer to the entries. A
   * delete needs the stronger lock.
   *
   * @returns whether all exist
   */
  async lock(
    type: ContentType,
    ids: readonly number[],
    action: WriteEvent['action'] = 'update',
  ): Promise<boolean> {
    const strength: Strength = action === 'delete' ? 'update' : 'no key update'
    const missing = ids.filter((id) => {
      const held = this.#locked.get(keyOf(type, id))
      return held !== 'update' && held !== strength
    })
    if (missing.length === 0) return true
    const ofAll = sql`"id" = any(${param([...new Set(missing)], 'int8[]')}) order by "id"`
    const which = missing.length === 1 ? sql`"id" = ${param(missing[0] as number, 'int8')}` : ofAll
    const lock = strength === 'update' ? sql`for update` : sql`for no key update`
    const rows = await this.#tx.run(sql`select "id" from ${sql.id(type.table)} where ${which} ${lock}`)
    for (const { id } of rows) this.#locked.set(keyOf(type, Number(id)), strength)
    return ids.every((id) => this.#locked.has(keyOf(type, id)))
  }

  /** Forgets an entry that the transaction deleted. */
  forget(type: ContentType, id: number): void {
    this.#locked.delete(keyOf(type, id))
  }
}
