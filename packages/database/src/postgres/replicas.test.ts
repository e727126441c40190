import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePosition } from './replicas.ts'

it('positions are parsed as PostgreSQL writes them, and compare in their order', () => {
  expect(parsePosition('0/0')).toBe(0n)
  expect(parsePosition('16/B374D848')).toBe(0x16b374d848n)
  const half = fc.integer({ min: 0, max: 0xffffffff })
  const text = (high: number, low: number) =>
    `${high.toString(16).toUpperCase()}/${low.toString(16).toUpperCase()}`
  fc.assert(
    fc.property(
      half,
      half,
      (high, low) => parsePosition(text(high, low)) === BigInt(high) * 2n ** 32n + BigInt(low),
    ),
  )
})

it.each(['', '0', '/0', '0/', '-1/0', '0/0 ', 'G/0', '123456789/0', '0/0; select 1'])(
  '%j is not a position',
  (text) => {
    expect(parsePosition(text)).toBeUndefined()
  },
)
