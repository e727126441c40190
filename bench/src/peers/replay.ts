/** PostgreSQL alone: sends it the messages that Octavo sent before, as fast as it answers. */
import { Client, type Connection, type Submittable } from 'pg'
import { settings } from '../best-sql.ts'

/** As many as Octavo and the other servers have in their pools. */
const connections = 10

/**
 * @param database Octavo's.
 * @param messages Those that prepare statements, and at last the one that is repeated.
 * @returns Answers a second.
 * @throws Error of PostgreSQL
 */
export async function repeat(database: URL, messages: readonly Buffer[], seconds: number): Promise<number> {
  const last = messages.at(-1)
  if (!last) throw new Error('There is no message to repeat')
  const clients = Array.from(
    { length: connections },
    () => new Client({ connectionString: database.href, options: `${settings} -c timezone=UTC` }),
  )
  try {
    await Promise.all(clients.map((client) => client.connect()))
    for (const client of clients) for (const message of messages) await answered(client, message)
    let count = 0
    const until = performance.now() + seconds * 1_000
    await Promise.all(
      clients.map(async (client) => {
        for (; performance.now() < until; count++) await answered(client, last)
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
