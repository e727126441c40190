import { describe, expect, it } from 'vitest'
import { brief } from './kinds-of-values.ts'

describe('a value in a message', () => {
  it.each<[unknown, string]>([
    ['a "text"', '"a \\"text\\""'],
    [{ id: 1, names: ['a', null] }, '{"id":1,"names":["a",null]}'],
    [undefined, 'undefined'],
    [[], '[]'],
  ])('is shown as JSON: %j', (value, text) => {
    expect(brief(value)).toBe(text)
  })

  it('is shown by its beginning when it is long', () => {
    for (const [value, beginning] of [
      ['a'.repeat(1_000_000), `"${'a'.repeat(79)}`],
      [Array.from({ length: 1_000_000 }, () => 1), '1,'.repeat(80).slice(0, 79)],
      [{ ['a'.repeat(1_000_000)]: 1 }, `{"${'a'.repeat(78)}`],
    ] as const)
      expect(brief(value)).toBe(`${Array.isArray(value) ? '[' : ''}${beginning}…`)
  })

  it('S-41: is shown by its beginning when it nests more deeply than JSON can be written', () => {
    let value: unknown = 1
    for (let level = 0; level < 100_000; level++) value = [value]
    expect(brief(value)).toBe(`${'['.repeat(80)}…`)
  })
})
