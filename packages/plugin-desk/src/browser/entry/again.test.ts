import { describe, expect, it } from 'vitest'
import { anotherOf, pauseBefore } from './again.ts'

describe('the pauses before a save is sent again', () => {
  it('are twice as long each time, and at most 15 s', () => {
    expect([1, 2, 3, 4, 5, 6, 60, 4_000].map((count) => pauseBefore(count, true))).toEqual([
      1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000,
    ])
  })

  it('are the longest while the browser knows no network', () => {
    expect([1, 2, 9].map((count) => pauseBefore(count, false))).toEqual([15_000, 15_000, 15_000])
  })

  it('are at least as long as a busy server asks, up to an hour', () => {
    expect([0.5, 1, 3, 30, 90_000].map((after) => pauseBefore(2, true, after))).toEqual([
      2_000, 2_000, 3_000, 30_000, 3_600_000,
    ])
    expect(pauseBefore(1, false, 30)).toBe(30_000)
  })

  it('count the attempts of one save', () => {
    const first = anotherOf(undefined)
    expect([first.count, anotherOf(first).count, anotherOf(undefined).count]).toEqual([1, 2, 1])
  })
})
