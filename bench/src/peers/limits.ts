/**
 * The limits of the machine beside the servers: how often `node:http` alone answers a question with the same bytes, and how often PostgreSQL
 * alone runs the statements of Octavo's answer.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median } from '../measure.ts'
import { ask, loadOf } from './load.ts'
import type { Asked, Question } from './peer.ts'
import { connections, type Messages, repeat } from './replay.ts'
import type { Figures } from './report.ts'
import type { Running } from './running.ts'

/** Times that a question is asked before its messages are repeated: Octavo prepares a statement at its third use. */
const asks = 5

/** Questions whose work is outside of the database: in the hash of a password, and in files. */
const isOutside = (question: Question): boolean => question === 'log in' || question.startsWith('upload')

interface Recorded extends Messages {
  readonly asked: Asked
  /** The answer. */
  readonly body: string
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
   * @param octavo The measured one, with its database and folder.
   */
  static async record({ database, asked: questions, installed }: Running): Promise<Limits> {
    const recorder = fileURLToPath(new URL('./record-messages.ts', import.meta.url))
    const child = fork(fileURLToPath(new URL('./octavo-server.ts', import.meta.url)), [], {
      execArgv: [...process.execArgv, '--import', recorder],
      cwd: installed.folder,
      env: { ...process.env, ...installed.peer.env(database, 0) },
    })
    const recorded = new Map<Question, Recorded>()
    try {
      const [port] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])
      if (port === undefined) throw new Error(`The recorded server ended with ${child.exitCode}`)
      const url = `http://127.0.0.1:${port}`
      for (const [question, asked] of Object.entries(questions) as [Question, Asked][]) {
        await sentBy(child)
        let body = ''
        for (let i = 0; i < asks; i++) body = await ask(url, asked, i)
        const first = await sentBy(child)
        const further: (readonly Buffer[])[] = []
        for (let i = 0; i < connections; i++) {
          await ask(url, asked, i)
          further.push(await sentBy(child))
        }
        recorded.set(question, { asked, body, first, further })
      }
    } finally {
      await end(child)
    }
    return new Limits(database, recorded)
  }

  /** Measures one question, in turn with the servers. */
  async measure(question: Question, seconds: number, most: number): Promise<void> {
    const recorded = this.#recorded.get(question)
    if (!recorded) throw new Error(`Octavo has no request for "${question}"`)
    const rates = this.#rates.get(question) ?? { http: [], postgresql: [] }
    this.#rates.set(question, rates)
    rates.http.push(await httpAlone(recorded, seconds, most))
    if (!isOutside(question)) rates.postgresql.push(await repeat(this.#database, recorded, seconds))
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

async function httpAlone({ asked, body }: Recorded, seconds: number, most: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('./constant-server.ts', import.meta.url)))
  try {
    child.send(body)
    const [port] = await once(child, 'message')
    const server = { name: 'node:http', url: `http://127.0.0.1:${port}` }
    await loadOf(server, asked, 1, most)
    return (await loadOf(server, asked, seconds, most)).rate
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
