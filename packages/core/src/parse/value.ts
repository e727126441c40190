import type { RawValue } from './raw.ts'

export type RawObject = { readonly [key: string]: RawValue }

/** Unlike `Array.isArray`, narrows to a readonly list. */
export const isList = (value: RawValue): value is readonly RawValue[] => Array.isArray(value)

/**
 * Whether a key is the index of a list element: a whole number of up to nine digits. An object lists such keys before
 * all others and in ascending order, so its entries come in the list's order. An object with index keys and other
 * keys results from mixing a list and brackets, as in `populate[0]=cover&populate[seo]=true`.
 */
export const isIndex = (key: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(key)

/** The element of a list that has only one, `[page][]=2` or `[page][0]=2`; any other value is returned unchanged. */
export function unwrapped(value: RawValue): RawValue {
  const [only] = isList(value) ? value : []
  return isList(value) && value.length === 1 && only !== undefined ? only : value
}

/** The elements of a list, by their index, or the entries of an object. */
export const entriesOf = (value: readonly RawValue[] | RawObject): [string, RawValue][] =>
  Object.entries(value)

/** Maximum characters of a value in a message. */
const shownLength = 100

/** Formats a value for a message. */
export function shown(value: RawValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`
}

/** Parses a boolean: `true`, `1`, `t` and `false`, `0`, `f`, in lower case; `undefined` for any other value. */
export function readYesNo(value: RawValue): boolean | undefined {
  switch (value) {
    case 'true':
    case '1':
    case 't':
      return true
    case 'false':
    case '0':
    case 'f':
      return false
    default:
      return undefined
  }
}
