/** Whether numbers of a language have a comma before their fraction: `4,5`. */
const hasDecimalComma = (language: string): boolean =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')

/**
 * The text of a number as programs write it. Digits may have the width of Chinese and Japanese letters. One comma is a decimal comma where
 * the language of the page has it; with a point besides, or in another language, it may divide thousands, so the text stays as it is.
 *
 *     plainNumber(' 4,5', 'de') // '4.5'
 */
export function plainNumber(text: string, language: string): string {
  const plain = text.normalize('NFKC').trim()
  return /^[-+]?\d*,\d+$/.test(plain) && hasDecimalComma(language) ? plain.replace(',', '.') : plain
}
