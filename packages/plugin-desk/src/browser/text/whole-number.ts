const formats = new Map<string, Intl.NumberFormat>()

/**
 * A whole number in a language that has the digits of `String`: `1,000`. Most numbers are below, and need no format, which takes a slow
 * machine 0.1 s to make.
 */
export function wholeNumber(count: number, language: string): string {
  // Tests of the texts fill in words, which stay words.
  if (!(count >= 1_000)) return String(count)
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format.format(count)
}
