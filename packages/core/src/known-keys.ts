import { ConfigurationError } from '@octavo/database'
import { nearest } from './content-type/nearest.ts'
import { isObject, isPlain, kindOf } from './kinds-of-values.ts'
import {
  accepts,
  type KnownKeys,
  ListOf,
  type OptionCheck,
  type OptionRow,
  OrObject,
} from './option-values.ts'

/**
 * The known keys of the options `T`, so that an option without a row, a row without an option, and a row of another kind than its option do not
 * compile: `{ ... } as const satisfies KeysOf<ServerOptions>`.
 */
export type KeysOf<T> = { readonly [K in keyof T]-?: RowOf<NonNullable<T[K]>> }

type RowOf<V> = true | OptionCheck | RowOfList<V> | RowOfObject<V, ObjectIn<V>>

type RowOfList<V> = V extends readonly (infer Item)[] ? ListOf<RowOf<Item>> : never

type ObjectIn<V> = V extends readonly unknown[] | ((...args: never[]) => unknown) ? never : Extract<V, object>

type RowOfObject<V, O> = [O] extends [never]
  ? never
  : [Exclude<V, O>] extends [never]
    ? KeysWithin<O>
    : OrObject<KeysWithin<O>>

type KeysWithin<O> = O extends object
  ? string extends keyof O
    ? { readonly '*': RowOf<NonNullable<O[keyof O]>> }
    : KeysOf<O>
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
    const row = rowOf(known, key)
    return row === undefined
      ? [`there is no option "${name}"${hintFor(key, known)}`]
      : mistakesOf(value, row, [...path, key])
  })
}

function mistakesOf(value: unknown, row: OptionRow, path: readonly string[]): readonly string[] {
  if (row === true) return []
  if (row instanceof ListOf && Array.isArray(value))
    return value.flatMap((item, i) => mistakesOf(item, row.row, [...path, String(i)]))
  const keys = keysWithin(row)
  if (keys !== undefined && isObject(value)) return mistakesIn(value, keys, path)
  const taken = takenBy(row)(value)
  return taken === undefined ? [] : [`${path.join('.')} must be ${taken}, not ${shown(value, row)}`]
}

/** The rows within an object of options; none for a row of other values, or of a list. */
export function keysWithin(row: OptionRow): KnownKeys | undefined {
  if (row === true || typeof row === 'function' || row instanceof ListOf) return undefined
  return row instanceof OrObject ? row.keys : (row as KnownKeys) // the one kind that is left; a class is not told from an index signature
}

/** The check of values that are neither a list nor an object of options where the row has such. */
function takenBy(row: Exclude<OptionRow, true>): OptionCheck {
  if (typeof row === 'function') return row
  if (row instanceof ListOf) return () => 'a list'
  const names = Object.keys(keysWithin(row) ?? {}).filter((name) => name !== '*')
  const object = names.length > 0 ? `an object with ${names.join(', ')}` : 'an object'
  return row instanceof OrObject ? accepts.either(row.check, () => object) : () => object
}

/**
 * A value in a message, without the password of an address, and not to its end; JSON has no `NaN` and no functions. Where options belong, a text
 * may be one of them that is secret, so its kind is shown; so is that of objects of another class, which may refer to themselves.
 */
function shown(value: unknown, row: OptionRow): string {
  if (typeof row !== 'function') return kindOf(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (isObject(value) && !isPlain(value)) return `a ${value.constructor.name}`
  const text = JSON.stringify(value)?.replace(/:\/\/[^@/\s"]*@/g, '://…@') ?? kindOf(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
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
    .flatMap(([key, row]) => {
      const keys = keysWithin(row instanceof ListOf ? row.row : row)
      if (keys === undefined || key === '*') return []
      return [
        ...Object.keys(keys).map((name) => [key, name]),
        ...pathsWithin(keys).map((path) => [key, ...path]),
      ]
    })
    .filter((path) => !path.includes('*'))

function rowOf(known: KnownKeys, key: string): OptionRow | undefined {
  if (Object.hasOwn(known, key)) return known[key]
  return Object.hasOwn(known, '*') ? known['*'] : undefined
}
