import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Resources that a server process has used since its start. */
export interface Usage {
  /** Seconds of processor time. */
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Statements that were sent to the database; 0 if they are not counted. */
  readonly statements: number
}

/** In the child: reports that it listens, and its used resources on request. */
export function answerUsage(port: number, statements: () => number = () => 0): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({
      cpu: (user + system) / 1e6,
      memory: process.memoryUsage().rss,
      statements: statements(),
    } satisfies Usage)
  })
  process.send?.({ port })
}

/** A server in a process of its own. */
export class Child {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(child: ChildProcess, port: number) {
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
    return new Child(child, (message as { port: number }).port)
  }

  async usage(): Promise<Usage> {
    const answered = once(this.#process, 'message')
    this.#process.send('usage')
    const [usage] = await answered
    return usage as Usage
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }
}
