import { checkDefinitions } from '@octavo/core/internal'
import { describe, expect, it } from 'vitest'
import { i18n } from './index.ts'

describe('The options of i18n', () => {
  it('have a list of locales: the letters of a text are none', () => {
    expect(() => checkDefinitions({ plugins: [i18n({ locales: 'en' as never })] })).toThrow(
      'i18n: locales must be a list of codes, such as ["en", "fr"], not "en"',
    )
  })
})
