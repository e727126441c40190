import { isUnavailable, sqlState } from '../error/database-error.ts'
import { problem } from '../error/problems.ts'
import { addressOf, whyUnreachable } from '../error/unreachable.ts'
import type { Logger } from '../logger.ts'

/** Milliseconds between two checks of the primary, and between two searches for one. */
const checkEvery = 2_000
const searchEvery = 500

/** Maximum milliseconds for the answer of one server. */
const patience = 3_000

/** SQLSTATEs of a write on a standby or in a read-only session, and of a server with too many connections. */
const readOnly = '25006'
const tooMany = '53300'

export interface PrimaryOptions {
  /** In the order in which they are tried. At least one. */
  readonly urls: readonly string[]
  /** Milliseconds to open a connection. */
  readonly connectionTime: number
  readonly logger: Logger
}

/** The move of the primary to another server. */
export interface Move {
  readonly url: string
  /** Whether the former primary does not answer. Otherwise it is read-only. */
  readonly isGone: boolean
}

/** Why a server cannot be the primary. */
interface Unfit {
  readonly isGone: boolean
  readonly reason: string
}

/**
 * Knows which of several servers accepts writes, like libpq's `target_session_attrs=read-write`. It is checked every two
 * seconds, and as soon as a statement fails because the server is read-only or gone; then the servers are tried in order
 * until one accepts writes.
 */
export class Primary {
  readonly #urls: readonly string[]
  readonly #patience: number
  readonly #logger: Logger
  #url: string
  #moved: (move: Move) => void = () => {}
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #lookedAt = 0
  #isSuspected = false
  #isLost = false
  #closed = false

  private constructor({ urls, connectionTime, logger }: PrimaryOptions) {
    this.#urls = urls
    this.#patience = Math.min(connectionTime, patience)
    this.#logger = logger
    this.#url = urls[0] ?? ''
  }

  /** @throws OctavoError `database/unavailable`; its cause has the address of each server and its reason. */
  static async find(options: PrimaryOptions): Promise<Primary> {
    const primary = new Primary(options)
    const found = await primary.#search()
    if (!(found instanceof Map)) {
      primary.#url = found.url
      return primary
    }
    const reasons = [...found].map(([url, { reason }]) => `${addressOf(url).trim()}: ${reason}`)
    const cause = new Error(`no server accepts writes (${reasons.join('; ')})`)
    throw problem('database/unavailable', {}, { cause })
  }

  get url(): string {
    return this.#url
  }

  /** Calls `moved` each time another server becomes the primary, until `close`. */
  watch(moved: (move: Move) => void): void {
    this.#moved = moved
    this.#schedule(checkEvery)
  }

  /** Checks the primary when `work` fails because it is read-only or does not answer. */
  async watched<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (sqlState(error) === readOnly || isUnavailable(error)) this.#suspect()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  #suspect(): void {
    if (this.#isSuspected || this.#looking) return
    this.#isSuspected = true
    // At most one search in this time, however many statements fail.
    this.#schedule(Math.max(0, this.#lookedAt + searchEvery - performance.now()))
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined
        this.#lookedAt = performance.now()
        this.#schedule(this.#isLost ? searchEvery : checkEvery)
      })
    }, delay)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    this.#isSuspected = false
    const found = await this.#search()
    if (this.#closed) return
    if (found instanceof Map) {
      const servers = Object.fromEntries(
        [...found].map(([url, { reason }]) => [addressOf(url).trim(), reason]),
      )
      if (!this.#isLost) this.#logger.warn({ servers }, 'No database server accepts writes; searching')
      this.#isLost = true
      return
    }
    if (this.#isLost || found.url !== this.#url)
      this.#logger.info({}, `The database server${addressOf(found.url)} accepts writes`)
    this.#isLost = false
    if (found.url === this.#url) return
    this.#url = found.url
    this.#moved(found)
  }

  /** The first server that accepts writes, the present one before the others; or the reasons of all. */
  async #search(): Promise<Move | Map<string, Unfit>> {
    const unfit = new Map<string, Unfit>()
    for (const url of new Set([this.#url, ...this.#urls])) {
      const reason = await this.#check(url)
      if (!reason || this.#closed) return { url, isGone: unfit.get(this.#url)?.isGone ?? false }
      unfit.set(url, reason)
    }
    return unfit
  }

  async #check(url: string): Promise<Unfit | undefined> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: url,
      fallback_application_name: 'octavo-primary',
      connectionTimeoutMillis: this.#patience,
      query_timeout: this.#patience,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      // `on` for every transaction of a standby as well.
      const { rows } = await client.query<{ readonly transaction_read_only: string }>(
        'show transaction_read_only',
      )
      return rows[0]?.transaction_read_only === 'off'
        ? undefined
        : { isGone: false, reason: 'it is read-only' }
    } catch (error) {
      // Its connections in use are well.
      if (url === this.#url && sqlState(error) === tooMany) return undefined
      return { isGone: true, reason: whyUnreachable(error) }
    } finally {
      await client.end().catch(() => {})
    }
  }
}
