import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@octavo/core'
import { UsageError } from './usage-error.ts'

/** Maximum number of workers; more would only compete for the database. */
const maxWorkers = 256

/** The environment variables with the number of workers and their port. */
const variable = 'OCTAVO_WORKERS'
const portVariable = 'OCTAVO_WORKERS_PORT'

/** @throws UsageError */
export function readWorkers(given: string | number): number {
  if (given === 'auto') return availableParallelism()
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= maxWorkers && given !== '') return count
  throw new UsageError(`--workers is auto or a whole number from 1 to ${maxWorkers}, not "${given}"`)
}

/** In a worker: the number of workers. */
export const workersOfThis = (): number => Number(process.env[variable])

/** In a worker: the port of all workers. */
export const portOfThis = (): number => Number(process.env[portVariable])

/** A worker that ends within this time, in milliseconds, is replaced after a growing pause. */
const soon = 10_000
const longestPause = 30_000

/** The worker processes. A worker that ends is replaced; if one cannot start initially, all are stopped. */
export class Workers {
  readonly #logger: Logger
  readonly #count: number
  readonly #port: number
  readonly #first: Promise<string>
  readonly #listening = new Set<Worker>()
  #stopping = false
  /** Consecutive workers that ended within `soon`. */
  #failures = 0

  /** @param port The port of all workers, which is free. */
  constructor(count: number, port: number, logger: Logger) {
    this.#count = count
    this.#port = port
    this.#logger = logger
    const first = Array.from({ length: count }, () => this.#fork())
    this.#first = Promise.all(first).then(([url = '']) => url)
  }

  /** The address, once all workers listen. @throws UsageError when a worker ended before, after the others are stopped. */
  async listening(): Promise<string> {
    try {
      return await this.#first
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Stops the workers gracefully and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return
        const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
        // A listening worker is stopped by a message: a signal from the terminal may have reached it already, and a second
        // signal would end it at once. A worker that does not listen yet handles signals only.
        if (this.#listening.has(worker) && worker.isConnected()) worker.send('stop')
        else worker.process.kill('SIGTERM')
        await ended
      }),
    )
  }

  /** @returns the address of the worker */
  #fork(): Promise<string> {
    const began = performance.now()
    const worker = cluster.fork({ [variable]: String(this.#count), [portVariable]: String(this.#port) })
    return new Promise((resolve, reject) => {
      worker.once('message', ({ url }: { readonly url: string }) => {
        this.#listening.add(worker)
        resolve(url)
      })
      worker.once('exit', (code, signal) => {
        // The worker has printed its error.
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
