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

/** Where a process runs. */
interface Place {
  /** The working directory of the process. Default: that of this process. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** Options of Node.js. Default: none. */
  readonly nodeOptions?: readonly string[]
  /** The file descriptor of its standard error. Default: that of this process. */
  readonly log?: number | 'inherit'
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

  static start(file: string, ...args: readonly string[]): Promise<Child> {
    return Child.startIn({}, file, ...args)
  }

  /** In a folder, with further variables in its environment and a file for its log. */
  static async startIn(
    { folder, env, nodeOptions = [], log = 'inherit' }: Place,
    file: string,
    ...args: readonly string[]
  ): Promise<Child> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
      stdio: ['ignore', 'inherit', log, 'ipc'],
      execArgv: [...process.execArgv, ...nodeOptions],
      ...(folder !== undefined && { cwd: folder }),
      env: { ...process.env, ...env },
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
