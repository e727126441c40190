import { describe, expect, it } from 'vitest'
import { negotiate } from './negotiate.ts'

describe('negotiate', () => {
  it.each([
    ['fr', ['en', 'fr'], 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', ['en', 'fr'], 'fr'],
    ['en;q=0.5, de', ['en', 'de'], 'de'],
    ['fr', ['en', 'fr-CA'], 'fr-CA'],
    ['PT-br', ['pt', 'pt-BR'], 'pt-BR'],
    ['zh-Hant-TW', ['zh', 'en'], 'zh'],
    ['es', ['en', 'fr'], undefined],
    ['*', ['en', 'fr'], 'en'],
    ['en;q=0, *', ['en', 'fr'], 'fr'],
    ['fr;q=0', ['fr'], undefined],
    ['', ['en'], undefined],
    [';;;, q=1, en;q=x, \u0000', ['en'], undefined],
    [Array.from({ length: 21 }, (_, i) => (i === 20 ? 'en' : 'xx')).join(), ['en'], undefined],
  ])('"%s" among %j is %s', (header, locales, best) => {
    expect(negotiate(header, locales)).toBe(best)
  })
})
