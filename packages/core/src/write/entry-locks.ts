import type { ContentType } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import type { WriteEvent } from '../plugin/hooks.ts'
import { param, sql } from '../sql/sql.ts'
import type { Transaction } from '../store/store.ts'

/** The locks of one transaction on existing entries. */
export class EntryLocks {
  readonly #tx: Transaction
  readonly #locked = new Set<string>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** @throws NotFoundError when the entry does not exist. */
  async require(type: ContentType, id: number, action: WriteEvent['action']): Promise<void> {
    if (!(await this.lock(type, id, action))) throw problem('entry/not-found')
  }

  /**
   * Locks an entry; `false` when it does not exist. An update does not change the id, so the weaker lock suffices and
   * concurrent writes can still refer to the entry. A delete needs the stronger lock.
   */
  async lock(type: ContentType, id: number, action: WriteEvent['action'] = 'update'): Promise<boolean> {
    const key = `${type.uid} ${id}`
    if (action !== 'delete' && this.#locked.has(key)) return true
    const strength = action === 'delete' ? sql`for update` : sql`for no key update`
    const rows = await this.#tx.run(
      sql`select 1 from ${sql.id(type.table)} where "id" = ${param(id, 'int8')} ${strength}`,
    )
    if (rows.length > 0) this.#locked.add(key)
    return rows.length > 0
  }

  /** Forgets an entry that the transaction deleted. */
  forget(type: ContentType, id: number): void {
    this.#locked.delete(`${type.uid} ${id}`)
  }
}
