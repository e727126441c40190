import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { options, Work } from '../../test/support/admitted-work.ts'
import { Admission } from './admission.ts'
import type { Demand } from './work.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the shapes of statements, by their times', () => {
  it('S-38: gives statements that were slow, and unknown ones of who has used much, the connections for heavy work', async () => {
    const admission = new Admission(options)
    const work = new Work(admission)
    const isHeavy = (shape: string) => admission.isHeavy(shape, 'user 1')
    expect([isHeavy('slow'), isHeavy('quick')]).toEqual([false, false])
    for (let i = 0; i < 30; i++) await work.start({ shape: 'slow', group: 'article', caller: `user ${i}` })
    expect([work.running.size, admission.heavyWaiting]).toEqual([7, 0])
    admission.took('quick', 99, false)
    admission.took('slow', 100, true)
    expect([isHeavy('slow'), isHeavy('quick'), isHeavy('unknown'), admission.heavyWaiting]).toEqual([
      true,
      false,
      false,
      23,
    ])
    // They had connections as other work before they were known.
    for (let i = 0; i < 7; i++) await work.end(i)
    expect(work.running.size).toBe(3)
    vi.advanceTimersByTime(2_000)
    for (const id of work.running.keys()) expect(admission.isHeavy('unknown', `user ${id}`)).toBe(true)
    expect(admission.isHeavy('unknown', 'user 29')).toBe(false)
    // A statement that failed soon gives no measure of the time that it needs.
    admission.took('slow', 1, true)
    expect(isHeavy('slow')).toBe(true)
    admission.took('slow', 1, false)
    expect(isHeavy('slow')).toBe(false)
  })

  it('S-38: knows a quick statement as slow when it has run for a second, before it ends', async () => {
    const admission = new Admission(options)
    const work = new Work(admission)
    admission.took('both', 1, false)
    for (let i = 0; i < 7; i++) await work.start({ shape: 'both', group: 'article', caller: `user ${i}` })
    vi.advanceTimersByTime(999)
    await work.start({ shape: 'both', group: 'article', caller: 'user 8' })
    expect([admission.isHeavy('both', 'user 8'), admission.heavyWaiting]).toEqual([false, 0])
    vi.advanceTimersByTime(1)
    await work.start({ shape: 'other', group: 'article', caller: 'user 9' })
    expect([admission.isHeavy('both', 'user 8'), admission.heavyWaiting]).toEqual([true, 1])
  })

  it('S-38: leaves connections to known statements when many unknown ones arrive', async () => {
    const admission = new Admission(options)
    const work = new Work(admission)
    for (let i = 0; i < 30; i++)
      await work.start({ unknown: true, shape: `new ${i}`, group: 'article', caller: `user ${i}` })
    expect(work.running.size).toBe(4)
    const known = await work.start({ group: 'article', caller: 'user 31' })
    expect(work.running.has(known)).toBe(true)
    for (let i = 0; i < 16; i++) {
      expect(admission.isUnknown('new 1')).toBe(true)
      admission.took('new 1', 1, false)
    }
    expect(admission.isUnknown('new 1')).toBe(false)
    // A slow run now and then may have waited for a processor, so its shape is not unknown; a slow shape is known, too.
    for (let i = 0; i < 48; i++) admission.took('new 1', i % 8 === 0 ? 200 : 1, false)
    expect(admission.isUnknown('new 1')).toBe(false)
    admission.took('new 1', 1_000, false)
    expect([admission.isUnknown('new 1'), admission.isHeavy('new 1', 'user 1')]).toEqual([false, true])
  })

  it('S-38: leaves connections of a content-type to known statements beside heavy and unknown ones', async () => {
    const kinds = [{ heavy: true }, { unknown: true }, {}]
    const admission = new Admission(options)
    const work = new Work(admission)
    for (let i = 0; i < 60; i++)
      await work.start({ ...kinds[i % 3], shape: `${i % 3}`, group: 'article', caller: `user ${i}` })
    expect(work.running.size).toBe(7)
    for (let i = 0; i < 60; i++) if (i % 3 === 2) await work.end(i)
    expect(work.running.size).toBe(5)
    const known = await work.start({ group: 'article', caller: 'user 61' })
    expect(work.running.has(known)).toBe(true)
  })

  it('S-38: counts statements that become heavy while they wait beside unknown ones', async () => {
    const admission = new Admission(options)
    const work = new Work(admission)
    const start = (number: number, demand: Demand) =>
      work.start({ ...demand, group: 'article', caller: `user ${number}` })
    for (let i = 0; i < 4; i++) await start(i, { unknown: true, shape: 'unknown' })
    admission.took('known', 1, false)
    const known: number[] = []
    for (let i = 4; i < 30; i++) known.push(await start(i, { shape: 'known' }))
    expect(work.running.size).toBe(7)
    admission.took('known', 1_000, false)
    for (const id of known.slice(0, 3)) await work.end(id)
    expect(work.running.size).toBe(5)
  })

  it('S-38: does not know a shape whose values decide how long it takes, however often it is quick', () => {
    const admission = new Admission(options)
    for (let i = 0; i < 1_000; i++) {
      admission.took('a', i % 5 === 4 ? 200 : 1, false)
      expect(admission.isUnknown('a')).toBe(true)
    }
  })

  it('S-38: does not know a shape because quick statements overtake a long one', async () => {
    const admission = new Admission(options)
    const work = new Work(admission)
    const run = async (milliseconds: number) => {
      const quick = await work.start({ shape: 'both', caller: 'user 1' })
      vi.advanceTimersByTime(milliseconds)
      admission.took('both', milliseconds, false)
      await work.end(quick)
    }
    await run(1)
    const long = await work.start({ shape: 'both', caller: 'user 2' })
    for (let i = 0; i < 50; i++) await run(1)
    expect(admission.isUnknown('both')).toBe(true)
    await work.end(long)
    for (let i = 0; i < 15; i++) await run(1)
    expect(admission.isUnknown('both')).toBe(false)
  })

  it('S-38: learns from a statement that runs, before it ends', async () => {
    const admission = new Admission({ ...options, connections: 1 })
    const work = new Work(admission)
    for (let i = 0; i < 16; i++) admission.took('a', 1, false)
    await work.start({ shape: 'a', caller: 'user 1' })
    vi.advanceTimersByTime(99)
    await work.start({ caller: 'user 2' })
    expect(admission.isUnknown('a')).toBe(false)
    vi.advanceTimersByTime(1)
    await work.start({ caller: 'user 2' })
    // It may wait for a lock, so that it is not known to be slow.
    expect([admission.isUnknown('a'), admission.isHeavy('a', 'user 3')]).toEqual([true, false])
  })

  it('S-38: leaves statements that never ran to others, too, when one caller or heavy work has such ones', async () => {
    const work = new Work(new Admission({ ...options, connections: 4 }))
    const start = (caller: string | undefined, i: number, heavy = false) =>
      work.start({ unknown: true, shape: `new ${i}`, heavy, ...(caller !== undefined && { caller }) })
    await start('user 1', 1, true)
    for (let i = 2; i < 5; i++) await start('user 2', i)
    // One is heavy, and of the others of one caller one runs.
    expect(work.running.size).toBe(2)
    expect(work.running.has(await start('user 3', 5))).toBe(true)
    // The statement of the server itself does not wait for them.
    expect(work.running.has(await start(undefined, 6))).toBe(true)
  })

  it('S-38: takes a statement that was quick for a slow one after a second, since it may have waited for a processor', () => {
    const admission = new Admission(options)
    const isHeavyAfter = (...times: readonly number[]): boolean => {
      for (const time of times) admission.took('a', time, false)
      return admission.isHeavy('a', 'user 1')
    }
    expect([isHeavyAfter(1, 500), isHeavyAfter(1_000), isHeavyAfter(100), isHeavyAfter(99)]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('S-38: takes a shape for slow the longer the more often it has become slow after quick values', () => {
    const admission = new Admission(options)
    const isHeavyAfter = (time: number): boolean => {
      admission.took('a', time, false)
      return admission.isHeavy('a', 'user 1')
    }
    expect([isHeavyAfter(1), isHeavyAfter(1_000), isHeavyAfter(1)]).toEqual([false, true, false])
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      expect([isHeavyAfter(1_000), isHeavyAfter(1)]).toEqual([true, true])
      vi.advanceTimersByTime(seconds * 1_000 - 1)
      expect(isHeavyAfter(1)).toBe(true)
      vi.advanceTimersByTime(1)
      expect(isHeavyAfter(1)).toBe(false)
    }
    // The one that was slow long ago may have waited for a cold cache.
    vi.advanceTimersByTime(600_000)
    expect([isHeavyAfter(1_000), isHeavyAfter(1)]).toEqual([true, false])
  })
})
