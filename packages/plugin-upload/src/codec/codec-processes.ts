import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CodecJob, JobResult } from './jobs.ts'

/** Milliseconds after which a process without work ends. */
const idleTime = 10_000

/** Milliseconds that a process has to load sharp. */
const startTime = 60_000

/** The sources run as they are in tests, and as JavaScript once they are built. */
const program = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './codec-process.ts' : './codec-process.js', import.meta.url),
)

/** A job that took longer than it may. */
export class JobTimeout extends Error {}

/** There is no process for a job: it does not start, or it ended during the job. */
export class NoProcess extends Error {}

/**
 * Runs jobs in processes of their own, one at a time in each, and starts as many as there are jobs at once. A job that
 * takes too long is killed with its process: sharp's own time limit cannot interrupt the codecs of AVIF. A damaged
 * picture that crashes a codec ends that process, not the server.
 */
export class CodecProcesses {
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>()
  readonly #all = new Set<ChildProcess>()
  readonly #program: string

  /** @param path The path of the program. Default: the program that uses sharp. */
  constructor(path = program) {
    this.#program = path
  }

  /**
   * @param time Milliseconds, from when the process is ready.
   * @throws JobTimeout, NoProcess
   */
  async run(job: CodecJob, time: number): Promise<JobResult> {
    const child = this.#takeIdle() ?? (await this.#start())
    try {
      const result = message(child, time, new JobTimeout())
      child.send(job)
      // The process itself is the only one that sends on this channel.
      const done = (await result) as JobResult
      this.#rest(child)
      return done
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  /** Ends all processes, those at work as well. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#all].map(async (child) => {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }),
    )
  }

  async #start(): Promise<ChildProcess> {
    const child = this.#fork()
    this.#all.add(child)
    child.once('exit', () => {
      this.#all.delete(child)
      clearTimeout(this.#idle.get(child))
      this.#idle.delete(child)
    })
    // An ended process cannot receive messages; its `exit` event is handled elsewhere.
    child.on('error', () => {})
    try {
      await message(child, startTime, new NoProcess('The process that works on pictures does not start'))
      return child
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  #fork(): ChildProcess {
    try {
      return fork(this.#program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    } catch (cause) {
      // As without memory; without room for further processes `error` is emitted.
      throw new NoProcess('The process that works on pictures cannot be started', { cause })
    }
  }

  #takeIdle(): ChildProcess | undefined {
    const [found] = this.#idle
    if (!found) return undefined
    const [child, timer] = found
    clearTimeout(timer)
    this.#idle.delete(child)
    child.ref()
    child.channel?.ref()
    return child
  }

  #rest(child: ChildProcess): void {
    const timer = setTimeout(() => {
      // Its end is reported later; a job that came in between must not be given to it.
      this.#idle.delete(child)
      child.kill('SIGKILL')
    }, idleTime)
    // An idle process does not prevent the exit of the server or a command.
    timer.unref()
    child.unref()
    child.channel?.unref()
    this.#idle.set(child, timer)
  }
}

/** The next message of a process. @throws `late` after that many milliseconds */
async function message(child: ChildProcess, time: number, late: Error): Promise<unknown> {
  const waiting = new AbortController()
  const { signal } = waiting
  const timer = setTimeout(() => waiting.abort(late), time)
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([value]: unknown[]) => value),
      once(child, 'exit', { signal }).then(([code, name]: unknown[]) => {
        throw new NoProcess(`The process that works on pictures ended with ${name ?? code}`)
      }),
    ])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // The system has no room for another process, or this one has just ended.
    throw error instanceof NoProcess
      ? error
      : new NoProcess('The process that works on pictures does not answer', { cause: error })
  } finally {
    clearTimeout(timer)
    // The listeners that nothing came for go.
    waiting.abort(new Error('done'))
  }
}
