/** A process that sends requests as fast as they are answered, or at a fixed rate whatever the answers. It is told what to do by messages. */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../timed-request.ts'
import { Connection } from './connection.ts'
import type { LoadFigures, LoadTask } from './load-process.ts'

/** Connections at once, above which requests are not sent. */
const most = 4_000

/** Seconds of requests at a fixed rate for which there are connections before the first one: those who send many keep theirs open. */
const ready = 0.25

/** Connections that are opened together. */
const atOnce = 50

/** Seconds after the last request until unanswered ones count as broken. */
const patience = 30

class Generator {
  readonly #host: string
  readonly #port: number
  readonly #requests: readonly string[]
  readonly #idle: Connection[] = []
  #open = 0
  #sent = 0
  #unsent = 0
  #running = 0
  readonly #times = new Map<number, number[]>()

  constructor({ url, requests }: LoadTask) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
    this.#requests = requests
  }

  /** Each client sends its next request when the one before is answered. */
  async closed(clients: number, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000
    const client = async (): Promise<void> => {
      while (performance.now() < end) await this.#shoot(performance.now())
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  /** Requests are due at a fixed rate; their time is counted from then on. */
  async open(rate: number, seconds: number): Promise<void> {
    await this.#prepare(Math.min(most, rate * ready))
    const began = performance.now()
    for (let due = 0; due < rate * seconds; ) {
      const now = performance.now()
      for (; due < rate * seconds && began + (due * 1_000) / rate <= now; due++)
        void this.#shoot(began + (due * 1_000) / rate)
      await sleep(Math.max(1, began + (due * 1_000) / rate - performance.now()))
    }
    const end = performance.now() + patience * 1_000
    while (this.#running > 0 && performance.now() < end) await sleep(5)
  }

  async #prepare(connections: number): Promise<void> {
    while (this.#open < connections) {
      const opened = Array.from({ length: atOnce }, () => this.#connect()).filter((one) => one !== undefined)
      await Promise.all(opened.map((connection) => connection.connected))
      this.#idle.push(...opened)
    }
  }

  async #shoot(due: number): Promise<void> {
    const request = this.#requests[this.#sent++ % this.#requests.length] ?? ''
    const connection = this.#idle.pop() ?? this.#connect()
    if (!connection) {
      this.#unsent += 1
      return
    }
    this.#running += 1
    const status = await connection.send(request)
    this.#running -= 1
    const times = this.#times.get(status)
    if (times) times.push(performance.now() - due)
    else this.#times.set(status, [performance.now() - due])
    if (connection.isOpen) this.#idle.push(connection)
    else this.#open -= 1
  }

  #connect(): Connection | undefined {
    if (this.#open >= most) return undefined
    this.#open += 1
    return new Connection(this.#host, this.#port)
  }

  finish(seconds: number): LoadFigures {
    for (const connection of this.#idle) connection.close()
    const accepted = this.#times.get(200) ?? []
    const refused = [...(this.#times.get(503) ?? []), ...(this.#times.get(429) ?? [])]
    return {
      perSecond: accepted.length / seconds,
      accepted: quantiles(accepted),
      refused: quantiles(refused),
      statuses: Object.fromEntries([...this.#times].map(([status, { length }]) => [status, length])),
      unanswered: this.#running + this.#unsent,
      processor: process.cpuUsage().user / 1_000_000 + process.cpuUsage().system / 1_000_000,
    }
  }
}

const quantiles = (times: readonly number[]) => ({
  count: times.length,
  p50: percentile(times, 0.5),
  p95: percentile(times, 0.95),
  p99: percentile(times, 0.99),
  most: percentile(times, 1),
})

process.once('message', async (message) => {
  const task = message as LoadTask // `generate` sends it
  const generator = new Generator(task)
  await ('rate' in task
    ? generator.open(task.rate, task.seconds)
    : generator.closed(task.clients, task.seconds))
  process.send?.(generator.finish(task.seconds), () => process.exit())
})
