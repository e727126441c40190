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
  expect(withMailTimes('direct:')).toBe('direct:')
})

/** A transport of a class, whose private members need their object. */
class Queue {
  readonly name = 'queue'
  readonly #sent: unknown[] = []
  send(mail: unknown, done: (error: unknown, result?: unknown) => void): void {
    this.#sent.push(mail)
    done(null, this.count())
    done(new Error('called again'))
  }
  count(): number {
    return this.#sent.length
  }
}

it('a transport of a program ends, whatever it does', async () => {
  vi.useFakeTimers()
  const outcome = (given: object): Promise<readonly unknown[]> =>
    new Promise((resolve) => {
      // As nodemailer calls it.
      const transport = withMailTimes(given as never) as unknown as Queue
      transport.send('a mail', (error, result) =>
        resolve(error instanceof Error ? [error.message] : [error, result]),
      )
    })
  expect(await outcome(new Queue())).toEqual([null, 1])
  expect((withMailTimes(new Queue() as never) as unknown as Queue).count()).toBe(0)
  expect(await outcome({ send: () => Promise.reject(new Error('refused')) })).toEqual(['refused'])
  expect(await outcome({ send: () => Promise.reject(undefined) })).toEqual([
    'The transport of emails failed without an error',
  ])
  const hanging = outcome({ send: async () => {} })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await hanging).toEqual(['The transport of emails has not sent an email after 60000 ms'])
})
