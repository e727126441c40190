/**
 * The bounds that a statement enforces while it runs, so that neither its memory nor, on the embedded database, its time grows
 * past them. A server ends statements by `statement_timeout`.
 */
import { type Aliases, type Sql, sql } from '@octavo/database'

/**
 * A condition on each row that a statement reads: it is true, or the statement fails because its time is over. One row in
 * sixteen reads the clock. PostgreSQL attaches it to the table because it names a column, checks it before other conditions
 * because its functions are declared to cost nothing, and joins no subquery that has it with the query around it.
 *
 * `undefined` where the database has a timer of its own.
 * @param column An integer of the row.
 */
export const inTime = (column: Sql, { bounds }: Aliases): Sql | undefined =>
  bounds?.checksTime
    ? sql`(pg_temp.octavo_greater(pg_temp.octavo_random(), 0.0625) or pg_temp.octavo_in_time(${column}) is not null)`
    : undefined

/**
 * The texts of a list with commas between them; null without any. The statement fails as soon as they have more bytes than the
 * bound: the sum of their scaled lengths overflows then, the one way in which an aggregate can fail before its last row.
 * @param counts Whether the rows count among those of all lists within lists.
 * @param all The aggregate of the texts. Default: in the order of the rows.
 */
export function listOf(
  text: Sql,
  { bounds }: Aliases,
  counts = false,
  all: Sql = sql`string_agg(${text}, ',')`,
): Sql {
  if (!bounds) return all
  const checks = Number.isFinite(bounds.bytes)
    ? sql`sum(octet_length(${text}) * ${sql.raw(`'${Number.MAX_VALUE / (bounds.bytes + 1)}'::float8`)}) >= 0`
    : sql`true`
  if (!counts || !Number.isFinite(bounds.rows)) return sql`case when ${checks} then ${all} end`
  // The setting ends with the transaction. A list without rows counts as well: reading it is work.
  const counted = sql`set_config('octavo.rows', (coalesce(nullif(current_setting('octavo.rows', true), ''), '0')::int8 + 1 + count(*))::text, true)::int8`
  const failure = sql`cast(${sql.lit(`${overRows} `)} || count(*) as integer)::text`
  return sql`case when ${counted} > ${sql.lit(bounds.rows)} then ${failure} when ${checks} then ${all} end`
}

/** Begins the count of rows of {@link listOf} anew, in a transaction that may have counted before. */
export const restartCount: Sql = sql`select set_config('octavo.rows', '0', true)`

const overRows = 'octavo: the lists of the answer have more rows than the bound'

/** The function of PostgreSQL that reports the overflow. */
const overflows = 'float_overflow_error'

/** The bound of {@link listOf} that a statement failed for. PostgreSQL may translate its messages, but not names and values. */
export function exceededBound(error: unknown): 'rows' | 'bytes' | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes(overRows)) return 'rows'
  return 'routine' in error && error.routine === overflows ? 'bytes' : undefined
}
