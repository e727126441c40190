import { expect, it } from 'vitest'
import { Round } from './round.ts'

/** Works for a while without a pause. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

it('lets the event loop go on after each piece of work that takes longer than a round', async () => {
  const round = new Round(1)
  const order: string[] = []
  setImmediate(() => order.push('the event loop'))
  for (const piece of ['first', 'second', 'third']) {
    await round.pause()
    work(2)
    order.push(piece)
    setImmediate(() => order.push(`after ${piece}`))
  }
  expect(order).toEqual(['first', 'the event loop', 'after first', 'second', 'after second', 'third'])
})

it('holds up no work in a round that has just begun', async () => {
  const round = new Round(60_000)
  let isNext = false
  setImmediate(() => {
    isNext = true
  })
  for (let i = 0; i < 10; i++) await round.pause()
  expect(isNext).toBe(false)
})
