/** PostgreSQL alone: sends it the messages that Octavo sent before, as fast as it answers. */
import { Client, type Connection, type Submittable } from 'pg'
import { settings } from '../best-sql.ts'

/** As many as Octavo and the other servers have in their pools. */
export const connections = 10

/** The messages that Octavo sends to PostgreSQL for a question. */
export interface Messages {
  /** The messages that prepare its statements. */
  readonly first: readonly Buffer[]
  /** Of one answer for each connection, which repeats them: updates of one row would wait for each other. */
  readonly further: readonly (readonly Buffer[])[]
}

/**
 * @param database Octavo's.
 * @returns Answers a second.
 * @throws Error of PostgreSQL
 */
export async function repeat(database: URL, { first, further }: Messages, seconds: number): Promise<number> {
  if (!further.every(({ length }) => length > 0)) throw new Error('There is no message to repeat')
  const clients = Array.from(
    { length: connections },
    () => new Client({ connectionString: database.href, options: `${settings} -c timezone=UTC` }),
  )
  try {
    await Promise.all(clients.map((client) => client.connect()))
    for (const client of clients) for (const message of first) await answered(client, message)
    let count = 0
    const until = performance.now() + seconds * 1_000
    await Promise.all(
      clients.map(async (client, i) => {
        for (; performance.now() < until; count++)
          for (const message of further[i] ?? []) await answered(client, message)
      }),
    )
    return count / seconds
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Sends a message as it was recorded, and waits for the end of its answer, whose rows are received and dropped. */
const answered = (client: Client, message: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Replay(message, (error) => (error ? reject(error) : resolve())))
  })

class Replay implements Submittable {
  readonly #message: Buffer
  readonly #done: (error?: Error) => void

  constructor(message: Buffer, done: (error?: Error) => void) {
    this.#message = message
    this.#done = done
  }

  submit(connection: Connection): void {
    connection.stream.write(this.#message)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.#done()
  }

  handleError(error: Error): void {
    this.#done(error)
  }
}
