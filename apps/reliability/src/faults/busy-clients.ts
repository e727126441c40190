/** Many clients in a thread of their own, so that measurements beside them have an event loop to themselves. */
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { timed } from '../timed-request.ts'

export interface Counts {
  readonly answered: number
  readonly refused: number
}

interface Task {
  readonly url: string
  readonly path: string
  readonly clients: number
}

export class BusyClients {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  static async start(url: string, path: string, clients: number): Promise<BusyClients> {
    const task: Task = { url, path, clients }
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: task })
    await once(worker, 'online')
    return new BusyClients(worker)
  }

  async stop(): Promise<Counts> {
    this.#worker.postMessage('stop')
    const [counts] = await once(this.#worker, 'message')
    await this.#worker.terminate()
    return counts as Counts // the message of `work` below
  }
}

/**
 * Each client sends the request again and again. A refused one waits for the second that `Retry-After` names and up to one more, so that
 * clients which were refused together do not return together.
 */
async function work({ url, path, clients }: Task): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const counts = { answered: 0, refused: 0 }
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
    parentPort?.postMessage(counts)
  })
  const client = async (): Promise<void> => {
    while (!isOver) {
      const { status } = await timed(agent, url, { method: 'GET', path })
      if (status === 200) counts.answered += 1
      else {
        counts.refused += 1
        await sleep(1_000 + Math.random() * 1_000)
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

// This module is its own worker.
if (!isMainThread) await work(workerData as Task) // as `start` gives it
