import { isOperator, type Operator, operators } from '../operator/table.ts'
import { type Bindable, column, isSql, join, param, type Sql, sql, where as whereClause } from '../sql/sql.ts'
import type { RowSource, SourceColumn } from './source.ts'

/** A value to write: a plain value, JSON for a JSON column, or SQL such as `` sql`now()` ``. */
export type RowValue<V> = V | Date | Sql

/** The new value of a column, or SQL that is made of its present value: `` (views) => sql`${views} + 1` ``. */
export type ChangedValue<V> = RowValue<V> | ((present: Sql) => Sql)

type Comparison<V> = {
  readonly $eq?: V | Sql
  readonly $ne?: V | Sql
  readonly $lt?: V | Sql
  readonly $lte?: V | Sql
  readonly $gt?: V | Sql
  readonly $gte?: V | Sql
  readonly $in?: readonly V[]
  readonly $notIn?: readonly V[]
  readonly $null?: true
  readonly $notNull?: true
}

/**
 * Selects the rows for which all conditions hold.
 *
 *     { role: 3 }                        equal
 *     { role: null }                     not set
 *     { id: [1, 2] }                     one of
 *     { expires: { $lt: sql`now()` } }   the operators of filters
 *     { blocked: [false, null] }         one of, or not set
 *     { $or: [{ email }, { username }] } at least one of these
 */
export type RowWhere<R> = {
  readonly [K in keyof R]?:
    | NonNullable<R[K]>
    | null
    | readonly (NonNullable<R[K]> | null)[]
    | Comparison<NonNullable<R[K]>>
} & {
  /** At least one of these holds. An empty list holds for no row. */
  readonly $or?: readonly RowWhere<R>[]
}

export interface FindRows<R, K extends keyof R> {
  readonly where?: RowWhere<R>
  /** The returned columns. Default: all. */
  readonly select?: readonly K[]
  /** Default: no order. */
  readonly orderBy?: { readonly [K in keyof R]?: 'asc' | 'desc' }
  /** Default: all rows. */
  readonly limit?: number
  /** Locks the rows until the transaction ends: `update` for any change, `key` for changes that leave the keys as they are. Default none. */
  readonly lock?: 'update' | 'key'
}

export interface InsertRows<R, K extends keyof R> {
  /** On a duplicate key, either skips the row (`ignore`) or updates the columns `set` of the existing row. Default: an error. */
  readonly onConflict?:
    | 'ignore'
    | { readonly on: readonly (keyof R & string)[]; readonly set: readonly (keyof R & string)[] }
  /** The returned columns; skipped rows are not returned. Default: none. */
  readonly returning?: readonly K[]
}

/** Runs a statement, in a transaction or on its own, and returns named rows. */
type Run = (statement: Sql) => Promise<readonly Readonly<Record<string, string | null>>[]>

/**
 * Reads and writes the rows of one table by column names. Every value is a parameter and every name is checked.
 * Rows are written unchanged: no hooks, no validation, no timestamps. Use `entries` for writes that plugins and caches
 * depend on.
 *
 * All methods throw an Error for a column that the table does not have, and an OctavoError for errors of the database.
 */
export class Rows<R = Readonly<Record<string, unknown>>> {
  readonly #run: Run
  readonly #source: RowSource<R>

  constructor(run: Run, source: RowSource<R>) {
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
          names.map((name, i) => written(columns[i] as SourceColumn, row[name])),
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
      return sql`${sql.id(target.column)} = ${written(target, given)}`
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

  /** Sets the id sequence to the highest stored id, after an import with given ids. */
  async continueIds(): Promise<void> {
    const { table } = this.#source
    await this.#run(
      sql`select setval(pg_get_serial_sequence(${param(`"${table}"`, 'text')}, 'id'), greatest((select max("id") from ${this.#table}), 1))`,
    )
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
    if (names.length === 0) return sql`'{}'`
    const columns = names.map((name) => {
      const { toJson, column: own } = this.#column(String(name))
      return sql`${toJson(column('t', own))} as ${sql.id(String(name))}`
    })
    return sql`(select row_to_json("r") from (select ${join(columns, ', ')}) as "r")::text`
  }

  #where(where: RowWhere<R> = {}): Sql {
    return whereClause(this.#conditions(where))
  }

  #conditions({ $or, ...columns }: RowWhere<R>): readonly (Sql | undefined)[] {
    const conditions = Object.entries(columns).map(([name, test]) =>
      condition(this.#ref(name), this.#column(name), test),
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
    const found = this.#source.columns.get(name)
    if (found) return found
    const known = [...this.#source.columns.keys()].join(', ')
    throw new Error(`The table "${this.#source.table}" has no column "${name}"; there are ${known}`)
  }
}

/** A row to insert: nullable columns and a generated `id` are optional. */
export type InsertedRow<R> = {
  readonly [K in keyof R as null extends R[K] ? never : K extends 'id' ? never : K]: RowValue<R[K]>
} & {
  readonly [K in keyof R]?: RowValue<R[K]>
}

/** The SQL of a value to write into a column. */
function written({ type }: SourceColumn, value: unknown): Sql {
  if (isSql(value)) return value
  if (value === undefined || value === null) return sql`null`
  return param(type === 'jsonb' ? JSON.stringify(value) : (value as Bindable), type)
}

function condition(own: Sql, { type }: SourceColumn, test: unknown): Sql | undefined {
  if (test === undefined) return undefined
  if (test === null) return sql`${own} is null`
  if (Array.isArray(test)) {
    const values: readonly unknown[] = test
    const given = compare(
      '$in',
      own,
      type,
      values.filter((value) => value !== null),
    )
    return values.includes(null) ? sql`(${given} or ${own} is null)` : given
  }
  if (typeof test !== 'object' || test instanceof Date) return compare('$eq', own, type, test)
  const tests = Object.entries(test)
  return join(
    tests.map(([name, value]) => compare(name, own, type, value)),
    ' and ',
  )
}

function compare(name: string, own: Sql, type: string, value: unknown): Sql {
  if (!isOperator(name)) throw new Error(`There is no operator "${name}"`)
  const { operand, sql: toSql }: Operator = operators[name]
  const cast = `${type.replace(/\(.*\)/, '')}${operand === 'list' ? '[]' : ''}`
  const right = isSql(value) ? value : param(value as Bindable, cast)
  return toSql(own, right, sql`null`)
}
