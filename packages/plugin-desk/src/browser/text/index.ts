import { createContext, useContext } from 'react'
import { fileOf } from '../older-page.ts'
import { en, type Texts } from './en.ts'

export { clockOf, dayOf, momentOf } from './dates.ts'
export type { Texts } from './en.ts'

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
    if (load) return fileOf(load)
  }
  return en
}

const fromRightToLeft: readonly string[] = ['ar']

/** For fields of text: the side at which a value begins, by its first letters; an empty one begins as the page does. */
export const dirOf = (value: unknown): 'auto' | undefined =>
  value === undefined || value === null || value === '' ? undefined : 'auto'

/** The side at which the lines of a language begin. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  fromRightToLeft.includes(language) ? 'rtl' : 'ltr'

export const TextContext = createContext<Texts>(en)

export const useText = (): Texts => useContext(TextContext)
