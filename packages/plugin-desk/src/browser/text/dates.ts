/** Days and times in the words of a language. */
import { serverTime } from '../requests/server-time.ts'
import type { Texts } from './en.ts'

/** The formats by language and name: a slow machine takes 20 ms to make one, and a list has one in each row. */
const made = new Map<string, Intl.DateTimeFormat>()

const options = {
  day: { day: 'numeric', month: 'long' },
  dayOfYear: { day: 'numeric', month: 'long', year: 'numeric' },
  date: { day: 'numeric', month: 'long', timeZone: 'UTC' },
  dateOfYear: { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  clock: { timeStyle: 'short' },
  moment: { dateStyle: 'long', timeStyle: 'short' },
  shortMoment: { dateStyle: 'medium', timeStyle: 'short' },
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

const aDay = 86_400_000

/** The number of a day of the calendar, of which none is longer or shorter than others, as days are when clocks are changed. */
const numberOf = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / aDay

const localDay = (date: Date): number => numberOf(date.getFullYear(), date.getMonth(), date.getDate())

/** `today, 14:02`, `yesterday`, `18 November`, and with the year before this one, in the time zone of the person and by the clock of the server. */
export function dayOf(time: string | undefined | null, { language }: Texts): string {
  if (!time) return ''
  const date = new Date(time)
  // Browsers differ in what they read as a day, such as a year of five digits.
  if (Number.isNaN(date.getTime())) return time
  const now = serverTime()
  const days = localDay(now) - localDay(date)
  if (days === 0) return `${daysAgo(days, language)}, ${formatOf('clock', language).format(date)}`
  if (days === 1) return daysAgo(days, language)
  return formatOf(date.getFullYear() === now.getFullYear() ? 'day' : 'dayOfYear', language).format(date)
}

/** `today`, `yesterday` and `18 November`, of a day without a time, such as `2026-11-18`. It is the same day in each time zone. */
export function dateOf(day: string, { language }: Texts): string {
  const date = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(day) : new Date(Number.NaN)
  if (Number.isNaN(date.getTime())) return day
  const now = serverTime()
  const days = localDay(now) - date.getTime() / aDay
  if (days === 0 || days === 1) return daysAgo(days, language)
  return formatOf(date.getUTCFullYear() === now.getFullYear() ? 'date' : 'dateOfYear', language).format(date)
}

/** `14:02` */
export const clockOf = (milliseconds: number, { language }: Texts): string =>
  formatOf('clock', language).format(milliseconds)

/** `2 March 2026, 09:00` @param length With the month in letters, or as short as the language writes it. Default `moment`. */
export const momentOf = (
  time: string | undefined | null,
  { language }: Texts,
  length: 'moment' | 'shortMoment' = 'moment',
): string =>
  !time || Number.isNaN(Date.parse(time)) ? (time ?? '') : formatOf(length, language).format(new Date(time))
