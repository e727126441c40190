/** The types of the arguments of `Rows`: conditions, values and options. */
import type { Sql } from '../sql/sql.ts'

/** A value to write: a plain value, JSON for a JSON column, or SQL such as `` sql`now()` ``. */
export type RowValue<V> = V | Date | Sql

/** The new value of a column, or SQL that is made of its present value: `` (views) => sql`${views} + 1` ``. */
export type ChangedValue<V> = RowValue<V> | ((present: Sql) => Sql)

type ColumnTest<V> = {
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
    | ColumnTest<NonNullable<R[K]>>
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

/** A row to insert: nullable columns and a generated `id` are optional. */
export type InsertedRow<R> = {
  readonly [K in keyof R as null extends R[K] ? never : K extends 'id' ? never : K]: RowValue<R[K]>
} & {
  readonly [K in keyof R]?: RowValue<R[K]>
}
