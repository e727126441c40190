import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHundredths, isDecimalText, toHundredths, toNumeric } from './decimal-text.ts'

describe('a number in decimal notation', () => {
  it.each([
    ['12', '12'],
    ['+1e3', '1000'],
    ['-0.50', '-0.50'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['1.5e-3', '0.0015'],
    ['007', '7'],
  ])('%s is %s', (text, expected) => {
    expect(toNumeric(text)).toBe(expected)
  })

  it.each([
    '',
    '.',
    '+',
    'e3',
    '1e',
    '0x1f',
    '1_000',
    'Infinity',
    'NaN',
    '1,5',
    '1 000',
    '--1',
    '1e9999',
    '1'.repeat(401),
  ])('%j is not a number', (text) => {
    expect(isDecimalText(text)).toBe(false)
  })

  it('preserves the value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Number(toNumeric(String(number)))).toBe(number === 0 ? 0 : number)
      }),
    )
  })
})

describe('hundredths', () => {
  it.each([
    ['4.25', '4.25'],
    ['4', '4.00'],
    ['0.005', '0.01'],
    ['-0.005', '-0.01'],
    ['0.0049', '0.00'],
    ['1e2', '100.00'],
    ['1e-400', '0.00'],
    ['1.005', '1.01'],
  ])('of %s are %s', (text, expected) => {
    const hundredths = toHundredths(text)
    expect(hundredths === undefined ? undefined : fromHundredths(hundredths)).toBe(expected)
  })

  it('are printed to the same number', () => {
    fc.assert(
      fc.property(fc.bigInt(), (n) => {
        fc.pre(n < 10n ** 300n && n > -(10n ** 300n))
        expect(toHundredths(fromHundredths(n))).toBe(n)
      }),
    )
  })
})
