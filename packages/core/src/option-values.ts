/** The values that options take, for the tables of their names (`known-keys.ts`). */
import { isObject } from './kinds-of-values.ts'

/** @returns the values that the option takes, such as `true or false`, if `value` is not one of them */
export type OptionCheck = (value: unknown) => string | undefined

/**
 * The row of an option. `true` leaves the check to the code that uses the value. An {@link OptionCheck} checks the value itself. {@link KnownKeys}
 * are the rows of an object of options, {@link ListOf} is the row of a list, and {@link OrObject} allows other values besides an object.
 */
export type OptionRow = true | OptionCheck | KnownKeys | ListOf | OrObject

/** The rows of options by their names. The name `*` matches any name. */
export interface KnownKeys {
  readonly [key: string]: OptionRow
}

const flag: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** @param example A value that the option takes, for the message. */
const text =
  (example: string): OptionCheck =>
  (value) =>
    typeof value === 'string' ? undefined : `text, such as "${example}"`

/**
 * An address of any scheme, such as that of an app on a phone. `localhost:1337` has a scheme as well, so the slashes are asked for.
 *
 * @param example A value that the option takes, for the message.
 */
const url =
  (example: string): OptionCheck =>
  (value) =>
    typeof value === 'string' && value.includes('://') && URL.canParse(value)
      ? undefined
      : `a URL, such as "${example}"`

const texts =
  (example: string): OptionCheck =>
  (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? undefined
      : `a list of texts, such as ["${example}"]`

const oneOf =
  (...values: readonly string[]): OptionCheck =>
  (value) =>
    values.some((one) => one === value) ? undefined : values.map((one) => `"${one}"`).join(' or ')

/** @param least The least number, 0 or 1. */
const wholeNumber =
  (least: number): OptionCheck =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least ? undefined : `a whole number from ${least}`

/** A number of milliseconds or entries that may be `Infinity`, for no bound. */
const bound: OptionCheck = (value) =>
  value === Number.POSITIVE_INFINITY
    ? undefined
    : wholeNumber(0)(value) && 'a whole number from 0, or Infinity'

/** A number of bytes or pixels. Computed ones may have a fraction (`1024 ** 2 / 3`), and `Infinity` is no bound. */
const size: OptionCheck = (value) => (typeof value === 'number' && value > 0 ? undefined : 'a number above 0')

const aFunction: OptionCheck = (value) => (typeof value === 'function' ? undefined : 'a function')

const functions: OptionCheck = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'function')
    ? undefined
    : 'a list of functions'

/** An object whose keys are those of another library, or of a project. */
const object: OptionCheck = (value) => (isObject(value) ? undefined : 'an object')

/** An object that code calls, such as a logger. */
const withMethods =
  (...names: readonly string[]): OptionCheck =>
  (value) => {
    const missing = names.filter((name) => !isObject(value) || typeof value[name] !== 'function')
    if (missing.length === 0) return undefined
    const those = missing.length < names.length ? ` (there is no ${missing.join(', ')})` : ''
    return `an object with the methods ${names.join(', ')}${those}`
  }

/** @param example A value that the option takes, for the message. */
const definitions =
  (example: string): OptionCheck =>
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every(isObject)
      ? undefined
      : `a list of definitions, or an object such as ${example}`

/** The row of a list: each value in it is of the row within. */
export class ListOf<Row extends OptionRow = OptionRow> {
  readonly row: Row
  constructor(row: Row) {
    this.row = row
  }
}

/** The row of an option that takes other values besides an object of options. */
export class OrObject<Keys extends KnownKeys = KnownKeys> {
  readonly check: OptionCheck
  readonly keys: Keys
  constructor(check: OptionCheck, keys: Keys) {
    this.check = check
    this.keys = keys
  }
}

const listOf = <const Row extends OptionRow>(row: Row): ListOf<Row> => new ListOf(row)
const orObject = <const Keys extends KnownKeys>(check: OptionCheck, keys: Keys): OrObject<Keys> =>
  new OrObject(check, keys)

/** One of several kinds of values. */
const either =
  (...checks: readonly OptionCheck[]): OptionCheck =>
  (value) => {
    const refusals = checks.map((check) => check(value))
    return refusals.includes(undefined) ? undefined : refusals.join(', or ')
  }

export const accepts = {
  flag,
  text,
  url,
  texts,
  oneOf,
  wholeNumber,
  bound,
  size,
  aFunction,
  functions,
  object,
  withMethods,
  definitions,
  either,
  listOf,
  orObject,
} as const
