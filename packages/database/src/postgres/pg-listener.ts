import type { Client } from 'pg'
import type { Logger } from '../logger.ts'
import { RepeatedFailure } from '../repeated-failure.ts'
import { withoutTimeouts } from '../store/engine.ts'
import type { MessageHandler } from '../store/store.ts'
import { keptAlive } from '../wire/keep-alive.ts'

/** Delay before reconnecting, in milliseconds. */
const retryAfter = 1_000

/** Milliseconds for a connection, and for the answer to a statement on it, after which the server counts as gone. */
const patience = 30_000

/**
 * Listens for `pg_notify` on a dedicated connection: connections of a pool are shared. The connection is opened by the
 * first `listen`. When it is lost, it is reopened, and every handler is called with `undefined`, because messages may be
 * missing. As long as it cannot be reopened, although the database answers on other connections, every handler is called so after each
 * attempt: what a process has in memory, such as the right of a caller, would otherwise outlive its revocation.
 */
export class PgListener {
  #url: string
  readonly #logger: Logger
  readonly #askOthers: () => Promise<unknown>
  readonly #failing: RepeatedFailure
  readonly #handlers = new Map<string, Set<MessageHandler>>()
  #client: Promise<Client> | undefined
  /** The number of connections that were begun. Only the last one is used; the others end. */
  #begun = 0
  #retry: NodeJS.Timeout | undefined
  #closed = false
  #isAsking = false

  /** @param askOthers Rejects when the database does not answer on the connections of statements. */
  constructor(url: string, logger: Logger, askOthers: () => Promise<unknown>) {
    this.#url = url
    this.#logger = logger
    this.#askOthers = askOthers
    this.#failing = new RepeatedFailure((fields) =>
      logger.warn(fields, 'The connection that listens could not be made again'),
    )
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
    void this.#reopen()
    void former.then((client) => client.end()).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  /** A connection that listens on all channels. A connection that fails is ended, since each retry would leave one more open. */
  async #open(): Promise<Client> {
    this.#begun += 1
    const number = this.#begun
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.#url,
      fallback_application_name: 'octavo-listen',
      connectionTimeoutMillis: patience,
      query_timeout: patience,
      ...keptAlive,
    })
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(payload ?? '')
    })
    let isOpen = false
    // Before it is open: PostgreSQL may end the session in the bytes that begin it. The attempt fails then, which is logged once.
    client.on('error', (error) => {
      if (isOpen) this.#logger.warn({ err: error }, 'The connection that listens broke')
    })
    client.on('end', () => {
      if (isOpen && number === this.#begun) this.#reopenLater()
    })
    try {
      await client.connect()
      const channels = [...this.#handlers.keys()].map(
        (channel) => `listen ${client.escapeIdentifier(channel)}`,
      )
      await client.query([...withoutTimeouts, ...channels].join('; '))
      if (number !== this.#begun) throw new Error('Another server became the primary')
      isOpen = true
      return client
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  #reopenLater(): void {
    clearTimeout(this.#retry)
    if (this.#closed) return
    this.#retry = setTimeout(() => void this.#reopen(), retryAfter)
    this.#retry.unref()
  }

  async #reopen(): Promise<void> {
    clearTimeout(this.#retry)
    const opening = this.#open()
    this.#client = opening
    // An attempt may last as long as the patience.
    const meanwhile = setInterval(() => void this.#missMeanwhile(), retryAfter).unref()
    try {
      await opening
    } catch (error) {
      if (this.#client !== opening) return // another server became the primary, and another connection was begun
      this.#failing.failed(error)
      this.#reopenLater()
      void this.#missMeanwhile()
      return
    } finally {
      clearInterval(meanwhile)
    }
    this.#failing.succeeded()
    this.#miss()
  }

  /** Messages may be missing. */
  #miss(): void {
    for (const handlers of this.#handlers.values()) for (const handler of handlers) handler(undefined)
  }

  /** Other processes write and send messages, too, while statements are answered. Handlers of a database that is away could only fail. */
  async #missMeanwhile(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const isAnswering = await this.#askOthers().then(
      () => true,
      () => false,
    )
    this.#isAsking = false
    if (isAnswering && !this.#closed) this.#miss()
  }
}
