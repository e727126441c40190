import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { options, pause, settled, Work } from '../../test/support/admitted-work.ts'
import { Admission } from './admission.ts'
import { queueOf } from './refusals.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the time for which work may wait', () => {
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
})
