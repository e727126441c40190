import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { options, pause, Work } from '../../test/support/admitted-work.ts'
import { Admission } from './admission.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the share of a caller in connections', () => {
  it('S-38: leaves connections of a content-type to others when many bulk writes of it arrive', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ group: 'article', caller: `user ${i}`, bulk: true })
    expect(work.running.size).toBe(3)
    const read = await work.start({ group: 'article', caller: 'user 1' })
    expect(work.running.has(read)).toBe(true)
  })

  it('S-38: admits first who has used the least time, however many wait', async () => {
    const admission = new Admission({ ...options, connections: 2 })
    const work = new Work(admission)
    const [greedy, other] = [{ caller: 'user 1' }, { caller: 'user 2' }]
    const own = await work.start()
    const first = await work.start(greedy)
    const waiting = [await work.start(greedy), await work.start(greedy), await work.start(other)]
    vi.advanceTimersByTime(1_000)
    await work.end(first)
    expect([...work.running.keys()]).toEqual([own, waiting[2]])
    // Work of the server itself goes before all callers.
    const second = await work.start()
    await work.end(waiting[2] as number)
    expect([...work.running.keys()]).toEqual([own, second])
    // The time of the other counts as well, and both are forgotten by and by.
    const late = await work.start(other)
    vi.advanceTimersByTime(1_500)
    await work.end(second)
    expect([...work.running.keys()]).toEqual([own, late])
    vi.advanceTimersByTime(3_000)
    const last = await work.start(other)
    await work.end(late)
    expect([...work.running.keys()]).toEqual([own, waiting[0]])
    expect(work.errors.size).toBe(0)
    expect(last).toBeGreaterThan(late)
  })

  it('S-38: charges work that several callers share to each of them, and admits it as that of the least', async () => {
    const work = new Work(new Admission({ ...options, connections: 1 }))
    const shared = await work.start({ callers: ['user 1', 'user 2', 'user 2'] })
    vi.advanceTimersByTime(900)
    await work.end(shared)
    const jam = await work.start()
    const ids = new Map<string, number>()
    for (const caller of ['user 2', 'user 1']) ids.set(caller, await work.start({ caller }))
    ids.set('both', await work.start({ callers: ['user 2', 'user 3'] }))
    for (const [id, next] of [
      [jam, 'both'],
      [ids.get('both'), 'user 1'],
      [ids.get('user 1'), 'user 2'],
    ] as const) {
      await work.end(id as number)
      expect([...work.running.keys()]).toEqual([ids.get(next)])
    }
  })

  it('S-38: refuses the last work of who has used more, with an error of its own, when the queue is full', async () => {
    const admission = new Admission({ ...options, queueTime: 1_000_000, connections: 1 })
    const work = new Work(admission)
    const first = await work.start({ caller: 'user 1' })
    for (let i = 0; i < 100; i++) await work.start({ caller: 'user 1' })
    vi.advanceTimersByTime(100)
    const other = await work.start({ caller: 'user 2' })
    expect([...work.errors]).toEqual([[100, 'database/over-share']])
    const refused = await work.start({ caller: 'user 1' })
    expect(work.errors.get(refused)).toBe('database/over-share')
    await work.end(first)
    expect([...work.running.keys()]).toEqual([other])
  })

  it('S-38: refuses nobody as over its share who has used less than an equal one', async () => {
    const work = new Work(new Admission({ ...options, connections: 3 }))
    for (const [caller, time] of [
      ['user 1', 6_000],
      ['user 2', 1_200],
    ] as const) {
      const id = await work.start({ caller })
      vi.advanceTimersByTime(time)
      await work.end(id)
    }
    // The first, and the third who has used nothing, wait for a table that is locked.
    for (const group of ['locked', 'locked', 'other']) await work.start({ group })
    for (const caller of ['user 1', 'user 3']) await work.start({ group: 'locked', caller })
    for (let i = 0; i < 200; i++) await work.start({ group: 'other', caller: 'user 2' })
    expect(work.errors.size).toBeGreaterThan(0)
    expect(new Set(work.errors.values())).toEqual(new Set(['database/queue-full']))
  })

  it('S-38: never refuses who sends one request after another because of those who send several at once', async () => {
    const admission = new Admission({ connections: 5, queueTime: 1_000, heavyTime: 1_000 })
    const refused = { alone: [] as string[], others: 0 }
    const end = performance.now() + 20_000
    const client = async (caller: string, takes: number, refuse: (code: string) => void): Promise<void> => {
      while (performance.now() < end) {
        try {
          await admission.run(() => pause(takes), { group: 'items', caller })
        } catch (error) {
          refuse((error as { code: string }).code) // an error of admission
          await pause(1_000)
        }
      }
    }
    const others = Array.from({ length: 100 }, (_, i) =>
      client(`address ${i % 10}`, 100, () => {
        refused.others += 1
      }),
    )
    const alone = client('alone', 150, (code) => void refused.alone.push(code))
    await vi.advanceTimersByTimeAsync(30_000)
    await Promise.all([...others, alone])
    expect(refused.alone).toEqual([])
    expect(refused.others).toBeGreaterThan(100)
  })

  it('S-38: never refuses who has used little because others hold connections for long', async () => {
    const admission = new Admission({ ...options, connections: 14, queueTime: 1_000 })
    const work = new Work(admission)
    for (let i = 0; i < 16; i++) admission.took('quick', 1, false)
    const send = (shape: string, caller: string) =>
      work.start({
        group: 'item',
        shape,
        caller,
        unknown: admission.isUnknown(shape),
        heavy: admission.isHeavy(shape, caller),
      })
    // Each is dear, of a shape that was quick once.
    admission.took('dear', 1, false)
    for (let i = 0; i < 50; i++) await send('dear', `user ${i}`)
    expect(work.running.size).toBe(6)
    for (let i = 0; i < 30; i++) {
      await vi.advanceTimersByTimeAsync(500)
      for (let other = 0; other < 50; other++) if (i % 5 === 0) await send('dear', `user ${other}`)
      const list = await send('quick', 'another')
      expect(work.running.has(list)).toBe(true)
      await vi.advanceTimersByTimeAsync(50)
      await work.end(list)
    }
    expect(work.errors.size).toBeGreaterThan(0)
  })

  it('S-38: lets who has used little wait for connections that others hold, and starts it first', async () => {
    const admission = new Admission({ ...options, connections: 2, queueTime: 1_000 })
    const work = new Work(admission)
    const held = [await work.start({ caller: 'user 1' }), await work.start({ caller: 'user 2' })]
    await vi.advanceTimersByTimeAsync(5_000)
    const waiting = await work.start({ caller: 'user 3' })
    await vi.advanceTimersByTimeAsync(5_000)
    // Nothing has started for so long that the queue is taken to be without an end.
    const late = await work.start({ caller: 'user 4' })
    expect([work.errors.get(waiting), work.errors.get(late)]).toEqual([undefined, undefined])
    expect(work.errors.get(await work.start({ caller: 'user 1' }))).toBe('database/over-share')
    // More than there are connections go before the next one.
    expect(work.errors.get(await work.start({ caller: 'user 5' }))).toBe('database/queue-full')
    for (const id of held) await work.end(id)
    expect([...work.running.keys()]).toEqual([waiting, late])
  })
})
