/**
 * The limits of the machine beside the servers: how often `node:http` alone answers a question with the same bytes, and how often PostgreSQL
 * alone runs the statements of Octavo's answer.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median } from '../measure.ts'
import type { Asked, Question, Questions } from './peer.ts'
import { repeat } from './replay.ts'
import type { Figures } from './report.ts'
import { loadOf } from './running.ts'

/** Times that a question is asked while its messages are recorded: Octavo prepares a statement at its third use. */
const asks = 5

interface Recorded {
  readonly asked: Asked
  /** The answer. */
  readonly body: string
  /** The messages that Octavo sends to PostgreSQL: first those that prepare its statements, and last the one of every further request. */
  readonly messages: readonly Buffer[]
}

/** Answers a second in each round. */
interface Rates {
  readonly http: number[]
  readonly postgresql: number[]
}

export class Limits {
  readonly #database: URL
  readonly #recorded: ReadonlyMap<Question, Recorded>
  readonly #rates = new Map<Question, Rates>()

  private constructor(database: URL, recorded: ReadonlyMap<Question, Recorded>) {
    this.#database = database
    this.#recorded = recorded
  }

  /**
   * Asks a further Octavo all questions, one request at a time, and records its answers and messages.
   * @param database Octavo's, filled.
   */
  static async record(database: URL, questions: Questions): Promise<Limits> {
    const recorder = fileURLToPath(new URL('./record-messages.ts', import.meta.url))
    const child = fork(fileURLToPath(new URL('./octavo-server.ts', import.meta.url)), [], {
      execArgv: [...process.execArgv, '--import', recorder],
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: database.href, PORT: '0' },
    })
    const recorded = new Map<Question, Recorded>()
    try {
      const [port] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
      if (port === undefined) throw new Error(`The recorded server ended with ${child.exitCode}`)
      const url = `http://127.0.0.1:${port}`
      for (const [question, asked] of Object.entries(questions) as [Question, Asked][]) {
        await sentBy(child)
        let body = ''
        for (let i = 0; i < asks; i++) body = await bodyOf(url, asked)
        recorded.set(question, { asked, body, messages: await sentBy(child) })
      }
    } finally {
      await end(child)
    }
    return new Limits(database, recorded)
  }

  /** Measures one question, in turn with the servers. */
  async measure(question: Question, seconds: number, connections: number): Promise<void> {
    const recorded = this.#recorded.get(question)
    if (!recorded) throw new Error(`Octavo has no request for "${question}"`)
    const rates = this.#rates.get(question) ?? { http: [], postgresql: [] }
    this.#rates.set(question, rates)
    rates.http.push(await httpAlone(recorded, seconds, connections))
    rates.postgresql.push(await repeat(this.#database, recorded.messages, seconds))
  }

  /** The columns of the table. */
  figures(questions: readonly Question[]): readonly Figures[] {
    const column = (name: string, of: keyof Rates): Figures => ({
      name,
      megabytes: undefined,
      memory: undefined,
      questions: questions.map((question) => ({ rate: median(this.#rates.get(question)?.[of] ?? []) })),
    })
    return [column('`node:http` alone', 'http'), column('PostgreSQL alone', 'postgresql')]
  }
}

async function httpAlone({ asked, body }: Recorded, seconds: number, connections: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('./constant-server.ts', import.meta.url)))
  try {
    child.send(body)
    const [port] = await once(child, 'message')
    const server = { name: 'node:http', url: `http://127.0.0.1:${port}` }
    await loadOf(server, asked, 1, connections)
    return (await loadOf(server, asked, seconds, connections)).rate
  } finally {
    await end(child)
  }
}

/** The messages that Octavo sent since the last call. */
async function sentBy(child: ChildProcess): Promise<readonly Buffer[]> {
  const answered = once(child, 'message')
  child.send('sent')
  const [sent] = await answered
  return (sent as readonly string[]).map((message) => Buffer.from(message, 'base64'))
}

async function bodyOf(url: string, { method, paths, body, headers }: Asked): Promise<string> {
  const answer = await fetch(url + paths[0], {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  if (!answer.ok) throw new Error(`${method} ${paths[0]}: ${answer.status}`)
  return answer.text()
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
