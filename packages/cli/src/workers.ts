import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@octavo/core'
import { UsageError } from './usage-error.ts'

/** More would only stand in each other's way. */
const maxWorkers = 256

/** By this a worker knows how many there are. */
const variable = 'OCTAVO_WORKERS'

/** @throws UsageError */
export function readWorkers(given: string | number): number {
  if (given === 'auto') return availableParallelism()
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= maxWorkers && given !== '') return count
  throw new UsageError(`--workers is auto or a whole number from 1 to ${maxWorkers}, not "${given}"`)
}

/** In a worker: how many there are. */
export const workersOfThis = (): number => Number(process.env[variable])

/** One that lives shorter than this, in milliseconds, is replaced after a pause that grows. */
const soon = 10_000
const longestPause = 30_000

/** The processes that serve. One that ends is replaced; one that cannot start the first time ends them all. */
export class Workers {
  readonly #logger: Logger
  readonly #count: number
  readonly #first: Promise<string>
  readonly #listening = new Set<Worker>()
  #stopping = false
  /** In a row, that ended soon. */
  #failures = 0

  constructor(count: number, logger: Logger) {
    this.#count = count
    this.#logger = logger
    const first = Array.from({ length: count }, () => this.#fork())
    this.#first = Promise.all(first).then(([url = '']) => url)
  }

  /** Where they listen, once all do. @throws UsageError when one ended before; the others are stopped then. */
  async listening(): Promise<string> {
    try {
      return await this.#first
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Lets them answer what is in flight, and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return
        const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
        // Not by a signal where there is another way: one from the terminal may have reached it already, and a second
        // one would not let it end in peace. One that does not listen yet may not hear of anything else.
        if (this.#listening.has(worker) && worker.isConnected()) worker.send('stop')
        else worker.process.kill('SIGTERM')
        await ended
      }),
    )
  }

  /** @returns where it listens */
  #fork(): Promise<string> {
    const began = performance.now()
    const worker = cluster.fork({ [variable]: String(this.#count) })
    return new Promise((resolve, reject) => {
      worker.once('message', ({ url }: { readonly url: string }) => {
        this.#listening.add(worker)
        resolve(url)
      })
      worker.once('exit', (code, signal) => {
        // It has said why itself.
        if (!this.#listening.delete(worker)) reject(new UsageError('A worker could not start'))
        else if (!this.#stopping) void this.#replace(worker, performance.now() - began, code, signal)
      })
    })
  }

  async #replace(worker: Worker, lived: number, code: number | null, signal: string | null): Promise<void> {
    this.#failures = lived < soon ? this.#failures + 1 : 0
    const pause = this.#failures === 0 ? 0 : Math.min(100 * 2 ** this.#failures, longestPause)
    this.#logger.error({ pid: worker.process.pid, code, signal, pause }, 'A worker ended and is replaced')
    await wait(pause)
    if (this.#stopping) return
    const begun = performance.now()
    await this.#fork().catch(() => {
      if (!this.#stopping) void this.#replace(worker, performance.now() - begun, code, signal)
    })
  }
}
