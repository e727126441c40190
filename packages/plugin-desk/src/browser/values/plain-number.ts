/** The types of attributes whose values are typed as numbers. */
export const numberTypes: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal'])

/** Whether numbers of a language have a comma before their fraction: `4,5`. */
const hasDecimalComma = (language: string): boolean =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')

const isDigit = (codePoint: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(codePoint))

/** `٤` and `४` as `4`: each script has its ten digits in a row. */
function plainDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(codePoint - before - 1)) before += 1
  return String(before % 10)
}

/** Thousands divided by spaces or apostrophes, which divide nothing else. */
const ofSpaces = /^[-+]?[1-9]\d{0,2}(?:[ '’]\d{3})+(?:[.,]\d+)?$/
/** Thousands divided by points or commas, of which one sign alone may stand before a fraction as well. */
const ofPoints = /^[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:\.\d{3}|,\d+)$/
const ofCommas = /^[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:,\d{3}|\.\d+)$/

/**
 * The text of a number as programs write it. Digits may be those of any script. One comma is a decimal comma where the language of the page
 * has it. Thousands may be divided, as in tables of other programs, where it is plain that they are; other texts stay as they are.
 *
 *     plainNumber(' 4,5', 'de') // '4.5'
 *     plainNumber('1.234,5', 'de') // '1234.5'
 */
export function plainNumber(text: string, language: string): string {
  const written = text
    .normalize('NFKC')
    .trim()
    .replaceAll(/\p{Nd}/gu, plainDigit)
    .replace(/^\u2212/, '-')
    .replace('\u066b', '.')
    .replaceAll('\u066c', ' ')
  const plain = ofSpaces.test(written) ? written.replaceAll(/[ '’]/g, '') : written
  if (!hasDecimalComma(language)) return ofCommas.test(plain) ? plain.replaceAll(',', '') : plain
  const undivided = ofPoints.test(plain) ? plain.replaceAll('.', '') : plain
  return /^[-+]?\d*,\d+$/.test(undivided) ? undivided.replace(',', '.') : undivided
}
