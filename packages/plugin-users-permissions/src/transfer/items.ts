import type { Octavo } from '@octavo/core'
import { isObject } from '@octavo/core/internal'
import { type Channel, isId } from '@octavo/core/plugin'
import type { Change } from '../changes.ts'

/** The running octavo, for sections, which are declared before it starts. */
export interface SectionContext {
  readonly octavo: () => Octavo
  readonly changes: () => Channel<Change>
}

export type Item = Readonly<Record<string, unknown>>

/** @throws Error with the place of a value that is not an object. */
export function readItem(item: unknown, at: string): Item {
  if (isObject(item)) return item
  throw new Error(`${at} must be an object`)
}

/** @throws Error that names the place. */
export function idOf({ id }: Item, at: string): number {
  if (isId(id)) return id
  throw new Error(`${at}.id must be a whole number from 1`)
}

/** @throws Error for an empty text and for other values. */
export function text(item: Item, name: string, at: string): string {
  const value = item[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`${at}.${name} must be a text`)
}

/** A text or `null`, as an export has it. @throws Error for an empty text, an absent value and other values. */
export const textOrNull = (item: Item, name: string, at: string): string | null =>
  item[name] === null ? null : text(item, name, at)

/** `null` for an absent value. @throws Error for values other than texts. */
export function optionalText(item: Item, name: string, at: string): string | null {
  const value = item[name]
  if (value === undefined || value === null) return null
  return text(item, name, at)
}

/** `false` for an absent value. @throws Error for values other than true and false, which may mean either. */
export function flag(item: Item, name: string, at: string): boolean {
  const value = item[name] ?? false
  if (typeof value === 'boolean') return value
  throw new Error(`${at}.${name} must be true or false`)
}

/** An ISO date, or `null` for an absent value. @throws Error for any other text. */
export function date(item: Item, name: string, at: string): string | null {
  const value = optionalText(item, name, at)
  if (value !== null && Number.isNaN(Date.parse(value))) throw new Error(`${at}.${name} must be an ISO date`)
  return value
}
