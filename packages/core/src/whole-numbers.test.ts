import { ConfigurationError } from '@octavo/database'
import { describe, expect, it } from 'vitest'
import { wholeNumbers } from './whole-numbers.ts'

const known = { keep: { default: 10 }, depth: { default: 0, min: 0, max: 3 } }
const read = (given: object) => wholeNumbers(given, known, 'make')

describe('Options that are whole numbers', () => {
  it('have their defaults where they are absent or undefined', () => {
    expect(read({})).toEqual({ keep: 10, depth: 0 })
    expect(read({ keep: undefined, depth: 3 })).toEqual({ keep: 10, depth: 3 })
  })

  it.each([
    [{ keep: 0 }, 'make({ keep }) is a whole number from 1 to 2147483647, not 0'],
    [{ depth: 4 }, 'make({ depth }) is a whole number from 0 to 3, not 4'],
    [{ keep: 1.5 }, 'not 1.5'],
    [{ keep: '5' }, 'not 5'],
    [{ keep: Number.NaN }, 'not NaN'],
    [{ keeps: 5 }, 'make: there is no option "keeps"'],
  ])('refuse %j', (given, message) => {
    expect(() => read(given)).toThrow(ConfigurationError)
    expect(() => read(given)).toThrow(message)
  })
})
