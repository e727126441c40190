import { type Sql, sql } from '@octavo/database'
import { InvalidValue, type ScalarType } from '../attribute-type.ts'
import { readDate, readInstant, readTime } from './iso-8601.ts'
import { readDigits } from './whole-number.ts'

/** The common part of dates and times. The reference reports their mistakes without a path, hence `located` false. */
const temporal = {
  kind: 'scalar',
  operators: ['any', 'ordered', 'prefix'],
  search: 'never',
  secret: false,
  check: () => [],
  constraints: () => [],
} as const satisfies Partial<ScalarType>

/** A day, `2024-02-29`. A date-time is accepted too; its date is used. */
export const date: ScalarType = {
  ...temporal,
  name: 'date',
  column: () => 'date',
  parameter: 'date',
  fromQuery: asDate,
  fromJson: asDate,
  toJson: (column) => column,
  toText: (column) => sql`to_char(${column}, 'YYYY-MM-DD')`,
}

/** A time of day to the millisecond, without zone: `09:30:00`, `09:30:00.25`. */
export const time: ScalarType = {
  ...temporal,
  name: 'time',
  column: () => 'time(3)',
  parameter: 'time',
  fromQuery: asTime,
  fromJson: asTime,
  // PostgreSQL omits trailing zeros of a fraction, like the reference server.
  toJson: (column) => sql`${column}::text`,
  toJsonText: (column) => sql`'"' || ${column}::text || '"'`,
  toText: (column) => sql`${column}::text`,
}

/** A timestamp with milliseconds; in JSON `2024-01-01T09:00:01.037Z`. */
export const datetime: ScalarType = {
  ...temporal,
  name: 'datetime',
  column: () => 'timestamptz(3)',
  parameter: 'timestamptz',
  fromQuery: (text) => new Date(asInstant(text)).toISOString(),
  fromJson: (value) => new Date(asInstant(value)).toISOString(),
  toJson: isoText,
  toJsonText: (column) => sql`'"' || ${isoText(column)} || '"'`,
  toText: isoText,
}

/** A timestamp that is stored and returned in milliseconds since 1970, as text: `"1643767322000"`. */
export const timestamp: ScalarType = {
  ...temporal,
  name: 'timestamp',
  column: () => 'int8',
  parameter: 'int8',
  fromQuery: asMilliseconds,
  fromJson: asMilliseconds,
  toJson: (column) => sql`${column}::text`,
  toJsonText: (column) => sql`'"' || ${column}::text || '"'`,
  toText: (column) => sql`${column}::text`,
}

function isoText(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function asDate(value: unknown): string {
  const read = readDate(toText(value))
  if (read === undefined) throw new InvalidValue('a date that exists, as YYYY-MM-DD', false)
  return read
}

function asTime(value: unknown): string {
  const read = readTime(toText(value))
  if (read === undefined) throw new InvalidValue('a time as HH:mm:ss or HH:mm:ss.SSS', false)
  return read
}

function asInstant(value: unknown): number {
  const read = readInstant(toText(value))
  if (read === undefined)
    throw new InvalidValue('an ISO 8601 date-time such as 2024-01-31T09:00:00.000Z, or milliseconds', false)
  return read
}

/** Any digits are milliseconds, also four digits, which are not a year here. */
function asMilliseconds(value: unknown): string {
  return readDigits(value) ?? String(asInstant(value))
}

/** A number is parsed like its digits; a `Date` is from a program, not from a client. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number') return String(value)
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : ''
}
