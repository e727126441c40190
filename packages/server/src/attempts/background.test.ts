import { type Logger, silentLogger } from '@octavo/core'
import { afterEach, expect, it, vi } from 'vitest'
import { Background, withMailTimes } from './background.ts'

afterEach(() => void vi.useRealTimers())

it('a stop waits for work in the background, and for five seconds at most', async () => {
  vi.useFakeTimers()
  const warnings: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (fields) => void warnings.push(fields) }
  const quick = new Background(logger)
  let isDone = false
  quick.run('no mail', async () => {
    await Promise.resolve()
    isDone = true
  })
  await quick.settle()
  expect([isDone, warnings, vi.getTimerCount()]).toEqual([true, [], 0])

  const silent = new Background(logger)
  silent.run('no mail', () => new Promise(() => {}))
  let isSettled = false
  const settled = silent.settle().then(() => {
    isSettled = true
  })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(isSettled).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await settled
  expect(warnings).toEqual([{ running: 1 }])
})

it('a mail server has limits of time, unless the transport has its own', () => {
  expect(withMailTimes('smtp://mail.example')).toBe(
    'smtp://mail.example?connectionTimeout=10000&greetingTimeout=10000&socketTimeout=30000',
  )
  expect(withMailTimes('smtps://mail.example/?pool=true&socketTimeout=5')).toBe(
    'smtps://mail.example/?pool=true&socketTimeout=5&connectionTimeout=10000&greetingTimeout=10000',
  )
  expect(withMailTimes({ host: 'mail.example', greetingTimeout: 1 })).toEqual({
    host: 'mail.example',
    connectionTimeout: 10_000,
    greetingTimeout: 1,
    socketTimeout: 30_000,
  })
  const own = { name: 'queue', send: () => {} }
  expect([withMailTimes(own), withMailTimes('direct:')]).toEqual([own, 'direct:'])
})
