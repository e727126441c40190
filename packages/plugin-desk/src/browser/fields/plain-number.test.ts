import { expect, it } from 'vitest'
import { plainNumber } from './plain-number.ts'

it.each([
  ['4,5', 'de', '4.5'],
  ['-1,250 ', 'fr', '-1.250'],
  [',5', 'es', '.5'],
  ['4.5', 'de', '4.5'],
  ['1.234,5', 'de', '1.234,5'],
  ['1,234,5', 'de', '1,234,5'],
  ['4,5', 'en', '4,5'],
  ['4,5', 'ja', '4,5'],
  ['\uff14\uff0e\uff15', 'ja', '4.5'],
  ['about 4', 'de', 'about 4'],
])('%j, in a page in %s, means %j', (typed, language, plain) => {
  expect(plainNumber(typed, language)).toBe(plain)
})
