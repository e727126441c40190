import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

it('A sequence of turns runs one piece of work at a time, in order, also after an error', async () => {
  const turns = new Turns()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} starts`)
    await nextTurn()
    events.push(`${name} ends`)
    if (name === 'b') throw new Error(name)
    return name
  }
  const results = Promise.allSettled(['a', 'b', 'c'].map((name) => turns.take(work(name))))
  expect(await results).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: new Error('b') },
    { status: 'fulfilled', value: 'c' },
  ])
  const starts = ['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`])
  expect(events).toEqual(starts)
  expect(await turns.take(work('d'))).toBe('d')
})
