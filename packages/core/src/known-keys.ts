import { ConfigurationError } from '@octavo/database'
import { nearest } from './content-type/nearest.ts'
import type { OptionCheck } from './option-values.ts'

/**
 * Names of options: the check of a value, `true` for a value that is checked where it is used, an object for the options within. The name
 * `*` matches any name.
 */
export interface KnownKeys {
  readonly [key: string]: true | OptionCheck | KnownKeys
}

/**
 * The known keys of the options `T`, so that an option without a row, and a row without an option, do not compile:
 * `{ ... } as const satisfies KeysOf<ServerOptions>`.
 */
export type KeysOf<T> = { readonly [K in keyof T]-?: true | OptionCheck | KeysWithin<T[K]> }

type KeysWithin<V> = V extends (...args: never[]) => unknown
  ? never
  : V extends readonly (infer Item)[]
    ? KeysWithin<Item>
    : V extends object
      ? string extends keyof V
        ? { readonly '*': KeysWithin<V[keyof V]> }
        : KeysOf<V>
      : never

/**
 * Rejects unknown options, which would silently have no effect, and values that an option does not take: the types of a configuration are
 * checked by an editor at most.
 *
 * @param where The function of the options, such as `createServer`.
 * @throws ConfigurationError with every unknown name and the nearest known one, and every wrong value.
 */
export function checkOptions(given: object, known: KnownKeys, where: string): void {
  const mistakes = mistakesIn(given, known, [])
  if (mistakes.length > 0) throw new ConfigurationError(`${where}: ${mistakes.join('; ')}`)
}

function mistakesIn(given: object, known: KnownKeys, path: readonly string[]): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    // An option with the value `undefined` is treated as absent.
    if (value === undefined) return []
    const name = [...path, key].join('.')
    const within = keysWithin(known, key)
    if (within === undefined) return [`there is no option "${name}"${hintFor(key, known)}`]
    if (within === true) return []
    if (typeof within !== 'function') return mistakesWithin(value, within, [...path, key])
    const taken = within(value)
    return taken === undefined ? [] : [`${name} must be ${taken}, not ${shown(value)}`]
  })
}

/** A value in a message, without the password of an address; JSON has no `NaN` and no functions. */
const shown = (value: unknown): string =>
  typeof value === 'number'
    ? String(value)
    : (JSON.stringify(value)?.replace(/:\/\/[^@/\s"]*@/g, '://…@') ?? `a ${typeof value}`)

/** The option of a place within that has the name, the nearest one here or within, or all options of this place. */
function hintFor(key: string, known: KnownKeys): string {
  const here = Object.keys(known)
  const within = new Map(pathsWithin(known).map((path) => [path.at(-1) ?? '', path.join('.')] as const))
  const meant = within.get(key) ?? nearest(key, here) ?? within.get(nearest(key, within.keys()) ?? '')
  return meant === undefined ? `; there are ${here.join(', ')}` : `; did you mean "${meant}"?`
}

/** The paths of the options within others. Below any name of `*` there is no path to tell. */
const pathsWithin = (known: KnownKeys): readonly (readonly string[])[] =>
  Object.entries(known)
    .flatMap(([key, keys]) =>
      keys === true || typeof keys === 'function' || key === '*'
        ? []
        : [
            ...Object.keys(keys).map((name) => [key, name]),
            ...pathsWithin(keys).map((path) => [key, ...path]),
          ],
    )
    .filter((path) => !path.includes('*'))

function keysWithin(known: KnownKeys, key: string): KnownKeys[string] | undefined {
  if (Object.hasOwn(known, key)) return known[key]
  return Object.hasOwn(known, '*') ? known['*'] : undefined
}

/** The mistakes in an object, or in each object of a list. */
function mistakesWithin(value: unknown, known: KnownKeys, path: readonly string[]): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item, i) => mistakesWithin(item, known, [...path, String(i)]))
  return typeof value === 'object' && value !== null ? mistakesIn(value, known, path) : []
}
