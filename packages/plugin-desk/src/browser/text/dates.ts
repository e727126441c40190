/** Days and times in the words of a language. */
import type { Texts } from './en.ts'

/** The formats by language and name: a slow machine takes 20 ms to make one, and a list has one in each row. */
const made = new Map<string, Intl.DateTimeFormat>()

const options = {
  day: { day: 'numeric', month: 'long' },
  dayOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  clock: { timeStyle: 'short' },
  moment: { dateStyle: 'long', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

function formatOf(name: keyof typeof options, language: string): Intl.DateTimeFormat {
  const key = `${language} ${name}`
  const format =
    made.get(key) ?? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options[name])
  made.set(key, format)
  return format
}

const relative = new Map<string, Intl.RelativeTimeFormat>()

/** `today` and `yesterday`. */
function daysAgo(days: number, language: string): string {
  const format = relative.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  relative.set(language, format)
  return format.format(-days, 'day')
}

/** `today, 14:02`, `yesterday`, `18 November`, and with the year before this one. */
export function dayOf(time: string | undefined | null, { language }: Texts): string {
  if (!time) return ''
  const date = new Date(time)
  // Browsers differ in what they read as a day, such as a year of five digits.
  if (Number.isNaN(date.getTime())) return time
  const now = new Date()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const days = Math.floor((midnight - date.getTime()) / 86_400_000) + 1
  if (days === 0) return `${daysAgo(days, language)}, ${formatOf('clock', language).format(date)}`
  if (days === 1) return daysAgo(days, language)
  return formatOf(date.getFullYear() === now.getFullYear() ? 'day' : 'dayOfYear', language).format(date)
}

/** `14:02` */
export const clockOf = (milliseconds: number, { language }: Texts): string =>
  formatOf('clock', language).format(milliseconds)

/** `2 March 2026, 09:00` */
export const momentOf = (time: string | undefined | null, { language }: Texts): string =>
  !time || Number.isNaN(Date.parse(time)) ? (time ?? '') : formatOf('moment', language).format(new Date(time))
