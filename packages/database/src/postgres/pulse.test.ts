import { describe, expect, it } from 'vitest'
import { Pulse } from './pulse.ts'

/** Connections that count what they are asked. */
const counting = (answered: number) => {
  const asked: string[] = []
  const query = async (text: string) => void asked.push(text)
  return { asked, answered, query, end: async () => {} }
}

describe('the check of a database', () => {
  it('asks nothing when a statement was answered a moment ago', async () => {
    const own = counting(0)
    await new Pulse(own, counting(performance.now() + 60_000)).check()
    expect(own.asked).toEqual([])
  })

  it('asks a database that has not answered for a while', async () => {
    const own = counting(0)
    await new Pulse(own, counting(performance.now() - 60_000)).check()
    await new Pulse(own, counting(Number.NEGATIVE_INFINITY)).check()
    expect(own.asked).toEqual(['select 1', 'select 1'])
  })
})
