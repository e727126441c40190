import { expect, it } from 'vitest'
import { dayOf, dirOf, joined, languageCodes, momentOf, type Texts, textsFor, within } from './index.ts'

const english = await textsFor(['en'])

/** Each text by its way, such as `filterWords.operators.$eq`. */
function textsOf(value: unknown, way = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[way, value]]
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, way === '' ? name : `${way}.${name}`),
  )
}

/** The words that stand for what is filled in, in no order; lower case, as English lowers some. */
const placeholders = ['qfirst', 'qsecond', 'qthird']

const filled = (text: unknown, values: readonly unknown[] = placeholders): string =>
  typeof text === 'function' ? String(text(...values)) : String(text)

/** Whether a text of English takes numbers in place of words. */
function takesNumbers(text: unknown): boolean {
  try {
    filled(text, [1, 1, 1])
    return true
  } catch {
    return false
  }
}

const placeholdersIn = (text: unknown): readonly string[] =>
  placeholders.filter((word) => filled(text).includes(word))

for (const code of languageCodes) {
  it(`${code} has the texts of English, each with the same placeholders, and none is empty`, async () => {
    const texts: Texts = await textsFor([code])
    expect(texts.language).toBe(code)
    const all = textsOf(texts)
    expect(all.map(([way]) => way).sort()).toEqual(
      textsOf(english)
        .map(([way]) => way)
        .sort(),
    )
    const wanted = new Map(textsOf(english))
    for (const [way, text] of all) {
      expect([way, typeof text]).toEqual([way, typeof wanted.get(way)])
      expect([way, ...placeholdersIn(text)]).toEqual([way, ...placeholdersIn(wanted.get(way))])
      const numbers = takesNumbers(wanted.get(way))
        ? [
            [0, 0, 0],
            [1, 1, 1],
          ]
        : []
      for (const values of [placeholders, ['', '', ''], ...numbers])
        expect(filled(text, values).trim(), way).not.toBe('')
    }
  })
}

/** Names in scripts of the other direction, by the language of the page. */
const strangers = (code: string): readonly string[] =>
  code === 'ar' ? ['qabc', 'qdef!', 'qghi'] : ['\u05d0\u05d1', '\u05d2\u05d3!', '\u0636\u0648']

it.each(languageCodes)('a name of the other direction is isolated in every sentence of %s', async (code) => {
  const names = strangers(code)
  for (const [way, text] of textsOf(await textsFor([code]))) {
    if (typeof text !== 'function') continue
    const words = filled(text, names)
    for (const name of names)
      if (words.includes(name))
        expect([way, words]).toEqual([way, expect.stringContaining(`\u2068${name}\u2069`)])
  }
})

it('names of the direction of the page, and lists whose names are isolated already, stay as they are', async () => {
  const arabic = await textsFor(['ar'])
  expect(english.unlink('100% (new)')).toBe('Remove 100% (new)')
  expect(english.unlink('\u202ename')).toBe('Remove \u2068\u202ename\u2069')
  expect(arabic.unlink('\u0636\u0648\u0621')).not.toContain('\u2068')
  expect(within('Ada', arabic)).toBe('\u2068Ada\u2069')
  const names = joined(['Ada', '\u05d0\u05d1'], english)
  expect(names).toBe('Ada, \u2068\u05d0\u05d1\u2069')
  expect(english.leftOfCopy(names)).toContain(`it: ${names}.`)
})

it('the first language of a person that there is wins, whatever the country, and English stands in', async () => {
  const languageOf = async (...wanted: string[]) => (await textsFor(wanted)).language
  expect(await languageOf('pt-BR', 'fr-CA', 'de')).toBe('fr')
  expect(await languageOf('es-419')).toBe('es')
  expect(await languageOf('ja-JP')).toBe('ja')
  expect(await languageOf('pt-BR')).toBe('en')
  expect(await languageOf()).toBe('en')
})

it('a day that browsers cannot read is shown as it is', () => {
  expect(dayOf('of no year', english)).toBe('of no year')
  expect(momentOf('of no year', english)).toBe('of no year')
  expect(dayOf('2020-03-02', english)).toContain('2020')
})

it.each(languageCodes)(
  'a button of %s that has another name for screen readers keeps in it the words that it shows',
  async (code) => {
    // Who speaks to the computer says the words that are seen (WCAG 2.5.3).
    const { takeOver, takeOverOf, endToken, endTokenOf } = await textsFor([code])
    for (const [shown, name] of [
      [takeOver, takeOverOf('A', 'B')],
      [endToken, endTokenOf('A')],
    ] as const)
      expect(name.toLowerCase()).toContain(shown.toLowerCase())
  },
)

it('a text begins at the side of its first letter, a long one without the search of the browser', () => {
  const line = '1. \n'
  expect([dirOf(''), dirOf(null), dirOf('short')]).toEqual([undefined, undefined, 'auto'])
  expect(dirOf(line.repeat(3_000))).toBe('ltr')
  expect(dirOf(`${line}light\n${'\u05d0\u05d5\u05e8\n'.repeat(3_000)}`)).toBe('ltr')
  expect(dirOf(`${line}\u05d0\u05d5\u05e8\n${'light\n'.repeat(3_000)}`)).toBe('rtl')
  expect(dirOf(`${line}\u0636\u0648\u0621\n${'light\n'.repeat(3_000)}`)).toBe('rtl')
})
