import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Admission } from './admission.ts'
import { queueOf } from './refusals.ts'
import type { Demand } from './work.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Work that ends by hand. */
class Work {
  readonly #admission: Admission
  readonly running = new Map<number, () => void>()
  readonly errors = new Map<number, string>()
  #next = 0

  constructor(admission: Admission) {
    this.#admission = admission
  }

  async start(demand?: Demand): Promise<number> {
    const id = this.#next++
    void this.#admission
      .run(() => new Promise<void>((resolve) => this.running.set(id, resolve)), demand)
      .catch((error: { code: string }) => this.errors.set(id, error.code))
    await settled()
    return id
  }

  async end(id: number): Promise<void> {
    this.running.get(id)?.()
    this.running.delete(id)
    await settled()
  }
}

/** Lets all promises that can be settled run their continuations. */
async function settled(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

const options = { connections: 10, queueTime: 2_000, heavyTime: 15_000 }

describe('admission to connections', () => {
  it('leaves connections to other content-types when one has its share', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ group: 'locked' })
    expect(work.running.size).toBe(7)
    const other = await work.start({ group: 'other' })
    expect(work.running.has(other)).toBe(true)
  })

  it('S-38: leaves connections of a content-type to others when many bulk writes of it arrive', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ group: 'article', caller: `user ${i}`, bulk: true })
    expect(work.running.size).toBe(3)
    const read = await work.start({ group: 'article', caller: 'user 1' })
    expect(work.running.has(read)).toBe(true)
  })

  it('leaves a connection to other callers', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ group: `type ${i}`, caller: '192.0.2.1' })
    expect(work.running.size).toBe(9)
    const other = await work.start({ group: 'type 1', caller: '192.0.2.2' })
    expect(work.running.has(other)).toBe(true)
  })

  it('limits heavy work to a fifth of the connections and one', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 5; i++) await work.start({ heavy: true })
    expect(work.running.size).toBe(3)
  })

  it.each([
    ['all connections', (i: number) => ({ group: `type ${i}` }), 9],
    ['those of a content-type', () => ({ group: 'article' }), 6],
    ['those of its bulk writes', () => ({ group: 'article', bulk: true }), 2],
    ['those of heavy work', (i: number) => ({ group: `type ${i}`, heavy: true }), 2],
  ])('S-38: leaves one of %s to other callers', async (_, demandOf, most) => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ ...demandOf(i), caller: 'user 1' })
    expect(work.running.size).toBe(most)
    const other = await work.start({ ...demandOf(0), caller: 'user 2' })
    expect(work.running.has(other)).toBe(true)
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

  it('lets quick heavy work wait as long as other work, and slow heavy work for longer', async () => {
    const known = async (takes: number): Promise<number> => {
      const admission = new Admission({ ...options, queueTime: 1_000 })
      const start = () => admission.run(() => pause(takes), { heavy: true })
      for (let i = 0; i < 60; i++) {
        const done = start()
        await vi.advanceTimersByTimeAsync(takes)
        await done
      }
      const all = Promise.allSettled(Array.from({ length: 1_000 }, start))
      await vi.advanceTimersByTimeAsync(60_000)
      return (await all).filter(({ status }) => status === 'fulfilled').length
    }
    // Three at once: those that run, and those that start within a second, or within 4 s when one takes a second.
    expect([await known(20), await known(1_000)]).toEqual([3 + 149, 3 + 12])
  })

  it.each([
    [10, 300],
    [100, 750],
  ])(
    'has a part of the queue when it has not been empty for a while: of work that takes %d ms',
    async (takes, most) => {
      const admission = new Admission({ connections: 5, queueTime: 1_000, heavyTime: 1_000 })
      const waits: [at: number, wait: number][] = []
      const begin = performance.now()
      for (let i = 0; i < 8_000; i++) {
        const arrived = performance.now()
        const work = () => {
          waits.push([performance.now() - begin, performance.now() - arrived])
          return pause(takes)
        }
        void admission.run(work).catch(() => {})
        await vi.advanceTimersByTimeAsync(1)
      }
      await vi.advanceTimersByTimeAsync(5_000)
      const between = (from: number, to: number) =>
        waits.filter(([at]) => at >= from && at < to).map(([, wait]) => wait)
      expect(Math.max(...between(0, 3_000))).toBeGreaterThan(900)
      expect(Math.max(...between(4_000, 8_000))).toBeLessThan(most)
      // No connection had nothing to do.
      expect(between(4_000, 8_000).length).toBeGreaterThan((0.97 * 4_000 * 5) / takes)
    },
  )

  it('says with a refusal whether its queue is still too long', async () => {
    const admission = new Admission({ ...options, queueTime: 60_000, connections: 2 })
    const work = new Work(admission)
    for (let i = 0; i < 202; i++) await work.start()
    const error: unknown = await admission.run(async () => {}).catch((reason: unknown) => reason)
    const queue = queueOf(error as Error)
    expect(queue?.isNarrow).toBe(false)
    const before = admission.refused
    expect(queue?.refuses()).toBe(true)
    queue?.noteRefused()
    await work.end(0)
    expect(queue?.refuses()).toBe(false)
    expect(admission.refused).toBe(before + 1)
    expect(queueOf(new Error('Another one'))).toBeUndefined()
  })

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

  it('refuses no work because of other work of its caller that waits for a locked table', async () => {
    const admission = new Admission({ ...options, queueTime: 1_000 })
    const work = new Work(admission)
    for (let i = 0; i < 30; i++) await work.start({ group: 'locked', caller: '192.0.2.1' })
    const end = performance.now() + 10_000
    let [answered, refused] = [0, 0]
    const client = async (): Promise<void> => {
      while (performance.now() < end) {
        try {
          await admission.run(() => pause(100), { group: 'other', caller: '192.0.2.1' })
          answered += 1
        } catch {
          refused += 1
          await pause(100)
        }
      }
    }
    const all = Promise.all([client(), client(), client(), client()])
    await vi.advanceTimersByTimeAsync(12_000)
    await all
    // Three of nine connections of the caller are left: the locked type has six.
    expect([answered, refused]).toEqual([expect.closeTo(300, -1), 0])
  })

  it('admits in order of arrival, and passes over work whose lane is full', async () => {
    const work = new Work(new Admission({ ...options, connections: 2 }))
    const [one, two] = [await work.start({ group: 'a' }), await work.start({ group: 'b' })]
    const [three, four, five] = [
      await work.start({ group: 'b' }),
      await work.start({ group: 'a' }),
      await work.start({ group: 'a' }),
    ]
    await work.end(one)
    expect([...work.running.keys()]).toEqual([two, four])
    await work.end(two)
    expect([...work.running.keys()]).toEqual([four, three])
    await work.end(four)
    expect([...work.running.keys()]).toEqual([three, five])
  })

  it('refuses work at once that would wait longer than allowed', async () => {
    const work = new Work(new Admission({ ...options, connections: 1 }))
    await work.start()
    for (let i = 0; i < 4; i++) await work.start()
    vi.advanceTimersByTime(1_400)
    // Nothing has started for 1.4 s: the assumed rate is 2.8 a second, so that the sixth to wait would wait for 2.1 s.
    const fifth = await work.start()
    const sixth = await work.start()
    expect([...work.errors]).toEqual([[sixth, 'database/queue-full']])
    expect(fifth).toBe(5)
  })

  it('refuses work when it has waited for ten times as long as allowed', async () => {
    const admission = new Admission({ ...options, connections: 1 })
    const work = new Work(admission)
    await work.start()
    const waiting = await work.start()
    const heavy = await work.start({ heavy: true })
    vi.advanceTimersByTime(15_000)
    await settled()
    expect([...work.errors]).toEqual([[heavy, 'database/overloaded']])
    vi.advanceTimersByTime(5_000)
    await settled()
    expect(work.errors.get(waiting)).toBe('database/queue-full')
    expect(admission).toMatchObject({ waiting: 0, refused: 2 })
  })

  it('admits work that starts within twice the allowed time, for any duration of work and number of clients', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 100 }),
        fc.integer({ min: 20, max: 200 }),
        async (takes, clients) => {
          const admission = new Admission({ connections: 5, queueTime: 1_000, heavyTime: 1_000 })
          const waits: number[] = []
          let refusedLate = 0
          const end = performance.now() + 10_000
          const client = async (): Promise<void> => {
            while (performance.now() < end) {
              const arrived = performance.now()
              try {
                await admission.run(async () => {
                  waits.push(performance.now() - arrived)
                  await pause(takes)
                })
              } catch {
                if (performance.now() > arrived) refusedLate += 1
                await pause(1_000)
              }
            }
          }
          const all = Promise.all(Array.from({ length: clients }, client))
          await vi.advanceTimersByTimeAsync(20_000)
          await all
          expect(refusedLate).toBe(0)
          expect(Math.max(...waits)).toBeLessThanOrEqual(2_000)
        },
      ),
      { numRuns: 4 },
    )
  })

  it('refuses at once what is too much of equal callers, and starts the rest within twice the allowed time', async () => {
    const admission = new Admission({ connections: 5, queueTime: 1_000, heavyTime: 1_000 })
    const [waits, refusals]: [number[], number[]] = [[], []]
    const arrive = (caller: number, takes: number): void => {
      const arrived = performance.now()
      const work = () => {
        waits.push(performance.now() - arrived)
        return pause(takes)
      }
      void admission
        .run(work, { group: `type ${caller % 4}`, caller: `user ${caller}` })
        .catch(() => refusals.push(performance.now() - arrived))
    }
    // Twice what five connections do, for ten seconds: 21 callers in turn, with work of 5 to 15 ms.
    for (let i = 0; i < 10_000; i++) {
      arrive(i % 21, 5 + ((i * 7) % 11))
      await vi.advanceTimersByTimeAsync(1)
    }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(waits.length).toBeGreaterThan(4_500)
    // Work of a caller who has used a little less passes over some, which then waits longer than expected.
    expect(waits.filter((wait) => wait > 1_500).length / waits.length).toBeLessThan(0.01)
    expect(refusals.filter((wait) => wait > 50).length / refusals.length).toBeLessThan(0.05)
  })

  /** A thousand that arrive at once. Returns how many were refused, after checking the times of all. */
  const burst = async (admission: Admission, takes: number): Promise<number> => {
    const arrived = performance.now()
    const waits: number[] = []
    const refusals: number[] = []
    const all = Array.from({ length: 1_000 }, () =>
      admission
        .run(
          () => {
            waits.push(performance.now() - arrived)
            return pause(takes)
          },
          { group: 'items', caller: '192.0.2.1' },
        )
        .catch(() => refusals.push(performance.now() - arrived)),
    )
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(all)
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000)
    expect(Math.max(0, ...refusals)).toBe(0)
    return refusals.length
  }

  it.each([1, 5, 20, 100])(
    'starts each of a thousand that arrive at once at a new server within 2 s or refuses it at once, when one takes %i ms',
    async (takes) => {
      const refused = await burst(new Admission({ ...options, queueTime: 1_000 }), takes)
      // One caller has six of the seven connections of a content-type.
      expect(1_000 - refused).toBeGreaterThan(100)
    },
  )

  it('admits a thousand that arrive at once when work is known to be quick, and fewer when it is known to be slow', async () => {
    const admission = new Admission({ ...options, queueTime: 1_000 })
    const known = async (takes: number): Promise<number> => {
      for (let i = 0; i < 100; i++) {
        const done = admission.run(() => pause(takes), { group: 'items', caller: '192.0.2.1' })
        await vi.advanceTimersByTimeAsync(takes)
        await done
      }
      return burst(admission, takes)
    }
    expect(await known(2)).toBe(0)
    expect(await known(200)).toBeGreaterThan(900)
  })

  it('admits again after a jam', async () => {
    const work = new Work(new Admission({ ...options, connections: 1 }))
    const jam = await work.start()
    await work.start()
    vi.advanceTimersByTime(1_990)
    await work.end(jam)
    for (const id of work.running.keys()) await work.end(id)
    await work.start()
    await work.start()
    await work.start()
    expect(work.errors.size).toBe(0)
  })

  it('has at most a hundred waiting for each connection', async () => {
    const admission = new Admission({ ...options, queueTime: 60_000, connections: 2 })
    const work = new Work(admission)
    for (let i = 0; i < 210; i++) await work.start()
    expect(admission).toMatchObject({ waiting: 200, refused: 8 })
  })

  it('lets some work wait however long, and that of the server itself always, where it is told to', async () => {
    const unrefused = { burst: 100, standing: 32 }
    const admission = new Admission({ ...options, connections: 1, unrefused, refusesOwn: false })
    const work = new Work(admission)
    const request = { caller: 'user 1' }
    // An expected wait of 2 s is allowed: that of 40 when one takes 50 ms.
    for (let i = 0; i < 151; i++) await work.start(request)
    expect(admission).toMatchObject({ waiting: 100, refused: 50 })
    for (let i = 0; i < 150; i++) await work.start()
    expect(admission).toMatchObject({ waiting: 250, refused: 50 })

    vi.advanceTimersByTime(100_000)
    await settled()
    expect(admission).toMatchObject({ waiting: 150, refused: 150 })

    for (const [present, refused] of [
      [32, 0],
      [33, 1],
    ] as const) {
      const standing = new Admission({ ...options, connections: 1, unrefused })
      const jam = new Work(standing)
      for (let i = 0; i < present; i++) await jam.start(request)
      vi.advanceTimersByTime(2_001)
      await jam.start(request)
      expect(standing.refused).toBe(refused)
    }
  })

  it('does not start work of a disconnected client', async () => {
    const work = new Work(new Admission({ ...options, connections: 1 }))
    const client = new AbortController()
    const first = await work.start()
    const left = await work.start({ signal: client.signal })
    client.abort()
    await work.end(first)
    expect(work.errors.get(left)).toBe('database/abandoned')
    expect(work.running.size).toBe(0)
  })

  it('never exceeds a limit and never leaves a connection unused, for any order of arrivals and ends', async () => {
    const demand = fc.record({
      group: fc.constantFrom('a', 'b', 'c', undefined),
      caller: fc.constantFrom('x', 'y', undefined),
      heavy: fc.boolean(),
    })
    const step = fc.oneof(demand, fc.nat())
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const admission = new Admission({ connections: 5, queueTime: 60_000, heavyTime: 60_000 })
        const work = new Work(admission)
        const demands = new Map<number, Demand>()
        for (const given of steps) {
          if (typeof given === 'number') {
            const ids = [...work.running.keys()]
            const id = ids[given % Math.max(1, ids.length)]
            if (id !== undefined) await work.end(id)
          } else {
            demands.set(await work.start(given), given)
          }
          const running = [...work.running.keys()].map((id) => demands.get(id) ?? {})
          const count = (of: (demand: Demand) => unknown): number => running.filter(of).length
          expect(running.length).toBeLessThanOrEqual(5)
          expect(count(({ heavy }) => heavy)).toBeLessThanOrEqual(2)
          for (const name of ['a', 'b', 'c'])
            expect(count(({ group }) => group === name)).toBeLessThanOrEqual(3)
          for (const name of ['x', 'y']) {
            expect(count(({ caller }) => caller === name)).toBeLessThanOrEqual(4)
            expect(count(({ caller, heavy }) => heavy && caller === name)).toBeLessThanOrEqual(1)
            expect(count(({ caller, group }) => group === 'a' && caller === name)).toBeLessThanOrEqual(2)
          }
        }
        while (work.running.size > 0) for (const id of [...work.running.keys()]) await work.end(id)
        expect(admission.waiting).toBe(0)
        expect(work.errors.size).toBe(0)
      }),
    )
  })
})
