import type { Pool, PoolClient } from 'pg'
import type { ConnectionFigures } from '../store/store.ts'
import { type ConnectionNames, PreparedStatements } from '../wire/prepared-statements.ts'
import { closeStatements, type Pooler } from './pooler.ts'
import { isAtWork, isReached, type Silence, SilentConnections } from './silent-connections.ts'

/**
 * Maximum use of a connection before it is replaced. PostgreSQL stores a record type for every distinct select list of a
 * connection, 1 to 4 kB each, until the connection ends. New select lists come from unnamed statements, so those are
 * counted; the two other bounds limit any other growth.
 */
export const recycling = {
  /** Seconds. */
  maxLifetimeSeconds: 3_600,
  /** Reads and transactions. */
  maxUses: 100_000,
  /** Unnamed statements: at 4 kB each, 20 MB. */
  maxUnnamed: 5_000,
} as const

const { maxUses, maxUnnamed } = recycling

/** The number of uses of a connection before it goes to pg's pool, although more work comes for it. */
const timesInTurn = 100

/** Milliseconds that a free connection waits for more work before it goes to pg's pool. */
const freeTime = 100

/** The destination of a connection after its work: the next work, to pg's pool, or nowhere. */
export type Next = 'reuse' | 'pool' | 'close'

interface Used {
  readonly names: ConnectionNames
  times: number
}

/** Connections to one server, with bounded prepared statements each. The connection that was released last is taken first. */
export class Connections {
  readonly #open: (url: string) => Pool
  readonly #pooler: Pooler | undefined
  #pool: Pool
  readonly #prepared = new PreparedStatements()
  readonly #used = new WeakMap<PoolClient, Used>()
  /** The open connections of each pool. */
  readonly #clients = new WeakMap<Pool, Set<PoolClient>>()
  /** Connections whose work has just ended, or a short time ago. */
  readonly #freed: PoolClient[] = []
  #returning: NodeJS.Timeout | undefined
  #recycled = 0

  readonly #silent: SilentConnections | undefined
  #url: string

  /**
   * @param pooler For a URL that may be that of a pooler in transaction mode.
   * @param silence Default: connections may be silent for ever.
   */
  constructor(
    open: (url: string) => Pool,
    url: string,
    pooler: Pooler | undefined,
    silence: Silence | undefined,
  ) {
    this.#open = open
    this.#pooler = pooler
    this.#url = url
    if (silence) {
      const { time, server, lookEvery } = silence
      this.#silent = new SilentConnections({
        silence: time,
        lookEvery,
        isAtWork: (id) => (server ? isReached(this.#url, server()) : isAtWork(this.#url, id)),
      })
    }
    this.#pool = this.#opened(url)
  }

  get figures(): Pick<ConnectionFigures, 'open' | 'idle' | 'recycled' | keyof PreparedStatements['figures']> {
    const { totalCount: open, idleCount } = this.#pool
    return { open, idle: idleCount + this.#freed.length, recycled: this.#recycled, ...this.#prepared.figures }
  }

  /** Takes a free connection, or opens one. Its taker calls {@link release}. */
  take(callback: (error: Error | undefined, client: PoolClient | undefined) => void): void {
    const freed = this.#freed.pop()
    if (freed) {
      this.#silent?.taken(freed)
      callback(undefined, freed)
    } else
      this.#pool.connect((error, client) => {
        if (client) this.#silent?.taken(client)
        callback(error, client)
      })
  }

  /**
   * Frees a connection for the next work. pg's pool takes a turn of the event loop, two timers and four listeners to give a
   * connection to the next statement. A connection therefore goes there only when nothing needs it for a moment, or after an
   * error: it may be broken, and pg's pool checks it.
   */
  release(client: PoolClient, next: Next): void {
    this.#silent?.released(client)
    const used = this.#usedOf(client)
    used.times += 1
    const isWorn = used.times >= maxUses || (this.mayName(client) && used.names.unnamed >= maxUnnamed)
    if (isWorn) this.#recycled += 1
    // pg's pool closes connections that are too old, and those to a former server.
    const mayBeReused =
      used.times % timesInTurn !== 0 && !this.#pool.ending && this.#clients.get(this.#pool)?.has(client)
    if (next === 'close' || isWorn) client.release(true)
    else if (next === 'pool' || !mayBeReused) client.release()
    else {
      this.#freed.push(client)
      this.#returning ??= setTimeout(() => this.#returnFreed(), freeTime).unref()
    }
  }

  namesOf(client: PoolClient): ConnectionNames {
    return this.#usedOf(client).names
  }

  /** Whether statements of a connection may be named. */
  mayName(client: PoolClient): boolean {
    return this.#pooler?.mayName(client) ?? true
  }

  /** Deallocates the evicted statements of a connection. */
  async closeEvicted(client: PoolClient): Promise<void> {
    const names = this.namesOf(client)
    if (!names.hasEvicted) return
    const evicted = names.takeEvicted()
    const sent = (client as unknown as Remembering).connection?.parsedStatements
    // A statement that failed to parse was never prepared.
    const made = sent ? evicted.filter((name) => Object.hasOwn(sent, name)) : evicted
    if (made.length === 0) return
    await closeStatements(client, made)
    for (const name of made) if (sent) delete sent[name]
  }

  /**
   * Continues with connections to another server. Idle connections to the former one are closed at once, those in use when
   * they become free, or at once as well when that server is gone: their statements would never be answered.
   */
  moveTo(url: string, { isGone }: { readonly isGone: boolean }): void {
    const former = this.#pool
    if (former.ending) return
    this.#returnFreed()
    this.#url = url
    this.#pool = this.#opened(url)
    if (isGone) for (const client of this.#clients.get(former) ?? []) void client.end().catch(() => {})
    void former.end()
  }

  /** Closes the connections, once. */
  async end(): Promise<void> {
    this.#returnFreed()
    if (!this.#pool.ending) await this.#pool.end()
  }

  #opened(url: string): Pool {
    const pool = this.#open(url)
    const clients = new Set<PoolClient>()
    pool.on('connect', (client) => {
      clients.add(client)
      client.on('error', () => this.#closeFreed(client))
      client.on('end', () => this.#closeFreed(client))
    })
    pool.on('remove', (client) => {
      clients.delete(client)
      this.#used.get(client)?.names.forget()
    })
    this.#clients.set(pool, clients)
    return pool
  }

  #returnFreed(): void {
    clearTimeout(this.#returning)
    this.#returning = undefined
    for (const client of this.#freed.splice(0)) client.release()
  }

  /** For a connection that the server has closed while it had no work. */
  #closeFreed(client: PoolClient): void {
    const at = this.#freed.indexOf(client)
    if (at !== -1) this.#freed.splice(at, 1)[0]?.release(true)
  }

  #usedOf(client: PoolClient): Used {
    let used = this.#used.get(client)
    if (!used) {
      used = { names: this.#prepared.connection(), times: 0 }
      this.#used.set(client, used)
    }
    return used
  }
}

/** pg's undeclared record of the statements that it has prepared; pg has no method to remove one. */
interface Remembering {
  readonly connection?: { readonly parsedStatements?: Record<string, string> }
}
