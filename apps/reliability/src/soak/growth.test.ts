import { expect, it } from 'vitest'
import { growth } from './growth.ts'

/** A level with a peak at every seventh value. */
const noisy = Array.from({ length: 120 }, (_, i) => (i % 7 === 0 ? 400 : 200 + (i % 3)))

it('peaks, and a higher level within the bound, are no growth', () => {
  expect(growth(noisy, 64)).toMatchObject({ hasGrown: false })
  expect(
    growth(
      noisy.map((value, i) => value + (i > 60 ? 60 : 0)),
      64,
    ),
  ).toMatchObject({ hasGrown: false })
})

it('caches that fill during the warm-up are no growth', () => {
  expect(
    growth(
      noisy.map((value, i) => (i < 24 ? value / 4 : value)),
      64,
    ),
  ).toMatchObject({ hasGrown: false })
})

it('a steady leak is growth, with peaks or without', () => {
  expect(
    growth(
      noisy.map((value, i) => value + i * 4),
      64,
    ),
  ).toMatchObject({ hasGrown: true })
  expect(
    growth(
      Array.from({ length: 30 }, (_, i) => 100 + i * 20),
      64,
    ),
  ).toMatchObject({ hasGrown: true })
})

it('a few values allow no judgement', () => {
  expect(growth([1, 2, 3, 4, 1_000], 64)).toBeUndefined()
})
