import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type LoadTask = {
  readonly url: string
  /** Whole requests as text, sent in turn. */
  readonly requests: readonly string[]
  readonly seconds: number
} & (
  | {
      /** Clients that send the next request when the one before is answered. */
      readonly clients: number
    }
  | {
      /** Requests a second, whatever the answers. */
      readonly rate: number
    }
)

/** Milliseconds from the time at which a request was due to the end of its answer. */
export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly most: number
}

export interface LoadFigures {
  /** Answers with 200 in a second. */
  readonly perSecond: number
  /** Answers with 200. */
  readonly accepted: Quantiles
  /** Answers with 503 or 429. */
  readonly refused: Quantiles
  /** Answers by status; 0: the connection broke. */
  readonly statuses: Readonly<Record<number, number>>
  /** Requests that were not answered in time, or not sent for want of connections. */
  readonly unanswered: number
  /** Seconds of processor time of the process. */
  readonly processor: number
}

/** Sends requests from a process of its own, so that times are not those of this process's event loop. */
export async function generate(task: LoadTask): Promise<LoadFigures> {
  const child = fork(fileURLToPath(new URL('./generator.ts', import.meta.url)))
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The generator of load ended with ${code}`)
  })
  // Its end after the answer is no error.
  failed.catch(() => {})
  child.send(task)
  const [figures] = await Promise.race([once(child, 'message'), failed])
  return figures as LoadFigures // as the generator sends them
}
