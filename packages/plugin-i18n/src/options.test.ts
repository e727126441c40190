import { checkDefinitions } from '@octavo/core/internal'
import { checkServer } from '@octavo/server'
import { describe, expect, it } from 'vitest'
import { i18n } from './index.ts'

describe('The options of i18n', () => {
  it('have a list of locales: the letters of a text are none', () => {
    expect(() => checkDefinitions({ plugins: [i18n({ locales: 'en' as never })] })).toThrow(
      'i18n: locales must be a list of codes, such as ["en", "fr"], not "en"',
    )
  })

  it('have codes of languages', () => {
    const mistakes = {
      english: '"english" is no code of a language; did you mean "en"?',
      en_US: '"en_US" is no code of a language; did you mean "en-US"?',
      EN: '"EN" is no code of a language; did you mean "en"?',
      jp: '"jp" is no code of a language; did you mean "ja"?',
      '': '"" is no code of a language, such as "en" or "pt-BR"',
      'klingon!': '"klingon!" is no code of a language, such as "en" or "pt-BR"',
    }
    for (const [code, mistake] of Object.entries(mistakes))
      expect(() => checkDefinitions({ plugins: [i18n({ locales: ['en', code] })] })).toThrow(
        `i18n: locales[1]: ${mistake}`,
      )
    expect(() => checkDefinitions({ plugins: [i18n({ locales: ['en', 5 as never] })] })).toThrow(
      'i18n: locales[1]: 5 must be a text such as "pt-BR"',
    )
    expect(() => checkDefinitions({ plugins: [i18n({ defaultLocale: 'german' })] })).toThrow(
      'i18n: defaultLocale: "german" is no code of a language; did you mean "de"?',
    )
  })

  it('may have codes with a script or a region, and those of languages without a name in Node.js', () => {
    const locales = ['pt-BR', 'zh-Hans-CN', 'ar-001', 'ca-ES-VALENCIA', 'gsw', 'qaa']
    expect(() => checkServer({ plugins: [i18n({ locales })] })).not.toThrow()
  })
})
