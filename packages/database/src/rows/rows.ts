import { column, join, param, type Sql, sql, where as whereClause } from '../sql/sql.ts'
import { conditionSql, writtenValue } from './column-sql.ts'
import { movedSequence } from './moved-sequence.ts'
import type { ChangedValue, FindRows, InsertedRow, InsertRows, RowWhere } from './row-types.ts'
import type { RowSource, SourceColumn } from './source.ts'

/** Runs a statement, in a transaction or on its own, and returns named rows. */
type RunStatement = (statement: Sql) => Promise<readonly Readonly<Record<string, string | null>>[]>

/**
 * Reads and writes the rows of one table by column names. Every value is a parameter and every name is checked.
 * Rows are written unchanged: no hooks, no validation, no timestamps. Use `entries` for writes that plugins and caches
 * depend on.
 *
 * All methods throw an Error for a column that the table does not have, and an OctavoError for errors of the database.
 */
export class Rows<R = Readonly<Record<string, unknown>>> {
  readonly #run: RunStatement
  readonly #source: RowSource<R>

  constructor(run: RunStatement, source: RowSource<R>) {
    this.#run = run
    this.#source = source
  }

  /** Returns JSON values; timestamps are ISO texts. */
  async find<K extends keyof R = keyof R>({
    where,
    select,
    orderBy = {},
    limit,
    lock,
  }: FindRows<R, K> = {}): Promise<readonly Pick<R, K>[]> {
    const order = Object.entries(orderBy).map(
      ([name, direction]) => sql`${this.#ref(name)} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')}`,
    )
    const ordered = order.length === 0 ? sql`` : sql` order by ${join(order, ', ')}`
    const limited = limit === undefined ? sql`` : sql` limit ${param(limit, 'int8')}`
    const locked =
      lock === undefined
        ? sql``
        : lock === 'update'
          ? sql` for update of "t"`
          : sql` for no key update of "t"`
    return this.#answers(
      sql`select ${this.#json(select)} as "row" from ${this.#table} as "t"${this.#where(where)}${ordered}${limited}${locked}`,
    )
  }

  async first<K extends keyof R = keyof R>(options: FindRows<R, K> = {}): Promise<Pick<R, K> | undefined> {
    const [row] = await this.find({ ...options, limit: 1 })
    return row
  }

  async count(where?: RowWhere<R>): Promise<number> {
    const [row] = await this.#run(
      sql`select count(*)::text as "count" from ${this.#table} as "t"${this.#where(where)}`,
    )
    return Number(row?.count)
  }

  async insert<K extends keyof R = never>(
    rows: InsertedRow<R> | readonly InsertedRow<R>[],
    { onConflict, returning = [] }: InsertRows<R, K> = {},
  ): Promise<readonly Pick<R, K>[]> {
    const list = (Array.isArray(rows) ? rows : [rows]) as readonly Readonly<Record<string, unknown>>[]
    if (list.length === 0) return []
    const names = [...new Set(list.flatMap((row) => Object.keys(row)))]
    const columns = names.map((name) => this.#column(name))
    const values = list.map(
      (row) =>
        sql`(${join(
          names.map((name, i) => writtenValue(columns[i] as SourceColumn, row[name])),
          ', ',
        )})`,
    )
    const list_ = join(
      columns.map(({ column }) => sql.id(column)),
      ', ',
    )
    return this.#answers(
      sql`insert into ${this.#table} as "t" (${list_}) values ${join(values, ', ')}${this.#conflict(onConflict)} returning ${this.#json(returning)} as "row"`,
    )
  }

  /** @returns One object for each updated row, with the columns of `returning`. */
  async update<K extends keyof R = never>({
    where,
    set,
    returning = [],
  }: {
    readonly where: RowWhere<R>
    readonly set: { readonly [K in keyof R]?: ChangedValue<R[K]> }
    readonly returning?: readonly K[]
  }): Promise<readonly Pick<R, K>[]> {
    const assignments = Object.entries(set).map(([name, value]) => {
      const target = this.#column(name)
      // No JSON value is a function.
      const given: unknown =
        typeof value === 'function' ? (value as (present: Sql) => Sql)(this.#ref(name)) : value
      return sql`${sql.id(target.column)} = ${writtenValue(target, given)}`
    })
    if (assignments.length === 0) return []
    return this.#answers(
      sql`update ${this.#table} as "t" set ${join(assignments, ', ')}${this.#where(where)} returning ${this.#json(returning)} as "row"`,
    )
  }

  /** @returns One object for each deleted row, with the columns of `returning`. */
  async delete<K extends keyof R = never>({
    where,
    returning = [],
  }: {
    readonly where: RowWhere<R>
    readonly returning?: readonly K[]
  }): Promise<readonly Pick<R, K>[]> {
    return this.#answers(
      sql`delete from ${this.#table} as "t"${this.#where(where)} returning ${this.#json(returning)} as "row"`,
    )
  }

  /**
   * Moves the id sequence to the highest stored id, for an import with given ids. It is never moved back, so that no id is given twice.
   *
   * @param least The highest id of rows that will be inserted, so that rows which others insert meanwhile have higher ones. Default 0.
   */
  async continueIds(least = 0): Promise<void> {
    const highest = sql`(select greatest(max("id"), ${param(least, 'int8')}) from ${this.#table})`
    await this.#run(movedSequence(this.#source.table, highest))
  }

  get #table(): Sql {
    return sql.id(this.#source.table)
  }

  async #answers<K extends keyof R>(statement: Sql): Promise<readonly Pick<R, K>[]> {
    const rows = await this.#run(statement)
    // PostgreSQL's JSON of the selected columns.
    return rows.map(({ row }) => JSON.parse(row ?? '{}') as Pick<R, K>)
  }

  /** The JSON of the named columns, as text. Default: all columns. */
  #json(names: readonly (keyof R)[] = [...this.#source.columns.keys()] as (keyof R)[]): Sql {
    return rowJson(this.#source, names.map(String), 't')
  }

  #where(where: RowWhere<R> = {}): Sql {
    return whereClause(this.#conditions(where))
  }

  #conditions({ $or, ...columns }: RowWhere<R>): readonly (Sql | undefined)[] {
    const conditions = Object.entries(columns).map(([name, test]) =>
      conditionSql(this.#ref(name), this.#column(name), test),
    )
    return $or === undefined ? conditions : [...conditions, this.#anyOf($or)]
  }

  #anyOf(list: readonly RowWhere<R>[]): Sql {
    if (list.length === 0) return sql`false`
    const each = list.map((where) => {
      const parts = this.#conditions(where).filter((part) => part !== undefined)
      return parts.length === 0 ? sql`true` : join(parts, ' and ')
    })
    return sql`(${join(
      each.map((part) => sql`(${part})`),
      ' or ',
    )})`
  }

  #conflict(rule: InsertRows<R, keyof R>['onConflict']): Sql {
    if (rule === undefined) return sql``
    if (rule === 'ignore') return sql` on conflict do nothing`
    const id = (name: string): Sql => sql.id(this.#column(name).column)
    const set = rule.set.map((name) => sql`${id(name)} = excluded.${id(name)}`)
    return sql` on conflict (${join(rule.on.map(id), ', ')}) do update set ${join(set, ', ')}`
  }

  #ref(name: string): Sql {
    return column('t', this.#column(name).column)
  }

  #column(name: string): SourceColumn {
    return columnOf(this.#source, name)
  }
}

type AnyRows = Pick<RowSource, 'table' | 'columns'>

/** @throws Error for a column that the table does not have. */
function columnOf({ table, columns }: AnyRows, name: string): SourceColumn {
  const found = columns.get(name)
  if (found) return found
  const known = [...columns.keys()].join(', ')
  throw new Error(`The table "${table}" has no column "${name}"; there are ${known}`)
}

/**
 * The JSON text of a row as an SQL expression, with the values that {@link Rows.find} has.
 *
 *     sql`select ${rowJson(type, ['id', 'title'], 'a')} from ${sql.id(type.table)} as "a"`
 *
 * @param names Columns of the source.
 * @param alias Of its table in the statement.
 * @throws Error for a column that the table does not have.
 */
export function rowJson(source: AnyRows, names: readonly string[], alias: string): Sql {
  if (names.length === 0) return sql`'{}'`
  const columns = names.map((name) => {
    const { toJson, column: own } = columnOf(source, name)
    return sql`${toJson(column(alias, own))} as ${sql.id(name)}`
  })
  return sql`(select row_to_json("r") from (select ${join(columns, ', ')}) as "r")::text`
}
