import { afterEach, expect, it, vi } from 'vitest'
import { DatabaseClock } from './database-clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('The clock of the database goes on from the last reading, whatever the clock of the machine does', async () => {
  vi.useFakeTimers({ now: 0 })
  const clock = new DatabaseClock(async () => 1_000_000)
  await clock.start()
  vi.advanceTimersByTime(250)
  vi.setSystemTime(99_000_000)
  expect(clock.now().getTime()).toBe(1_000_250)
  clock.stop()
})

it('The clock of the database does not run ahead by the time that the answer was on its way', async () => {
  vi.useFakeTimers({ now: 0 })
  let database = 5_000
  const clock = new DatabaseClock(async () => {
    const time = database
    vi.advanceTimersByTime(300)
    database += 300
    return time
  })
  await clock.start()
  expect(clock.now().getTime()).toBeLessThanOrEqual(database)
  clock.stop()
})

it('The clock of the database is read again, and keeps the last reading while the database is away', async () => {
  vi.useFakeTimers({ now: 0 })
  const readings: (() => number)[] = [
    () => 1_000,
    () => {
      throw new Error('away')
    },
    () => 5_000_000,
  ]
  const clock = new DatabaseClock(async () => (readings.shift() ?? (() => 0))())
  await clock.start()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(clock.now().getTime()).toBe(11_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(clock.now().getTime()).toBe(5_000_000)
  clock.stop()
})
