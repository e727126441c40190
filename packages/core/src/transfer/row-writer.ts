import type { Transaction } from '@octavo/database'
import {
  type DriverError,
  join,
  param,
  refusedKey,
  type Sql,
  sql,
  sqlState,
  toParameter,
} from '@octavo/database'
import type { Bindable } from '../content-type/attribute-type.ts'

export interface RowColumn {
  readonly name: string
  /** PostgreSQL type of the values. */
  readonly type: string
  /** Whether an index has it, of which a value may be too long. Default false. */
  readonly isIndexed?: boolean
}

/** A row that the database rejected, with the cause and its origin. */
export class RefusedRow extends Error {
  /** The `origin` passed to `add`. */
  readonly origin: unknown

  constructor(message: string, origin: unknown, cause: unknown) {
    super(message, { cause })
    this.origin = origin
  }
}

/** A value, or a promise for a slow one. */
export type PendingValue = Bindable | Promise<Bindable>

/** Maximum rows per statement, and characters of their values: the size of the buffer. */
const maxRows = 1_000
const maxCharacters = 4_000_000

/** Inserts rows into one table, many per statement: a list parameter per column, so that the text is the same for any number. */
export class RowWriter {
  readonly #tx: Transaction
  readonly #table: string
  readonly #columns: readonly RowColumn[]
  #lists: (string | null)[][]
  #origins: unknown[] = []
  #characters = 0
  /** Pending values: hashes, which are computed on other threads. */
  #waiting: Promise<void>[] = []

  constructor(tx: Transaction, table: string, columns: readonly RowColumn[]) {
    this.#tx = tx
    this.#table = table
    this.#columns = columns
    this.#lists = columns.map(() => [])
  }

  /**
   * @param values In the order of the columns.
   * @param origin The origin of the row, for {@link RefusedRow}.
   */
  async add(values: readonly PendingValue[], origin: unknown): Promise<void> {
    values.forEach((value, i) => {
      const list = this.#lists[i]
      if (value instanceof Promise) {
        const at = list?.push(null) ?? 0
        const filled = value.then((made) => {
          if (list) list[at - 1] = toParameter(made)
        })
        // Errors are handled when the rows are written; until then they must not count as unhandled rejections.
        filled.catch(() => {})
        this.#waiting.push(filled)
        return
      }
      const text = toParameter(value)
      list?.push(text)
      this.#characters += text?.length ?? 0
    })
    this.#origins.push(origin)
    if (this.#origins.length >= maxRows || this.#characters >= maxCharacters) await this.flush()
  }

  /** @throws RefusedRow for a duplicate unique value, or a value too large for the column. */
  async flush(): Promise<void> {
    if (this.#origins.length === 0) return
    const lists = this.#lists
    const origins = this.#origins
    this.#lists = this.#columns.map(() => [])
    this.#origins = []
    this.#characters = 0
    const waiting = this.#waiting
    this.#waiting = []
    await Promise.all(waiting)
    try {
      await this.#tx.run(this.#insert(lists))
    } catch (error) {
      throw this.#refused(error, lists, origins) ?? error
    }
  }

  #insert(lists: readonly (readonly (string | null)[])[]): Sql {
    const name = (i: number): Sql => sql.id(`c${i}`)
    const columns = this.#columns.map((column) => sql.id(column.name))
    const values = this.#columns.map(({ type }, i) => sql`${name(i)}::${sql.raw(type)}`)
    const given = lists.map((list) => param(list, 'text[]'))
    return sql`insert into ${sql.id(this.#table)} (${join(columns, ', ')}) select ${join(values, ', ')} from unnest(${join(given, ', ')}) as rows (${join(
      lists.map((_, i) => name(i)),
      ', ',
    )})`
  }

  /** The last row with the value in PostgreSQL's error: an earlier row was inserted. */
  #refused(error: unknown, lists: (string | null)[][], origins: readonly unknown[]): RefusedRow | undefined {
    const state = sqlState(error)
    // 22: data exceptions (out of range…), 23505: unique violation, 54000: too large for an index.
    if (!state || !/^(22...|23505|54000)$/.test(state)) return undefined
    const key = refusedKey(error as DriverError)
    const keyColumns = key?.columns.map((name) => this.#columns.findIndex((column) => column.name === name))
    const row = origins.findLastIndex(
      (_, row) => key?.values === keyColumns?.map((column) => lists[column]?.[row]).join(', '),
    )
    const text = key
      ? `${key.columns.join(', ')} ${JSON.stringify(key.values)} is there already`
      : (error as DriverError).message
    if (state === '54000') {
      const [name, longest] = this.#longest(lists)
      return new RefusedRow(
        `table "${this.#table}": ${text}; the longest value that is in an index is its "${name}"`,
        origins[longest],
        error,
      )
    }
    return new RefusedRow(`table "${this.#table}": ${text}`, key && origins[row], error)
  }

  /** The column and the row of the longest value that an index has: PostgreSQL's error names neither. */
  #longest(lists: readonly (readonly (string | null)[])[]): readonly [column: string, row: number] {
    let [found, length]: [readonly [string, number], number] = [['id', 0], 0]
    for (const [i, { name, isIndexed }] of this.#columns.entries())
      if (isIndexed)
        for (const [row, value] of (lists[i] ?? []).entries())
          if (value !== null && value.length > length) [found, length] = [[name, row], value.length]
    return found
  }
}
