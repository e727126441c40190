/** Values of dates and times as inputs of browsers have them, in the time zone of the person. */

const two = (number: number): string => String(number).padStart(2, '0')

/**
 * The last days that the server stores, for the inputs. Browsers take years of six digits otherwise: a digit too many made a date that is none,
 * and the year had to be left by a key.
 */
export const lastDay = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59:59.999' } as const

/** `2026-03-02T08:00:00.000Z` as `2026-03-02T09:00` an hour further east. */
export function dateTimeText(value: unknown): string {
  const date = new Date(typeof value === 'string' ? value : Number.NaN)
  if (Number.isNaN(date.getTime())) return ''
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const seconds = date.getSeconds() > 0 ? `:${two(date.getSeconds())}` : ''
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}`
}

/**
 * @param before The value that is changed. In the hour that clocks show twice, the new value stays on the same side of the change as this one.
 * @returns null for an empty input
 */
export function fromDateTime(text: string, before?: unknown): string | null {
  const date = new Date(text)
  if (text === '' || Number.isNaN(date.getTime())) return null
  const former = new Date(typeof before === 'string' ? before : date)
  const minutes = former.getTimezoneOffset() - date.getTimezoneOffset()
  const other = new Date(date.getTime() + minutes * 60_000)
  const isShownTwice = dateTimeText(other.toJSON()) === dateTimeText(date.toJSON())
  return (isShownTwice ? other : date).toISOString()
}

/** Whether a text is a date without a time: `2026-03-02`. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/** Whether a text is a moment, with its time zone: `2026-03-02T08:00:00.000Z`. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text))

/** `09:30:00.000` as `09:30:00`. */
export const timeText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 8) : '')

export const fromTime = (text: string): string | null =>
  text === '' ? null : `${text.length === 5 ? `${text}:00` : text}.000`
