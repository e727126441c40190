import type { Bindable } from '../content-type/attribute-type.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'
import { type DriverError, sqlState } from '../store/database-error.ts'
import { toParameter } from '../store/parameter.ts'
import type { Transaction } from '../store/store.ts'

export interface RowColumn {
  readonly name: string
  /** PostgreSQL type that the text of a value is cast to. */
  readonly type: string
}

/** A row that the database refused: why, and where it came from. */
export class RefusedRow extends Error {
  /** What `add` was told of it. */
  readonly origin: unknown

  constructor(message: string, origin: unknown, cause: unknown) {
    super(message, { cause })
    this.origin = origin
  }
}

/** A value, or the promise of one that takes long to make. */
export type PendingValue = Bindable | Promise<Bindable>

/** Rows of one statement at most, and characters of their values: what is held in memory between two statements. */
const maxRows = 1_000
const maxCharacters = 4_000_000

/** Inserts rows into one table, many in a statement: a list per column, which makes the same text for any number. */
export class RowWriter {
  readonly #tx: Transaction
  readonly #table: string
  readonly #columns: readonly RowColumn[]
  #lists: (string | null)[][]
  #origins: unknown[] = []
  #characters = 0
  /** Values that are still being made: hashes, on threads of their own. */
  #waiting: Promise<void>[] = []

  constructor(tx: Transaction, table: string, columns: readonly RowColumn[]) {
    this.#tx = tx
    this.#table = table
    this.#columns = columns
    this.#lists = columns.map(() => [])
  }

  /**
   * @param values In the order of the columns.
   * @param origin Where the row comes from, for {@link RefusedRow}.
   */
  async add(values: readonly PendingValue[], origin: unknown): Promise<void> {
    values.forEach((value, i) => {
      const list = this.#lists[i]
      if (value instanceof Promise) {
        const at = list?.push(null) ?? 0
        const filled = value.then((made) => {
          if (list) list[at - 1] = toParameter(made)
        })
        // A failure is met when the rows are written, and must not count as unhandled until then.
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

  /** @throws RefusedRow when a value is there already that must be unique, or is too large for the column. */
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

  /** The last row of those that have the value which PostgreSQL complains of: an earlier one was let in. */
  #refused(error: unknown, lists: (string | null)[][], origins: readonly unknown[]): RefusedRow | undefined {
    const state = sqlState(error)
    // 22: data exceptions (out of range…), 23505: unique violation, 54000: too large for an index.
    if (!state || !/^(22...|23505|54000)$/.test(state)) return undefined
    const { message, detail } = error as DriverError
    const [, name, value] = /^Key \((.+?)\)=\(([\s\S]*)\) already exists/.exec(detail ?? '') ?? []
    const column = this.#columns.findIndex((column) => column.name === name?.replaceAll('"', ''))
    const row = column < 0 ? -1 : (lists[column]?.lastIndexOf(value ?? '') ?? -1)
    const text = name ? `${name} ${JSON.stringify(value)} is there already` : message
    return new RefusedRow(`table "${this.#table}": ${text}`, origins[row], error)
  }
}
