import { expect, it } from 'vitest'
import { toParameter } from './parameter.ts'
import type { Bindable } from './sql.ts'

const cases: readonly [Bindable, string | null][] = [
  [null, null],
  ['it', 'it'],
  [1.5, '1.5'],
  [true, 't'],
  [false, 'f'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [[], '{}'],
  [[1, null, true], '{"1",NULL,"true"}'],
  [['a"b', 'c\\d', '', 'NULL', '{}', 'a,b'], '{"a\\"b","c\\\\d","","NULL","{}","a,b"}'],
]

it.each(cases)('%j is sent as %j', (value, text) => {
  expect(toParameter(value)).toBe(text)
})
