import { createContext, useContext } from 'react'
import { fileOf } from '../requests/older-page.ts'
import { en, type Texts } from './en.ts'
import { fromTheRight, isolated, isolating } from './isolated.ts'

export { clockOf, dateOf, dayOf, momentOf } from './dates.ts'
export type { Texts } from './en.ts'
export { beginningOf, firstLetters, isBlank } from './letters.ts'

/** The languages of the pages by their codes; each is loaded when it is used. */
const languages: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ja: async () => (await import('./ja.ts')).ja,
  ar: async () => (await import('./ar.ts')).ar,
}

export const languageCodes: readonly string[] = Object.keys(languages)

/** The texts in the first of some languages that there is. @param wanted Codes such as `de` and `pt-BR` */
export async function textsFor(wanted: readonly string[]): Promise<Texts> {
  for (const code of wanted) {
    const load = languages[code] ?? languages[code.split('-')[0] ?? '']
    if (load) return withIsolates(await fileOf(load))
  }
  return withIsolates(en)
}

const isolatingTexts = new Map<string, Texts>()

/** The texts of a language with isolated names, made once: another object would draw all parts of the page again. */
function withIsolates(texts: Texts): Texts {
  const known = isolatingTexts.get(texts.language) ?? isolating(texts, directionOf(texts.language))
  isolatingTexts.set(texts.language, known)
  return known
}

const fromRightToLeft: readonly string[] = ['ar']

/** Letters of a text from which on the page finds the side itself: with `auto`, Chromium reads the whole text again for each of its lines. */
const long = 10_000

/** For fields of text: the side at which a value begins, by its first letter; an empty one begins as the page does. */
export function dirOf(value: unknown): 'auto' | 'ltr' | 'rtl' | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const text = String(value)
  if (text.length < long) return 'auto'
  const [first = ''] = /\p{L}/u.exec(text) ?? []
  return fromTheRight.test(first) ? 'rtl' : 'ltr'
}

/** The side at which the lines of a language begin. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  fromRightToLeft.includes(language) ? 'rtl' : 'ltr'

/** A name as a part of a sentence that is put together outside of the texts. */
export const within = (name: string, { language }: Pick<Texts, 'language'>): string =>
  isolated(name, directionOf(language))

/** Names in one line, each isolated. */
export const joined = (names: readonly string[], text: Texts): string =>
  names.map((name) => within(name, text)).join(text.comma)

export const TextContext = createContext<Texts>(en)

export const useText = (): Texts => useContext(TextContext)
