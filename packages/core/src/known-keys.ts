import { ConfigurationError } from '@octavo/database'
import { nearest } from './content-type/nearest.ts'

/** Names of options: `true` for a value, an object for the options within. The name `*` matches any name. */
export interface KnownKeys {
  readonly [key: string]: true | KnownKeys
}

/**
 * The known keys of the options `T`, so that an option without a row, and a row without an option, do not compile:
 * `{ ... } as const satisfies KeysOf<ServerOptions>`.
 */
export type KeysOf<T> = { readonly [K in keyof T]-?: true | KeysWithin<T[K]> }

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
 * Rejects unknown options: a misspelt option would silently have no effect.
 *
 * @param where The function of the options, such as `createServer`.
 * @throws ConfigurationError with every unknown name and the nearest known one.
 */
export function refuseUnknownKeys(given: object, known: KnownKeys, where: string): void {
  const unknown = unknownKeys(given, known, [])
  if (unknown.length > 0) throw new ConfigurationError(`${where}: ${unknown.join('; ')}`)
}

function unknownKeys(given: object, known: KnownKeys, path: readonly string[]): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const within = keysWithin(known, key)
    if (within !== undefined) return within === true ? [] : unknownWithin(value, within, [...path, key])
    // An option with the value `undefined` is treated as absent.
    if (value === undefined) return []
    return [`there is no option "${[...path, key].join('.')}"${hintFor(key, known)}`]
  })
}

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
      keys === true || key === '*'
        ? []
        : [
            ...Object.keys(keys).map((name) => [key, name]),
            ...pathsWithin(keys).map((path) => [key, ...path]),
          ],
    )
    .filter((path) => !path.includes('*'))

function keysWithin(known: KnownKeys, key: string): true | KnownKeys | undefined {
  if (Object.hasOwn(known, key)) return known[key]
  return Object.hasOwn(known, '*') ? known['*'] : undefined
}

/** The unknown keys of an object, or of each object in a list. */
function unknownWithin(value: unknown, known: KnownKeys, path: readonly string[]): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item, i) => unknownWithin(item, known, [...path, String(i)]))
  return typeof value === 'object' && value !== null ? unknownKeys(value, known, path) : []
}
