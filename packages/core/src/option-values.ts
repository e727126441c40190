/** The values that options take, for the tables of their names (`known-keys.ts`). */

/** @returns the values that the option takes, such as `true or false`, if `value` is none of them */
export type OptionCheck = (value: unknown) => string | undefined

const flag: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** @param example A value that the option takes, for the message. */
const text =
  (example: string): OptionCheck =>
  (value) =>
    typeof value === 'string' ? undefined : `text, such as "${example}"`

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

const functions: OptionCheck = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'function')
    ? undefined
    : 'a list of functions'

/** One of several kinds of values. */
const either =
  (...checks: readonly OptionCheck[]): OptionCheck =>
  (value) => {
    const refusals = checks.map((check) => check(value))
    return refusals.includes(undefined) ? undefined : refusals.join(', or ')
  }

export const accepts = { flag, text, texts, oneOf, wholeNumber, bound, size, functions, either } as const
