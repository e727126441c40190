/** The largest id that a table can hold. */
const maxId = 2_147_483_647

/** Whether a value is a number that can be the id of an entry: a whole number from 1 to 2,147,483,647. */
export const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxId

/**
 * Reads the id of an entry from text, such as a part of a path: decimal digits only, at most ten, from 1 to
 * 2,147,483,647. `undefined` for any other value: `1e3`, `+1`, `1.0`, ` 1`, a number that is not text.
 */
export function readId(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return undefined
  const id = Number(text)
  return isId(id) ? id : undefined
}
