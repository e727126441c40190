/** Maximum ranges of a header that are read. */
const maxRanges = 20

/**
 * The best of the locales for an `Accept-Language` header; `undefined` when none is acceptable. A range matches a more
 * specific locale first, then a less specific one: `fr` matches `fr-CA`, and `fr-CH` matches `fr`. Of equal matches
 * the first is taken.
 *
 *     'fr-CH, en;q=0.8'  of en, fr  → fr
 *     'de;q=0, *'        of de, en  → en
 *
 * Source: RFC 9110, 12.5.4; RFC 4647, 3.3 and 3.4.
 */
export function negotiate(header: string, locales: readonly string[]): string | undefined {
  const ranges = header
    .split(',', maxRanges)
    .map(readRange)
    .filter((range) => range !== undefined)
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag))
  const open = locales.filter((locale) => !refused.has(locale.toLowerCase()))
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of accepted) {
    const found = tag === '*' ? open[0] : lookUp(tag, open)
    if (found !== undefined) return found
  }
  return undefined
}

interface Range {
  /** In lower case. */
  readonly tag: string
  /** From 0, not wanted, to 1. */
  readonly weight: number
}

function readRange(text: string): Range | undefined {
  const match = /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(
    text,
  )
  if (!match) return undefined
  return { tag: String(match[1]).toLowerCase(), weight: Math.min(1, Number(match[2] ?? 1)) }
}

function lookUp(range: string, locales: readonly string[]): string | undefined {
  const among = (fits: (code: string) => boolean): string | undefined =>
    locales.find((locale) => fits(locale.toLowerCase()))
  for (let tag = range; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = among((code) => code === tag) ?? among((code) => code.startsWith(`${tag}-`))
    if (found !== undefined) return found
  }
  return undefined
}
