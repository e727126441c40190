import type { Transaction } from '@octavo/database'
import { param, sql } from '@octavo/database'
import { type RowColumn, RowWriter } from './row-writer.ts'

/** One `RowWriter` per table. */
export class RowWriters {
  readonly #tx: Transaction
  readonly #byTable = new Map<string, RowWriter>()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** @param columns Called for the first row of the table only. */
  of(table: string, columns: () => readonly RowColumn[]): RowWriter {
    const known = this.#byTable.get(table)
    if (known) return known
    const writer = new RowWriter(this.#tx, table, columns())
    this.#byTable.set(table, writer)
    return writer
  }

  /** Sends the remaining rows. @throws RefusedRow */
  async flush(): Promise<void> {
    for (const writer of this.#byTable.values()) await writer.flush()
  }

  /**
   * Moves the id sequences of those tables that received rows to the highest id. They are never decreased, so that no id
   * is reused.
   */
  async moveSequences(tables: Iterable<string>): Promise<void> {
    for (const table of tables) {
      if (!this.#byTable.has(table)) continue
      await this.#tx.run(
        sql`select setval(s, greatest((select max("id") from ${sql.id(table)}), pg_sequence_last_value(s::regclass))) from pg_get_serial_sequence(${param(`"${table}"`, 'text')}, 'id') as s`,
      )
    }
  }
}
