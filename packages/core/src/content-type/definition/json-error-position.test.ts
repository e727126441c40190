import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonErrorPosition, jsonErrorText } from './json-error-position.ts'

it.each([
  ['', 1, 1, 'a value'],
  ['{', 1, 2, 'a comma or the closing bracket'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes and a colon'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or the closing bracket'],
  ['[1, 2', 1, 6, 'a comma or the closing bracket'],
  ["{'a': 1}", 1, 2, 'a value'],
  ['{"a" 1}', 1, 6, 'a colon'],
  ['{"a": tru}', 1, 7, 'a value'],
  ['{"a": 01}', 1, 8, 'a comma or the closing bracket'],
  ['{"a": "x\n"}', 1, 7, 'a text that ends on its line'],
  ['{} // comment', 1, 4, 'no comment'],
  ['[{"a": [1]}}', 1, 12, 'a comma or the closing bracket'],
])('%j fails at line %i, column %i', (text, line, column, expected) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonErrorPosition(text)).toEqual({ line, column, expected })
})

it('Valid JSON has no position of a mistake', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent)
      expect(jsonErrorPosition(text)).toBeUndefined()
    }),
  )
})

it('An invalid character ends the reading', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, n) => {
      // Inside a string it would be valid.
      fc.pre(!json.includes('"'))
      const at = n % (json.length + 1)
      expect(jsonErrorPosition(`${json.slice(0, at)}@${json.slice(at)}`)?.column).toBeLessThanOrEqual(at + 1)
    }),
  )
})

it('A text that nests too deeply has no position, and its mistake no words', () => {
  const text = '['.repeat(1_000_000)
  expect([jsonErrorPosition(text), jsonErrorText(text)]).toEqual([undefined, ''])
})
