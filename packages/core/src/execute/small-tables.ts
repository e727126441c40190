import { chargedTo, type Store, sql } from '@octavo/database'
import { LRUCache } from 'lru-cache'

/** Milliseconds that a size is cached: tables grow. */
const holds = 60_000

/** Bytes up to which a search reads all rows of a table about as fast as PostgreSQL plans it for its phrase. */
const smallTable = 128 * 1024

/** Tables that are so small that one plan is as good for any phrase that is searched in them. */
export class SmallTables {
  readonly #store: Store
  readonly #known = new LRUCache<string, boolean>({ max: 10_000, ttl: holds })

  constructor(store: Store) {
    this.#store = store
  }

  /** @returns `undefined` for a table that was not looked up within the last minute; see {@link lookUp}. */
  known(table: string): boolean | undefined {
    // The embedded database has no named statements, so each execution is planned anyway.
    return this.#store.engine === 'pglite' ? false : this.#known.get(table)
  }

  async lookUp(table: string): Promise<boolean> {
    // For all callers: it does not wait for the turn of one.
    const [row] = await chargedTo(undefined, () =>
      this.#store.run(
        sql`select pg_relation_size(oid) + coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) as "bytes" from pg_class where relname = ${table} and relnamespace = current_schema()::regnamespace`,
      ),
    )
    const isSmall = row !== undefined && Number(row.bytes) <= smallTable
    this.#known.set(table, isSmall)
    return isSmall
  }
}
