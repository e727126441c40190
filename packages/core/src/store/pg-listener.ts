import type { Client } from 'pg'
import type { Logger } from '../logger.ts'
import type { Told } from './store.ts'

/** Milliseconds until a lost connection is made again. */
const retryAfter = 1_000

/**
 * Hears what `pg_notify` sends, on one connection of its own: a pool's may be anybody's from one statement to the next.
 * It is opened when somebody first listens. When it is lost it is made again, and whoever listens is told that something
 * may have been missed.
 */
export class PgListener {
  readonly #url: string
  readonly #logger: Logger
  readonly #told = new Map<string, Set<Told>>()
  #client: Promise<Client> | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
  }

  async listen(channel: string, told: Told): Promise<void> {
    const listeners = this.#told.get(channel) ?? new Set()
    listeners.add(told)
    this.#told.set(channel, listeners)
    this.#client ??= this.#open()
    const client = await this.#client
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #open(): Promise<Client> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.#url,
      fallback_application_name: 'octavo-listen',
      keepAlive: true,
    })
    client.on('notification', ({ channel, payload }) => {
      for (const told of this.#told.get(channel) ?? []) told(payload ?? '')
    })
    await client.connect()
    client.on('error', (error) => this.#logger.warn({ err: error }, 'The connection that listens broke'))
    client.on('end', () => this.#lost())
    for (const channel of this.#told.keys()) await client.query(`listen ${client.escapeIdentifier(channel)}`)
    return client
  }

  #lost(): void {
    if (this.#closed) return
    this.#retry = setTimeout(() => void this.#reopen(), retryAfter)
    this.#retry.unref()
  }

  async #reopen(): Promise<void> {
    this.#client = this.#open()
    try {
      await this.#client
    } catch (error) {
      this.#logger.warn({ err: error }, 'The connection that listens could not be made again')
      this.#lost()
      return
    }
    for (const listeners of this.#told.values()) for (const told of listeners) told(undefined)
  }
}
