import { expect, it } from 'vitest'
import { growthAfter } from './heap.ts'

it('The heap grows twice as much each time that it was collected within a second, up to a bound', () => {
  let percent = 20
  const grown = Array.from({ length: 6 }, () => {
    percent = growthAfter(percent, 300)
    return percent
  })
  expect(grown).toEqual([40, 80, 160, 320, 320, 320])
})

it('The heap grows half as much after five seconds without a collection, down to a fifth', () => {
  expect([growthAfter(320, 6_000), growthAfter(320, 3_000), growthAfter(20, 60_000)]).toEqual([160, 320, 20])
})
