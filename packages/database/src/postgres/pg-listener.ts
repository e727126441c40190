import type { Client } from 'pg'
import type { Logger } from '../logger.ts'
import type { MessageHandler } from '../store/store.ts'

/** Delay before reconnecting, in milliseconds. */
const retryAfter = 1_000

/**
 * Listens for `pg_notify` on a dedicated connection: connections of a pool are shared. The connection is opened by the
 * first `listen`. When it is lost, it is reopened, and every handler is called with `undefined`, because messages may be
 * missing.
 */
export class PgListener {
  #url: string
  readonly #logger: Logger
  readonly #handlers = new Map<string, Set<MessageHandler>>()
  #client: Promise<Client> | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(url: string, logger: Logger) {
    this.#url = url
    this.#logger = logger
  }

  async listen(channel: string, handler: MessageHandler): Promise<void> {
    const handlers = this.#handlers.get(channel) ?? new Set()
    handlers.add(handler)
    this.#handlers.set(channel, handlers)
    this.#client ??= this.#open()
    const client = await this.#client
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }

  /** Continues on another server; messages of the time in between are missing. */
  moveTo(url: string): void {
    this.#url = url
    const former = this.#client
    if (this.#closed || !former) return
    clearTimeout(this.#retry)
    void former
      .then(async (client) => {
        client.removeAllListeners('end')
        await client.end()
      })
      .catch(() => {})
    void this.#reopen()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #open(): Promise<Client> {
    const { default: pg } = await import('pg')
    const url = this.#url
    const client = new pg.Client({
      connectionString: url,
      fallback_application_name: 'octavo-listen',
      keepAlive: true,
    })
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '')
    })
    // Before it is open: PostgreSQL may end the session in the bytes that begin it.
    client.on('error', (error) => this.#logger.warn({ err: error }, 'The connection that listens broke'))
    await client.connect()
    if (url !== this.#url) {
      await client.end()
      throw new Error('Another server became the primary')
    }
    client.on('end', () => this.#lost())
    for (const channel of this.#handlers.keys())
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
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
    for (const handlers of this.#handlers.values()) for (const handler of handlers) handler(undefined)
  }
}
