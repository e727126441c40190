/** Mixed load at a fixed rate, with figures of the processes that carry it. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDemo } from '../demo-server.ts'
import type { OctavoProcess } from '../processes/octavo-process.ts'
import { privateMemory } from '../processes/process-figures.ts'
import { percentile, type Timed } from '../timed-request.ts'
import { register, type Visit, visits } from './mix.ts'

/** An interval of the run. */
export interface Sample {
  /** Since the start of the run. */
  readonly seconds: number
  readonly requests: number
  /** Milliseconds. */
  readonly p99: number
  /** Answers with 503: the server was busy. */
  readonly refused: number
  /** Answers with 500, and broken connections. */
  readonly errors: number
  /** Resident bytes of the server. */
  readonly server: number | undefined
  /** Resident bytes of its processes for pictures. */
  readonly pictures: number | undefined
  /** Private bytes. */
  readonly backends: number | undefined
  readonly handles: number | undefined
}

export interface SoakOptions {
  readonly minutes: number
  readonly database: string
  /** The process ids of the database's sessions; `undefined`: the database is in the server's process. */
  readonly backends: (() => Promise<readonly number[]>) | undefined
}

export interface SoakReport {
  /** Visits per second that the server carried at most. */
  readonly capacity: number
  readonly samples: readonly Sample[]
  /** The first faulty answers. */
  readonly faults: readonly string[]
  /** Answers with 503 by their code. */
  readonly refusals: ReadonlyMap<string, number>
}

/** The part of the capacity that is used. */
const load = 0.7
/** Visits at once while the capacity is measured. */
const together = 16
/** Visits at once beyond which the generator waits: the server has stalled. */
const most = 1_000
const enoughFaults = 20

/** @param database A database that the demo was imported into. */
export async function soak({ minutes, database, backends }: SoakOptions): Promise<SoakReport> {
  const server = await startDemo(database, '--no-rate-limit')
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  try {
    await register(agent, server.url)
    const next = visits(agent, server.url)
    const tally = new Tally()
    const seconds = minutes * 60
    // A twentieth of the time, half of it to warm up.
    const burst = Math.min(20, Math.max(2, seconds / 20))
    await closedLoop(next, burst, tally)
    const capacity = await closedLoop(next, burst, tally)
    tally.take()
    const samples: Sample[] = []
    const end = performance.now() + seconds * 1_000
    const began = performance.now()
    const arriving = arrivals(next, capacity * load, end, tally)
    const interval = Math.max(500, (seconds * 1_000) / 600)
    for (let i = 1; performance.now() < end; i++) {
      await sleep(Math.max(0, began + i * interval - performance.now()))
      samples.push({
        seconds: (performance.now() - began) / 1_000,
        ...tally.take(),
        ...(await figures(server, backends)),
      })
    }
    await arriving
    return { capacity, samples, faults: tally.faults, refusals: tally.refusals }
  } finally {
    agent.destroy()
    await server.stop()
  }
}

async function figures(server: OctavoProcess, backends: SoakOptions['backends']) {
  const [{ own, started }, handles, ofBackends] = await Promise.all([
    server.memoryApart(),
    server.handles(),
    backends?.().then(privateMemory),
  ])
  return { server: own, pictures: started, handles, backends: ofBackends }
}

/** Answers since the last sample. */
class Tally {
  readonly faults: string[] = []
  /** Answers with 503 by their code. */
  readonly refusals = new Map<string, number>()
  #times: number[] = []
  #refused = 0
  #errors = 0

  readonly note = ({ shot, status, text, milliseconds }: Timed): void => {
    this.#times.push(milliseconds)
    if (status === 503) {
      this.#refused += 1
      const code = /"code":"([^"]+)"/.exec(text)?.[1] ?? 'no code'
      this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
    } else if (status === 0 || status >= 400) {
      this.#errors += 1
      if (this.faults.length < enoughFaults)
        this.faults.push(`${shot.method} ${shot.path}: ${status} ${text.slice(0, 300)}`)
    }
  }

  take(): Pick<Sample, 'requests' | 'p99' | 'refused' | 'errors'> {
    const taken = {
      requests: this.#times.length,
      p99: percentile(this.#times, 0.99),
      refused: this.#refused,
      errors: this.#errors,
    }
    this.#times = []
    this.#refused = 0
    this.#errors = 0
    return taken
  }
}

/** Each sender begins a visit when its last one has ended. @returns visits per second */
async function closedLoop(next: () => Visit, seconds: number, tally: Tally): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let done = 0
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      await next()(tally.note)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: together }, sender))
  return done / seconds
}

/** Visits arrive at a fixed rate, however long the ones before take. */
async function arrivals(next: () => Visit, rate: number, end: number, tally: Tally): Promise<void> {
  const began = performance.now()
  const running = new Set<Promise<void>>()
  for (let sent = 0; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - began) / 1_000) * rate)
    for (; sent < due && running.size < most; sent++) {
      const visit = next()(tally.note)
      running.add(visit)
      void visit.then(() => running.delete(visit))
    }
    // Visits that found no room are dropped, as by visitors who give up.
    sent = due
    await sleep(5)
  }
  await Promise.all(running)
}
