import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson } from './compact.ts'

/** As PostgreSQL writes a `jsonb`. */
function loose(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(loose).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${loose(item)}`)
    .join(', ')}}`
}

describe('compactJson', () => {
  it.each([
    ['{"a": 1, "b": [1, 2, {}]}', '{"a":1,"b":[1,2,{}]}'],
    ['"a, b: c"', '"a, b: c"'],
    ['{"\\\\": " \\" , ", "\\"": " "}', '{"\\\\":" \\" , ","\\"":" "}'],
    ['[12345678901234567890, 1.0]', '[12345678901234567890,1.0]'],
    ['[]', '[]'],
    ['', ''],
    // Not JSON: it ends all the same.
    ['" ', '" '],
    ['\\', '\\'],
  ])('%s', (text, compact) => {
    expect(compactJson(text)).toBe(compact)
  })

  it('gives the text of JSON.stringify for any value', () => {
    const words = fc.stringMatching(/^[a ",:\\{}[\]é\n]*$/)
    const values = fc.jsonValue({
      stringUnit: fc.constantFrom(' ', '"', '\\', ',', ':', '[', 'x', '€', '\n'),
      maxDepth: 4,
    })
    fc.assert(
      fc.property(fc.oneof(values, fc.array(fc.dictionary(words, words))), (value) => {
        expect(compactJson(loose(value))).toBe(JSON.stringify(value))
      }),
    )
  })
})
