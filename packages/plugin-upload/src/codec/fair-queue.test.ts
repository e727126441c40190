import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Queues work that ends on request, and records the order of the starts. */
function recorder(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string) => {
    const done = queue.run(name[0] ?? '', () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
    return done
  }
  const finish = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, add, finish }
}

describe('S-32: the queue of pictures', () => {
  it('lets callers take turns, for any number of waiting tasks', async () => {
    const { started, add, finish } = recorder(new FairQueue(1, 100))
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(add)
    await new Promise(setImmediate)
    for (let i = 0; i < all.length; i++) await finish(started[i] ?? '')
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
    await Promise.all(all)
  })

  it('leaves a slot to others while one caller works', async () => {
    const { started, add, finish } = recorder(new FairQueue(2, 100))
    const all = ['a1', 'a2', 'b1'].map(add)
    await new Promise(setImmediate)
    expect(started).toEqual(['a1', 'b1'])
    for (const name of ['a1', 'b1', 'a2']) await finish(name)
    await Promise.all(all)
  })

  it('is full for the caller that has as many waiting as may be, and for no other', async () => {
    const queue = new FairQueue(1, 2)
    const { add, finish } = recorder(queue)
    const all = ['a1', 'a2', 'a3'].map(add)
    await new Promise(setImmediate)
    expect([queue.isFull('a'), queue.isFull('b')]).toEqual([true, false])
    for (const name of ['a1', 'a2', 'a3']) await finish(name)
    await Promise.all(all)
    expect(queue.isFull('a')).toBe(false)
  })

  it('continues after an error', async () => {
    const queue = new FairQueue(1, 2)
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await queue.run('a', async () => 1)).toBe(1)
  })
})
