import { type RawBuilder, sql } from 'kysely'

/**
 * How many values an operator takes, as written in the query string:
 * - `one`: one value; a list of them means "any of"
 * - `list`: one value or a list
 * - `pair`: exactly two
 * - `flag`: yes or no; `false`, `0`, `f` and the empty text are no, any other text is yes
 */
export type Operand = 'one' | 'list' | 'pair' | 'flag'

/**
 * What an operator compares:
 * - `any`: values of any type
 * - `ordered`: values that have an order
 * - `text`: texts, case-sensitively (JSON counts, by its text)
 * - `caseless`: texts, case-insensitively; of values that are no texts, the text that an answer has (docs/filters.md)
 */
export type OperatorClass = 'any' | 'ordered' | 'text' | 'caseless'

type Sql = RawBuilder<unknown>

export interface Operator {
  readonly operand: Operand
  readonly on: OperatorClass
  /** One line for the documentation. */
  readonly meaning: string
  /** The condition, three-valued as in SQL: a null column meets none but `$null`. */
  readonly sql: (column: Sql, value: Sql, high: Sql) => Sql
  /** The LIKE pattern that the value becomes; absent: the value is compared as it is. */
  readonly pattern?: (text: string) => string
}

/** `%`, `_` and `\` in a LIKE pattern mean themselves. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const anywhere = (text: string): string => `%${literal(text)}%`
const atStart = (text: string): string => `${literal(text)}%`
const atEnd = (text: string): string => `%${literal(text)}`
const like = (c: Sql, v: Sql): Sql => sql`${c} like ${v}`
const likeInsensitive = (c: Sql, v: Sql): Sql => sql`lower(${c}) like lower(${v})`

/**
 * The operators of `filters`, spelt once: parse reads `operand`, resolve reads `on`, compile reads `sql`.
 * Where a row has `pattern`, `sql` receives what that made of the value.
 * Source: spec, "Query parameter: filters"; `$eqi` and the other case-insensitive ones compare by PostgreSQL's `lower`.
 */
export const operators = {
  $eq: { operand: 'one', on: 'any', meaning: 'equal', sql: (c, v) => sql`${c} = ${v}` },
  $eqi: {
    operand: 'one',
    on: 'caseless',
    meaning: 'equal, case-insensitive',
    sql: (c, v) => sql`lower(${c}) = lower(${v})`,
  },
  $ne: { operand: 'one', on: 'any', meaning: 'not equal', sql: (c, v) => sql`${c} <> ${v}` },
  $nei: {
    operand: 'one',
    on: 'caseless',
    meaning: 'not equal, case-insensitive',
    sql: (c, v) => sql`lower(${c}) <> lower(${v})`,
  },
  $lt: { operand: 'one', on: 'ordered', meaning: 'less than', sql: (c, v) => sql`${c} < ${v}` },
  $lte: { operand: 'one', on: 'ordered', meaning: 'less than or equal', sql: (c, v) => sql`${c} <= ${v}` },
  $gt: { operand: 'one', on: 'ordered', meaning: 'greater than', sql: (c, v) => sql`${c} > ${v}` },
  $gte: { operand: 'one', on: 'ordered', meaning: 'greater than or equal', sql: (c, v) => sql`${c} >= ${v}` },
  $in: { operand: 'list', on: 'any', meaning: 'one of', sql: (c, v) => sql`${c} = any(${v})` },
  $notIn: { operand: 'list', on: 'any', meaning: 'none of', sql: (c, v) => sql`${c} <> all(${v})` },
  $contains: { operand: 'one', on: 'text', meaning: 'contains', pattern: anywhere, sql: like },
  $notContains: {
    operand: 'one',
    on: 'text',
    meaning: 'does not contain',
    pattern: anywhere,
    sql: (c, v) => sql`${c} not like ${v}`,
  },
  $containsi: {
    operand: 'one',
    on: 'caseless',
    meaning: 'contains, case-insensitive',
    pattern: anywhere,
    sql: likeInsensitive,
  },
  $notContainsi: {
    operand: 'one',
    on: 'caseless',
    meaning: 'does not contain, case-insensitive',
    pattern: anywhere,
    sql: (c, v) => sql`lower(${c}) not like lower(${v})`,
  },
  $startsWith: { operand: 'one', on: 'text', meaning: 'starts with', pattern: atStart, sql: like },
  $startsWithi: {
    operand: 'one',
    on: 'caseless',
    meaning: 'starts with, case-insensitive',
    pattern: atStart,
    sql: likeInsensitive,
  },
  $endsWith: { operand: 'one', on: 'text', meaning: 'ends with', pattern: atEnd, sql: like },
  $endsWithi: {
    operand: 'one',
    on: 'caseless',
    meaning: 'ends with, case-insensitive',
    pattern: atEnd,
    sql: likeInsensitive,
  },
  $null: { operand: 'flag', on: 'any', meaning: 'is null', sql: (c) => sql`${c} is null` },
  $notNull: { operand: 'flag', on: 'any', meaning: 'is not null', sql: (c) => sql`${c} is not null` },
  $between: {
    operand: 'pair',
    on: 'ordered',
    meaning: 'between two values, both included',
    sql: (c, low, high) => sql`${c} between ${low} and ${high}`,
  },
} as const satisfies Record<`$${string}`, Operator>

export type OperatorName = keyof typeof operators

/** Whether an operator of this class compares the text of a value rather than the value. */
export const comparesText = (on: OperatorClass): boolean => on === 'text' || on === 'caseless'

/** Whether attributes whose type lists these classes take an operator: all that are filtered at all have a text. */
export const takes = (classes: readonly OperatorClass[], on: OperatorClass): boolean =>
  on === 'caseless' ? classes.length > 0 : classes.includes(on)

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)
