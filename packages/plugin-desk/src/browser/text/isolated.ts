/** Names within sentences: one in a script of the other direction moves neither the words beside it nor the signs at its ends. */
import type { Texts } from './en.ts'

/** Letters of the scripts that are written from right to left. */
export const fromTheRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u

const fromTheLeft =
  /(?=\p{L})[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1eeff}]/u

/** Characters that are not seen and turn the direction of what follows. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const [begin, end] = ['\u2068', '\u2069']

/** Names that are isolated already, as those of a list are. */
const isolates = /\u2068[^\u2068\u2069]*\u2069/g

/** A name with the characters that isolate it, where it has letters of the other direction. */
export function isolated(name: string, direction: 'ltr' | 'rtl'): string {
  const open = name.replaceAll(isolates, '')
  const isTurned = (direction === 'rtl' ? fromTheLeft : fromTheRight).test(open) || turning.test(open)
  return isTurned ? `${begin}${name}${end}` : name
}

function within(value: unknown, direction: 'ltr' | 'rtl'): unknown {
  if (typeof value === 'function')
    return (...all: readonly unknown[]) =>
      value(...all.map((one) => (typeof one === 'string' ? isolated(one, direction) : one)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one, direction)]))
}

/** The texts of a language whose sentences isolate the names that are put into them. */
export const isolating = (texts: Texts, direction: 'ltr' | 'rtl'): Texts => within(texts, direction) as Texts // of the same form
