import { sql } from '@octavo/database'
import { type Bindable, InvalidValue, type ScalarType } from '../attribute-type.ts'
import { checkBounds } from './definition-checks.ts'
import { numberConstraints } from './number-constraints.ts'

/** The ranges of PostgreSQL's 4-byte and 8-byte integers. */
const int4 = { min: -2_147_483_648n, max: 2_147_483_647n } as const
const int8 = { min: -9_223_372_036_854_775_808n, max: 9_223_372_036_854_775_807n } as const

const whole = {
  kind: 'scalar',
  parameter: 'int8',
  operators: ['any', 'ordered'],
  search: 'number',
  secret: false,
  check: checkBounds,
  // As digits, since a JavaScript number cannot represent all values.
  fromQuery: (text: string) => String(readWhole(text, int8)),
  toText: (column) => sql`${column}::text`,
} as const satisfies Partial<ScalarType>

/** The number of a row, of 4 bytes. */
export const id: ScalarType = {
  ...whole,
  name: 'integer',
  column: () => 'int4',
  fromJson: (value) => Number(readWhole(value, int4)),
  constraints: numberConstraints,
  toJson: (column) => column,
  toJsonText: (column) => sql`${column}::text`,
}

/** A whole number of 4 bytes. */
export const integer: ScalarType = {
  ...id,
  emptyOperand: '0',
  fromQuery: (text) => String(readWhole(inDigits(text), int8)),
  fromJson: (value) => Number(readWhole(inDigits(value), int4)),
}

/** `5` for the text `5.0`, and `1000` for `1e3`: a whole number in any notation of JavaScript. */
function inDigits<T>(value: T): T | string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? String(number) : value
}

/** A whole number of 8 bytes; text in JSON, since JavaScript would round it. */
export const biginteger: ScalarType = {
  ...whole,
  name: 'biginteger',
  column: () => 'int8',
  fromJson: (value) => String(readWhole(value, int8)),
  constraints: numberConstraints,
  toJson: (column) => sql`${column}::text`,
  toJsonText: (column) => sql`'"' || ${column}::text || '"'`,
}

/**
 * A whole number, from a number or from decimal digits with an optional sign. Numbers beyond 2^53 are rejected, since
 * they were rounded by JSON.parse: they must be texts.
 *
 * @throws InvalidValue
 */
function readWhole(value: unknown, { min, max }: { readonly min: bigint; readonly max: bigint }): bigint {
  const read = toBigInt(value)
  if (read === undefined) throw new InvalidValue('a whole number')
  if (read < min || read > max) throw new InvalidValue(`a whole number between ${min} and ${max}`)
  return read
}

function toBigInt(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  // Limits the digits, since BigInt takes more than linear time; numbers in range are shorter, except for leading zeros.
  return /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined
}

/** Digits of a whole number of 8 bytes, or `undefined`. For types that are stored so. */
export function readDigits(value: Bindable | unknown): string | undefined {
  const read = toBigInt(value)
  return read === undefined || read < int8.min || read > int8.max ? undefined : String(read)
}
