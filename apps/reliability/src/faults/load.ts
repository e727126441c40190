/** Clients that send the same requests again and again. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Shot, timed } from '../timed-request.ts'

export class Load {
  /** Milliseconds of each answered request. */
  readonly times: number[] = []
  /** The status of each answered request. */
  readonly statuses: number[] = []
  /** The first answers with a status of 400 or more. */
  readonly errors: string[] = []
  /** Requests whose connection broke. */
  broken = 0
  /** Connections that were refused, since nothing listened. */
  unreachable = 0
  /** Milliseconds of the slowest request, answered or not. */
  slowest = 0
  readonly #working: readonly Promise<void>[]
  readonly #pause: number
  #isOver = false

  private constructor(
    agent: Agent,
    url: () => string,
    shots: readonly Shot[],
    clients: number,
    pause: number,
  ) {
    this.#pause = pause
    this.#working = Array.from({ length: clients }, (_, i) => this.#work(agent, url, shots, i))
  }

  /**
   * Runs `use` while clients, each with a kept-alive connection, send requests; all are answered when it returns.
   * @param url The address of the server, which may change.
   * @param pause Milliseconds that a client waits after an answer with a status of 400 or more.
   */
  static async during(
    url: () => string,
    shots: readonly Shot[],
    clients: number,
    use: (load: Load) => Promise<void>,
    pause = 0,
  ): Promise<Load> {
    const agent = new Agent({ keepAlive: true })
    const load = new Load(agent, url, shots, clients, pause)
    try {
      await use(load)
    } finally {
      load.#isOver = true
      await Promise.all(load.#working)
      agent.destroy()
    }
    return load
  }

  get answered(): number {
    return this.times.length
  }

  /** Waits for further answers. @throws Error when none comes for a minute */
  async progress(answers: number): Promise<void> {
    const goal = this.answered + answers
    let last = this.answered
    let since = performance.now()
    while (this.answered < goal) {
      await sleep(10)
      if (this.answered !== last) {
        last = this.answered
        since = performance.now()
      } else if (performance.now() - since > 60_000) throw new Error('Nothing was answered for a minute')
    }
  }

  async #work(agent: Agent, url: () => string, shots: readonly Shot[], client: number): Promise<void> {
    for (let i = client; !this.#isOver; i++) {
      const shot = shots[i % shots.length]
      if (!shot) return
      const { status, text, milliseconds } = await timed(agent, url(), shot)
      this.slowest = Math.max(this.slowest, milliseconds)
      if (status === 0) {
        if (text.includes('ECONNREFUSED')) this.unreachable += 1
        else this.broken += 1
        await sleep(20)
        continue
      }
      this.times.push(milliseconds)
      this.statuses.push(status)
      if (status < 400) continue
      if (this.errors.length < 20)
        this.errors.push(`${shot.method} ${shot.path}: ${status} ${text.slice(0, 300)}`)
      if (this.#pause > 0) await sleep(this.#pause)
    }
  }
}
