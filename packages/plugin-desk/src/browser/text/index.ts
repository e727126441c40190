import { createContext, useContext } from 'react'
import { en, type Texts } from './en.ts'

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
    if (load) return load()
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

/** `today, 14:02`, `yesterday`, `18 November`, and with the year before this one. */
export function dayOf(time: string | undefined | null, { language }: Texts): string {
  if (!time) return ''
  const date = new Date(time)
  // Browsers differ in what they read as a day, such as a year of five digits.
  if (Number.isNaN(date.getTime())) return time
  const now = new Date()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const days = Math.floor((midnight - date.getTime()) / 86_400_000) + 1
  if (days === 0 || days === 1) {
    const day = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
    return days === 1 ? day : `${day}, ${clock(date, language)}`
  }
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    ...(date.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  }).format(date)
}

/** `2 March 2026, 09:00` */
export const momentOf = (time: string | undefined | null, { language }: Texts): string =>
  !time || Number.isNaN(Date.parse(time))
    ? (time ?? '')
    : new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
        dateStyle: 'long',
        timeStyle: 'short',
      }).format(new Date(time))

const clock = (date: Date, language: string): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeStyle: 'short' }).format(date)
