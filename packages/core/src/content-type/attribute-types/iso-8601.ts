/**
 * Strict parsers of ISO 8601: `Date.parse` accepts other formats, and turns February 30 into March 1.
 * Years are 0001 to 9999. All parsers take linear time.
 */

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

/** `0001-01-01T00:00:00.000Z` and `9999-12-31T23:59:59.999Z`, in milliseconds. */
const earliest = midnight(1, 1, 1)
const latest = midnight(9999, 12, 31) + day - 1

/**
 * The date of an ISO date or date-time, as written, without conversion between zones: `2024-02-29`.
 * `undefined` for any other text, or a day that does not exist.
 *
 *     2024-02-29                    → 2024-02-29
 *     2024-02-29T23:30:00-05:00     → 2024-02-29
 */
export function readDate(text: string): string | undefined {
  const date = text.slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || readDay(date) === undefined) return undefined
  return text.length === 10 || (/^[Tt ]/.test(text.slice(10)) && readClock(text.slice(11)) !== undefined)
    ? date
    : undefined
}

/**
 * `HH:mm:ss` with an optional fraction, which is truncated to milliseconds: `01:13:00.25`. `undefined` for any other text.
 * Truncated, not rounded: 23:59:59.9999 would round to 24:00.
 */
export function readTime(text: string): string | undefined {
  const match = /^(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) return undefined
  const [, clock = '', fraction = ''] = match
  const [h, m, s] = clock.split(':').map(Number)
  if (!isBelow(h, 24) || !isBelow(m, 60) || !isBelow(s, 60)) return undefined
  return fraction ? `${clock}.${fraction.slice(0, 3)}` : clock
}

/**
 * A moment, in milliseconds since 1970. Without a zone it is UTC.
 *
 *     2024 · 2024-02 · 2024-02-29 · 20240229 · 2024-060 · 2024-W09-4
 *     2024-02-29T10 · 2024-02-29 10:30 · 2024-02-29T10:30:00.5Z · 20240229T103000+0200
 *     1709200800000 (any other run of digits, with or without a minus)
 *
 * A space before a zone is parsed as a plus: clients often do not encode it.
 */
export function readInstant(text: string): number | undefined {
  if (/^-?\d{1,16}$/.test(text) && !/^(\d{4}|\d{8})$/.test(text)) return within(Number(text))
  const split = text.search(/[Tt ]/)
  const date = readDay(split < 0 ? text : text.slice(0, split))
  const clock = split < 0 ? 0 : readClock(text.slice(split + 1))
  return date === undefined || clock === undefined ? undefined : within(date + clock)
}

const within = (instant: number): number | undefined =>
  instant >= earliest && instant <= latest ? instant : undefined

/** The start of a day, in milliseconds since 1970. */
function readDay(text: string): number | undefined {
  const calendar = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (calendar) return fromCalendar(Number(calendar[1]), Number(calendar[2] ?? 1), Number(calendar[3] ?? 1))
  const ordinal = /^(\d{4})-(\d{3})$/.exec(text)
  if (ordinal) return fromOrdinal(Number(ordinal[1]), Number(ordinal[2]))
  const week = /^(\d{4})(-?)W(\d\d)(?:\2([1-7]))?$/.exec(text)
  return week ? fromWeek(Number(week[1]), Number(week[3]), Number(week[4] ?? 1)) : undefined
}

function fromCalendar(y: number, m: number, d: number): number | undefined {
  if (y < 1 || m < 1 || m > 12 || d < 1) return undefined
  const instant = midnight(y, m, d)
  // `Date.UTC` turns a day that does not exist into one of the next month.
  return new Date(instant).getUTCMonth() === m - 1 ? instant : undefined
}

function fromOrdinal(y: number, n: number): number | undefined {
  const instant = midnight(y, 1, n)
  return y >= 1 && n >= 1 && new Date(instant).getUTCFullYear() === y ? instant : undefined
}

/** ISO weeks begin on Monday and belong to the year of their Thursday; week 1 contains January 4. */
function fromWeek(y: number, week: number, weekday: number): number | undefined {
  const january4 = midnight(y, 1, 4)
  const firstMonday = january4 - ((new Date(january4).getUTCDay() + 6) % 7) * day
  const monday = firstMonday + (week - 1) * 7 * day
  return y >= 1 && week >= 1 && new Date(monday + 3 * day).getUTCFullYear() === y
    ? monday + (weekday - 1) * day
    : undefined
}

/** Not `Date.UTC` alone, which interprets the years 0 to 99 as 1900 to 1999. */
function midnight(y: number, m: number, d: number): number {
  return new Date(0).setUTCFullYear(y, m - 1, d)
}

/** Milliseconds since midnight in UTC: negative or over a day with a zone. 24:00 is the end of the day. */
function readClock(text: string): number | undefined {
  const match =
    /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d{1,9}))?)?)?(?:[Zz]|([+\- ])(\d\d)(?::?(\d\d))?)?$/.exec(text)
  if (!match) return undefined
  const [, h, , m = '0', s = '0', fraction = '', sign, zoneHours = '0', zoneMinutes = '0'] = match
  const time =
    Number(h) * hour + Number(m) * minute + Number(s) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (!isBelow(Number(m), 60) || !isBelow(Number(s), 60) || time > day) return undefined
  if (!isBelow(Number(zoneHours), 24) || !isBelow(Number(zoneMinutes), 60)) return undefined
  const zone = Number(zoneHours) * hour + Number(zoneMinutes) * minute
  return sign === '-' ? time + zone : time - zone
}

const isBelow = (value: number | undefined, bound: number): boolean => value !== undefined && value < bound
