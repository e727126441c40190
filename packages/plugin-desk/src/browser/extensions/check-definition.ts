/** Checks the definitions of extension modules, which no compiler may have seen. */
import { isWords } from './registry.ts'

/** The check of a value. @returns what the value has to be; `undefined` for a valid one */
type Check = (value: unknown) => string | undefined

/** A check for each key of a definition. */
export type KeysOf<T> = { readonly [K in keyof T]-?: Check }

const must =
  (expected: string, accepts: (value: unknown) => boolean): Check =>
  (value) =>
    accepts(value) ? undefined : expected

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** A name is part of addresses and messages. */
export const name: Check = must('small letters, digits and hyphens, at most 60', (value) =>
  /^[a-z\d-]{1,60}$/.test(typeof value === 'string' ? value : ''),
)
export const names: Check = must('a name or a list of names', (value) => isText(value) || isList(value))
export const types: Check = must(
  'a list of the uids of content-types',
  (value) => value === undefined || isList(value),
)
export const words: Check = must('a text, or texts by language', isWords)
export const callable: Check = must('a function', (value) => typeof value === 'function')

/** @throws Error for a key that nothing reads, which would have no effect, and for a value that a key does not take */
export function checkDefinition<T extends { readonly name: string }>(one: T, keys: KeysOf<T>): void {
  const checks = new Map<string, Check>(Object.entries(keys))
  const label = isText(one?.name) ? one.name : 'a definition without a name'
  for (const key of Object.keys(one ?? {}))
    if (!checks.has(key))
      throw new Error(
        `${label} has a key "${key}", which is unknown; there are ${[...checks.keys()].join(', ')}`,
      )
  for (const [key, check] of checks) {
    const value: unknown = one?.[key as keyof T]
    const expected = check(value)
    if (expected === undefined) continue
    throw new Error(
      value === undefined
        ? `${label} has no ${key}`
        : `${label}: ${key} must be ${expected}, not ${JSON.stringify(value) ?? typeof value}`,
    )
  }
}
