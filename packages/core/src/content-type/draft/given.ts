/** Values of a definition as they were given. */

export type Plain = Readonly<Record<string, unknown>>

/** `null` is treated as absent: the reference's editor writes it. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const isListOfTexts = (given: unknown): given is readonly string[] =>
  Array.isArray(given) && given.every((name) => typeof name === 'string')
