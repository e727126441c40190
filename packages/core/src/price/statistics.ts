import { sql } from '../sql/sql.ts'
import type { Store } from '../store/store.ts'

/** Milliseconds between checks of table sizes. */
const lookEvery = 10_000

/** Growth or shrinkage by this factor makes statistics outdated. */
const factor = 1.2

/**
 * Updates the planner's statistics of the embedded database: it has no autovacuum, and estimates without statistics
 * are guesses. A PostgreSQL server does this itself.
 */
export class Statistics {
  readonly #store: Store
  /** Bytes of each table at its last analysis. */
  readonly #analysed = new Map<string, number>()
  #looked = Number.NEGATIVE_INFINITY

  constructor(store: Store) {
    this.#store = store
  }

  /** Analyses tables that have grown or shrunk since their last analysis, at most every ten seconds. */
  async freshen(): Promise<void> {
    if (this.#store.engine !== 'pglite') return
    const now = performance.now()
    if (now - this.#looked < lookEvery) return
    this.#looked = now
    const tables = await this.#store.run(
      sql`select relname as "name", pg_relation_size(oid) as "bytes" from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
    )
    for (const { name, bytes: size } of tables) {
      const [table, bytes] = [String(name), Number(size)]
      const before = this.#analysed.get(table) ?? 0
      if (bytes <= before * factor && bytes * factor >= before) continue
      await this.#store.run(sql`analyze ${sql.id(table)}`)
      this.#analysed.set(table, bytes)
    }
  }
}
