import type { Transaction } from '@octavo/database'
import { movedSequence, param, type Sql, sql } from '@octavo/database'
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

  /** Moves the id sequences of those tables that received rows to the highest id. */
  async moveSequences(tables: Iterable<string>): Promise<void> {
    for (const table of tables)
      if (this.#byTable.has(table)) await this.#tx.run(movedSequence(table, highestId(table)))
  }

  /** Ids that no other transaction gets. @param above An id that all of them are above. */
  async takeIds(table: string, above: number, count: number): Promise<readonly number[]> {
    await this.#tx.run(movedSequence(table, sql`greatest(${highestId(table)}, ${above}::int8)`))
    const rows = await this.#tx.run(
      sql`select nextval(pg_get_serial_sequence(${param(`"${table}"`, 'text')}, 'id')) as "id" from generate_series(1, ${count}::int4)`,
    )
    return rows.map(({ id }) => Number(id))
  }
}

const highestId = (table: string): Sql => sql`(select max("id") from ${sql.id(table)})`
