import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isId, readId } from './id.ts'

describe('readId', () => {
  it.each([
    ['1', 1],
    ['0007', 7],
    ['2147483647', 2_147_483_647],
  ])('parses %s', (text, id) => {
    expect(readId(text)).toBe(id)
  })

  it.each([
    '',
    '0',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '1e3',
    '0x1',
    '2147483648',
    '00000000001',
    '١',
    1,
    undefined,
    ['1'],
  ])('rejects %j', (value) => {
    expect(readId(value)).toBeUndefined()
  })

  it('accepts exactly the ids in decimal digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (id) => {
        expect(readId(String(id))).toBe(id)
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = readId(text)
        expect(id === undefined || (isId(id) && BigInt(text) === BigInt(id))).toBe(true)
      }),
    )
  })
})

describe('isId', () => {
  it.each([0, -1, 1.5, 2_147_483_648, Number.NaN, Infinity, '1', null, 1n])('rejects %s', (value) => {
    expect(isId(value)).toBe(false)
  })
})
