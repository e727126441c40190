/**
 * Days of the Julian calendar, as the records before 1582 (in Britain before 1752) have them, in the Gregorian one.
 *
 *     dayOf('1775-12-16')               → 1775-12-16
 *     dayOf({ julian: '1616-04-23' })   → 1616-05-03
 *     dayOf(undefined)                  → null
 */
export function dayOf(day) {
  if (day === undefined) return null
  if (typeof day === 'string') return checked(day)
  const [year, month, date] = checked(day.julian).split('-').map(Number)
  // The calendars drift apart in the leap days of centuries, so January and February still have last year's difference.
  const days = differenceOf(month < 3 ? year - 1 : year)
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10)
}

/** The year of the day, as its own record has it. */
export function yearOf(day) {
  if (day === undefined) return null
  return Number((typeof day === 'string' ? day : day.julian).slice(0, 4))
}

/** Days by which the Gregorian calendar is ahead, from March of the year on. */
function differenceOf(year) {
  const century = Math.floor(year / 100)
  return century - Math.floor(century / 4) - 2
}

function checked(day) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`"${day}" is not a day, like 1775-12-16`)
  return day
}
