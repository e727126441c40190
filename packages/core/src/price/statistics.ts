import type { Store } from '@octavo/database'
import { join, param, sql } from '@octavo/database'
import type { Sizes } from './text-work.ts'

/** Milliseconds between checks of table sizes. */
const lookupInterval = 10_000

/** Growth or shrinkage by this factor makes statistics outdated. */
const factor = 1.2

/** About how many rows the average lengths of texts are taken from. */
const sample = 2_000

interface TableSize {
  /** With the texts that are stored apart. */
  readonly bytes: number
  readonly rows: number
  /** By column. */
  readonly textBytes: ReadonlyMap<string, number>
}

/**
 * Updates the planner's statistics of the embedded database: it has no autovacuum, and estimates without statistics
 * are guesses. A PostgreSQL server does this itself.
 */
export class Statistics implements Sizes {
  readonly #store: Store
  /** As of the last analysis of each table. */
  readonly #analysed = new Map<string, TableSize>()
  #lastLookup = Number.NEGATIVE_INFINITY

  constructor(store: Store) {
    this.#store = store
  }

  rows(table: string): number {
    return this.#analysed.get(table)?.rows ?? 0
  }

  bytes(table: string, column: string): number {
    return this.#analysed.get(table)?.textBytes.get(column) ?? 0
  }

  /** Analyses tables that have grown or shrunk since their last analysis, at most every ten seconds. */
  async freshen(): Promise<void> {
    if (this.#store.engine !== 'pglite') return
    const now = performance.now()
    if (now - this.#lastLookup < lookupInterval) return
    this.#lastLookup = now
    const tables = await this.#store.run(
      sql`select relname as "name", pg_table_size(oid) as "bytes" from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
    )
    for (const { name, bytes: size } of tables) {
      const [table, bytes] = [String(name), Number(size)]
      const before = this.#analysed.get(table)?.bytes ?? 0
      if (bytes <= before * factor && bytes * factor >= before) continue
      this.#analysed.set(table, await this.#analyse(table, bytes))
    }
  }

  async #analyse(table: string, bytes: number): Promise<TableSize> {
    await this.#store.run(sql`analyze ${sql.id(table)}`)
    const [size] = await this.#store.run(
      sql`select reltuples as "rows" from pg_class where relname = ${param(table, 'text')} and relnamespace = current_schema()::regnamespace`,
    )
    const rows = Math.max(0, Number(size?.rows ?? 0))
    const columns = await this.#store.run(
      sql`select column_name as "name", data_type as "type" from information_schema.columns where table_schema = current_schema() and table_name = ${param(table, 'text')} and data_type in ('text', 'character varying', 'jsonb')`,
    )
    if (rows === 0 || columns.length === 0) return { bytes, rows, textBytes: new Map() }
    const lengths = columns.map(({ name, type }) => {
      const column = sql.id(String(name))
      // The length of a text that is stored apart is in its header; a document would have to be read.
      return sql`avg(${type === 'jsonb' ? sql`pg_column_size(${column})` : sql`octet_length(${column})`}) as ${column}`
    })
    const percent = Math.min(100, (100 * sample) / rows)
    const [average = {}] = await this.#store.run(
      sql`select ${join(lengths, ', ')} from ${sql.id(table)} tablesample system (${param(percent, 'float4')})`,
    )
    const textBytes = new Map(Object.entries(average).map(([name, length]) => [name, Number(length ?? 0)]))
    return { bytes, rows, textBytes }
  }
}
