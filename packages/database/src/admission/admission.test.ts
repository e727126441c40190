import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { options, settled, Work } from '../../test/support/admitted-work.ts'
import { Admission } from './admission.ts'
import type { Demand } from './work.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('admission to connections', () => {
  it('leaves connections to other content-types when one has its share', async () => {
    const work = new Work(new Admission(options))
    for (let i = 0; i < 30; i++) await work.start({ group: 'locked' })
    expect(work.running.size).toBe(7)
    const other = await work.start({ group: 'other' })
    expect(work.running.has(other)).toBe(true)
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
