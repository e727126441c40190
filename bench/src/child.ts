import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Resources that a server process has used since its start. */
export interface Usage {
  /** Seconds of processor time. */
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Round trips to the database in requests; 0 if they are not counted. */
  readonly roundTrips: number
}

/** In the child: reports that it listens, and its used resources on request. */
export function answerUsage(port: number, roundTrips: () => number = () => 0): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({
      cpu: (user + system) / 1e6,
      memory: process.memoryUsage().rss,
      roundTrips: roundTrips(),
    } satisfies Usage)
  })
  process.send?.({ port })
}

/** A server in a process of its own. */
export class Child {
  /** The file and its arguments, for messages. */
  readonly name: string
  readonly url: string
  readonly #process: ChildProcess

  private constructor(name: string, child: ChildProcess, port: number) {
    this.name = name
    this.#process = child
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(file: string, ...args: readonly string[]): Promise<Child> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
    ])
    return new Child([file, ...args.slice(1)].join(' '), child, (message as { port: number }).port)
  }

  async usage(): Promise<Usage> {
    const answered = once(this.#process, 'message')
    this.#process.send('usage')
    const [usage] = await answered
    return usage as Usage
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    await ended
  }
}
