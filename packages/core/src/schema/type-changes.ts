/** The SQL by which an operator gives a column another type, with the values that it would change. */
import { quote } from './quote.ts'

/** A change of the type of a column, by the names of PostgreSQL: `numeric(20,2)`. */
export interface TypeChange {
  readonly table: string
  readonly column: string
  readonly from: string
  readonly to: string
}

/**
 * The statements of a change of type. Times are read and written in UTC, as Octavo does, whatever the time zone of the session. A conversion that rounds or cuts values
 * comes after a query for the rows that it changes; one that PostgreSQL lacks is a comment.
 */
export function typeChangeSql({ table, column, from, to }: TypeChange): string {
  const value = quote(column)
  const [source, target] = [familyOf(from), familyOf(to)]
  if (source === undefined || target === undefined) return alter(table, value, to, `${value}::${to}`)
  const convert = conversions[source]?.[target]
  if (convert === null)
    return `-- PostgreSQL has no conversion from ${from} to ${to}: give the attribute another name to keep the values, or remove them\nupdate ${quote(table)} set ${value} = null;\n${alter(table, value, to, `null::${to}`)}`
  const lost = losses[source]?.[target]?.(value, to)
  const query = lost
    ? `-- the rows whose values are rounded or cut\nselect * from ${quote(table)} where ${lost};\n`
    : ''
  // A text without a time zone is in that of the session.
  const zone = source === 'text' && target === 'instant' ? `set time zone 'UTC';\n` : ''
  return query + zone + alter(table, value, to, convert?.(value, to) ?? `${value}::${to}`)
}

const alter = (table: string, value: string, type: string, using: string): string =>
  `alter table ${quote(table)} alter column ${value} type ${type} using (${using});`

const families = {
  time: /^time\b/,
  instant: /^timestamptz\b/,
  date: /^date\b/,
  flag: /^bool/,
  long: /^(?:int8|bigint)\b/,
  whole: /^(?:int|smallint)/,
  decimal: /^numeric\b/,
  float: /^(?:float|double|real)/,
  json: /^jsonb?\b/,
  text: /^(?:text|varchar|character varying)\b/,
} as const
type Family = keyof typeof families

const familyOf = (type: string): Family | undefined =>
  (Object.keys(families) as Family[]).find((family) => families[family].test(type))

type Write = (value: string, type: string) => string
/** By the families of both types. `null`: there is no conversion. Absent: the cast of PostgreSQL is right. */
type ByFamilies = Readonly<Partial<Record<Family, Readonly<Partial<Record<Family, Write | null>>>>>>

const inUtc = (value: string): string => `(${value} at time zone 'UTC')`
const isoTime = (value: string): string => `to_char(${inUtc(value)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const isoDate = (value: string): string => `to_char(${value}, 'YYYY-MM-DD')`
const cast =
  (by: (value: string) => string): Write =>
  (value, type) =>
    `${by(value)}::${type}`
const throughInteger = cast((value) => `${value}::int4`)
const isNotZero: Write = (value) => `${value} <> 0`
const asJson: Write = (value) => `to_jsonb(${value})`
const noTimes = { date: null, time: null, instant: null } as const
const noNumbers = { whole: null, long: null, decimal: null, float: null, flag: null } as const

const conversions: ByFamilies = {
  instant: {
    ...noNumbers,
    date: cast(inUtc),
    time: cast(inUtc),
    text: isoTime,
    json: (value) => `to_jsonb(${isoTime(value)})`,
    // The attribute type timestamp has the milliseconds since 1970.
    long: cast((value) => `(extract(epoch from ${value}) * 1000)`),
  },
  date: {
    ...noNumbers,
    time: null,
    instant: (value) => `${value}::timestamp at time zone 'UTC'`,
    text: isoDate,
    json: (value) => `to_jsonb(${isoDate(value)})`,
  },
  time: { ...noNumbers, date: null, instant: null, json: asJson },
  whole: { ...noTimes, flag: isNotZero, json: asJson },
  long: { ...noTimes, flag: isNotZero, json: asJson, instant: (value) => `to_timestamp(${value} / 1000.0)` },
  decimal: { ...noTimes, flag: isNotZero, json: asJson },
  float: { ...noTimes, flag: isNotZero, json: asJson },
  flag: {
    ...noTimes,
    ...{ whole: throughInteger, long: throughInteger, decimal: throughInteger, float: throughInteger },
    json: asJson,
  },
  json: noTimes,
}

const isFraction: Write = (value) => `${value} <> trunc(${value}::numeric)`
const isRounded: Write = (value, type) =>
  `${value}::numeric <> round(${value}::numeric, ${/,(\d+)\)/.exec(type)?.[1] ?? 0})`

/** The conditions of rows whose values a conversion rounds or cuts. */
const losses: ByFamilies = {
  decimal: { whole: isFraction, long: isFraction, decimal: isRounded },
  float: { whole: isFraction, long: isFraction, decimal: isRounded },
  instant: {
    date: (value) => `${inUtc(value)}::time <> '00:00'`,
    time: (value) => `${value} is not null`,
  },
}
