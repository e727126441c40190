import { isObject } from '@octavo/core/internal'
import { Unreadable } from './unreadable.ts'

type Json = Readonly<Record<string, unknown>>

/** Whether a value of the project's code is an object that was evaluated. */
export const isPlainObject = (value: unknown): value is Json =>
  isObject(value) && !(value instanceof Unreadable)

/** Whether an object has any key. */
export const hasAny = (value: unknown): boolean => isPlainObject(value) && Object.keys(value).length > 0

/** Without the keys whose value is `undefined`. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // The type differs only in the removed `undefined` values.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
