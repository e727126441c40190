import { comparisons, type Sql, sql } from '@octavo/database'

/**
 * The operands of an operator in the query string:
 * - `one`: one value; a list of values means "any of"
 * - `list`: one value or a list
 * - `pair`: exactly two
 * - `flag`: a boolean; `false`, `0`, `f` and the empty text are false, any other text is true
 */
export type OperandKind = 'one' | 'list' | 'pair' | 'flag'

/**
 * The values that an operator compares:
 * - `any`: values of any type
 * - `ordered`: values that have an order
 * - `text`: texts; other values by their text in responses (docs/operators.md)
 * - `prefix`: the same for types that name it: not for numbers
 */
export type OperatorClass = 'any' | 'ordered' | 'text' | 'prefix'

export interface Operator {
  readonly operand: OperandKind
  readonly on: OperatorClass
  /** One line for the documentation. */
  readonly meaning: string
  /** The condition, three-valued as in SQL: a null column meets only `$null`. */
  readonly sql: (column: Sql, value: Sql, high: Sql) => Sql
  /** Builds the LIKE pattern of a value; absent: the value is compared as it is. */
  readonly pattern?: (text: string) => string
}

/** Escapes `%`, `_` and `\` in a LIKE pattern. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const anywhere = (text: string): string => `%${literal(text)}%`
const atStart = (text: string): string => `${literal(text)}%`
const atEnd = (text: string): string => `%${literal(text)}`
const like = (c: Sql, v: Sql): Sql => sql`${c} like ${v}`
const likeInsensitive = (c: Sql, v: Sql): Sql => sql`lower(${c}) like lower(${v})`

/**
 * The operators of `filters`, defined once: parse uses `operand`, resolve uses `on`, compile uses `sql`.
 * With `pattern`, `sql` receives the pattern of the value.
 * Source: docs/contract/filters.md; `$eqi` and the other case-insensitive ones compare by PostgreSQL's `lower`.
 */
export const operators = {
  /** Equal. */
  $eq: { operand: 'one', on: 'any', meaning: 'equal', sql: comparisons.$eq },
  /** Equal, case-insensitive. */
  $eqi: {
    operand: 'one',
    on: 'text',
    meaning: 'equal, case-insensitive',
    sql: (c, v) => sql`lower(${c}) = lower(${v})`,
  },
  /** Not equal. */
  $ne: { operand: 'one', on: 'any', meaning: 'not equal', sql: comparisons.$ne },
  /** Not equal, case-insensitive. */
  $nei: {
    operand: 'one',
    on: 'text',
    meaning: 'not equal, case-insensitive',
    sql: (c, v) => sql`lower(${c}) <> lower(${v})`,
  },
  /** Less than. */
  $lt: { operand: 'one', on: 'ordered', meaning: 'less than', sql: comparisons.$lt },
  /** Less than or equal. */
  $lte: { operand: 'one', on: 'ordered', meaning: 'less than or equal', sql: comparisons.$lte },
  /** Greater than. */
  $gt: { operand: 'one', on: 'ordered', meaning: 'greater than', sql: comparisons.$gt },
  /** Greater than or equal. */
  $gte: { operand: 'one', on: 'ordered', meaning: 'greater than or equal', sql: comparisons.$gte },
  /** One of. */
  $in: { operand: 'list', on: 'any', meaning: 'one of', sql: comparisons.$in },
  /** None of. */
  $notIn: { operand: 'list', on: 'any', meaning: 'none of', sql: comparisons.$notIn },
  /** Contains. */
  $contains: { operand: 'one', on: 'text', meaning: 'contains', pattern: anywhere, sql: like },
  /** Does not contain. */
  $notContains: {
    operand: 'one',
    on: 'text',
    meaning: 'does not contain',
    pattern: anywhere,
    sql: (c, v) => sql`${c} not like ${v}`,
  },
  /** Contains, case-insensitive. */
  $containsi: {
    operand: 'one',
    on: 'text',
    meaning: 'contains, case-insensitive',
    pattern: anywhere,
    sql: likeInsensitive,
  },
  /** Does not contain, case-insensitive. */
  $notContainsi: {
    operand: 'one',
    on: 'text',
    meaning: 'does not contain, case-insensitive',
    pattern: anywhere,
    sql: (c, v) => sql`lower(${c}) not like lower(${v})`,
  },
  // The recorded exchange filters-048 refuses it for a number.
  /** Starts with. */
  $startsWith: { operand: 'one', on: 'prefix', meaning: 'starts with', pattern: atStart, sql: like },
  /** Starts with, case-insensitive. */
  $startsWithi: {
    operand: 'one',
    on: 'text',
    meaning: 'starts with, case-insensitive',
    pattern: atStart,
    sql: likeInsensitive,
  },
  /** Ends with. */
  $endsWith: { operand: 'one', on: 'text', meaning: 'ends with', pattern: atEnd, sql: like },
  /** Ends with, case-insensitive. */
  $endsWithi: {
    operand: 'one',
    on: 'text',
    meaning: 'ends with, case-insensitive',
    pattern: atEnd,
    sql: likeInsensitive,
  },
  /** Is null. */
  $null: { operand: 'flag', on: 'any', meaning: 'is null', sql: comparisons.$null },
  /** Is not null. */
  $notNull: { operand: 'flag', on: 'any', meaning: 'is not null', sql: comparisons.$notNull },
  /** Between two values, both included. */
  $between: {
    operand: 'pair',
    on: 'ordered',
    meaning: 'between two values, both included',
    sql: (c, low, high) => sql`${c} between ${low} and ${high}`,
  },
} as const satisfies Record<`$${string}`, Operator>

export type OperatorName = keyof typeof operators

/** Whether operators of this class compare the text of a value instead of the value. */
export const comparesText = (on: OperatorClass): boolean => on === 'text' || on === 'prefix'

/** Whether attributes of these classes support an operator: every filterable attribute has a text. */
export const takes = (classes: readonly OperatorClass[], on: OperatorClass): boolean =>
  on === 'text' ? classes.length > 0 : classes.includes(on)

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)
