import type { Client } from 'pg'
import { asText, sessionSettings } from '../store/engine.ts'
import type { Row, SessionQuery } from '../store/store.ts'
import { keptAlive } from '../wire/keep-alive.ts'

const types = { getTypeParser: () => asText }

/** Milliseconds between two looks of PostgreSQL whether the client of a running statement is still there. */
const checkEvery = 1_000

/** Connections of their own for upkeep, outside of the pool and its limits. */
export class Sessions {
  readonly #url: () => string
  readonly #connectionTime: number
  readonly #open = new Set<Client>()

  /** @param url The URL of the server itself, which may change. @param connectionTime Milliseconds. */
  constructor(url: () => string, connectionTime: number) {
    this.#url = url
    this.#connectionTime = connectionTime
  }

  async run<T>(work: (run: SessionQuery) => Promise<T>): Promise<T> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.#url(),
      fallback_application_name: 'octavo-upkeep',
      connectionTimeoutMillis: this.#connectionTime,
      ...keptAlive,
    })
    // An error is that of the running statement as well.
    client.on('error', () => {})
    this.#open.add(client)
    try {
      await client.connect()
      const settings = [...sessionSettings, 'set statement_timeout to 0']
      await client.query([...settings, `set client_connection_check_interval to ${checkEvery}`].join('; '))
      return await work(async (text) => {
        const { rows } = await client.query<Row & unknown[]>({
          text,
          rowMode: 'array',
          types: types as never,
        })
        return rows
      })
    } finally {
      this.#open.delete(client)
      await client.end().catch(() => {})
    }
  }

  /** Breaks off what runs. */
  close(): void {
    for (const client of this.#open) void client.end().catch(() => {})
  }
}
