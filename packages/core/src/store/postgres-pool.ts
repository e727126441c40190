import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { Bindable } from '../content-type/attribute-type.ts'
import { problem } from '../error/problems.ts'
import { Admission, type Demand, type Place } from './admission.ts'
import { type Done, runCancellable } from './cancellable.ts'
import { isUnavailable } from './database-error.ts'
import { asText } from './engine.ts'
import { GatheredReads, Gatherer, type Read } from './gathered-reads.ts'
import { toParameter } from './parameter.ts'
import { PgTransaction } from './pg-transaction.ts'
import { closeStatements, isPooled, type Pooler } from './pooler.ts'
import { type ConnectionNames, PreparedStatements } from './prepared-statements.ts'
import type { RawResult, RawTransaction } from './queryable.ts'
import type { ConnectionFigures, ExecuteOptions, Row, Statement } from './store.ts'

const types = { getTypeParser: () => asText }

/** pg's query config: rows as arrays, values as the text that PostgreSQL sends. */
export const config = (text: string, values: readonly Bindable[], name?: string): QueryArrayConfig => ({
  ...(name !== undefined && { name }),
  text,
  values: values.map(toParameter),
  rowMode: 'array',
  // pg's type requires an overload for binary results, which are never requested.
  types: types as never,
})

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

/** How often a connection is used before it goes to pg's pool, although more work comes for it. */
const timesInTurn = 100

/** Milliseconds that a free connection waits for more work before it goes to pg's pool. */
const freeTime = 100

/** Where a connection goes after its work: to the next work, to pg's pool, or nowhere. */
type Next = 'reuse' | 'pool' | 'close'

/** PostgreSQL announces the end of a connection before it closes it, and pg's pool would use it meanwhile. */
const afterError = (error: unknown): Next => {
  if (error === undefined) return 'reuse'
  return isUnavailable(error) ? 'close' : 'pool'
}

interface UsedConnection {
  readonly names: ConnectionNames
  times: number
}

export interface PostgresPoolOptions {
  /** Maximum number of connections. */
  readonly connections: number
  /** Milliseconds to open a connection, and to wait for one for heavy statements. */
  readonly connectionTime: number
  /** Milliseconds to wait for a connection. */
  readonly queueTime: number
  /** For a URL that may be that of a pooler in transaction mode. Default: connections are the server's own. */
  readonly pooler?: Pooler | undefined
  /** Milliseconds that reads which are sent together are expected to take at most. Default 2. */
  readonly longestRound?: number | undefined
}

/** A pg pool with bounded prepared statements per connection. */
export class PostgresPool {
  #pool: Pool
  readonly #open: (url: string) => Pool
  readonly #prepared = new PreparedStatements()
  readonly #used = new WeakMap<PoolClient, UsedConnection>()
  /** The open connections of each pool. */
  readonly #clients = new WeakMap<Pool, Set<PoolClient>>()
  readonly #admission: Admission
  readonly #gatherer: Gatherer
  readonly #pooler: Pooler | undefined
  /** Connections whose work has just ended, or a short time ago. */
  readonly #freed: PoolClient[] = []
  #returning: NodeJS.Timeout | undefined
  #recycled = 0
  #cancelled = 0

  constructor(
    open: (url: string) => Pool,
    url: string,
    { connections, connectionTime, queueTime, pooler, longestRound }: PostgresPoolOptions,
  ) {
    this.#open = open
    this.#pooler = pooler
    this.#admission = new Admission({ connections, queueTime, heavyTime: connectionTime })
    this.#gatherer = new Gatherer((reads) => this.#send(reads), longestRound)
    this.#pool = this.#opened(url)
  }

  get figures(): ConnectionFigures {
    const { totalCount: open, idleCount } = this.#pool
    const { waiting, heavyWaiting, refused } = this.#admission
    return {
      open,
      idle: idleCount + this.#freed.length,
      waiting,
      heavyWaiting,
      refused,
      recycled: this.#recycled,
      cancelled: this.#cancelled,
      ...this.#prepared.figures,
    }
  }

  /** Runs a cacheable statement; it is prepared under a name after some uses. */
  execute(statement: Statement, demand: ExecuteOptions = {}): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      // Before a connection is taken, which an invalid value would leave in use.
      const values = statement.values.map(toParameter)
      const done: Read['done'] = (error, rows) => (error ? reject(error) : resolve(rows))
      this.#gatherer.add({ statement, values, demand, done })
    })
  }

  async query(text: string, values: readonly Bindable[] = []): Promise<RawResult> {
    return resultOf(await this.#use((client) => client.query(config(text, values)), {}))
  }

  /** A client for a transaction; its statements with values have few shapes and are prepared. */
  transaction<T>(work: (transaction: RawTransaction) => Promise<T>, demand: Demand = {}): Promise<T> {
    return this.#use(async (client, discard) => {
      const { names } = this.#usedOf(client)
      const transaction = new PgTransaction({
        client,
        names,
        mayName: this.#mayName(client),
        plain: async (text) => resultOf(await client.query(config(text, []))),
        deallocate: () => deallocate(client, names),
      })
      try {
        const result = await work(transaction)
        await transaction.commit()
        return result
      } catch (error) {
        // A failing rollback must not hide the original error; its connection is closed.
        await transaction.rollback().catch(discard)
        throw error
      }
    }, demand)
  }

  /**
   * Continues with connections to another server. Idle connections to the former one are closed at once, those in use when
   * they become free, or at once as well when that server is gone: their statements would never be answered.
   */
  moveTo(url: string, { isGone }: { readonly isGone: boolean }): void {
    const former = this.#pool
    if (former.ending) return
    this.#returnFreed()
    this.#pool = this.#opened(url)
    if (isGone) for (const client of this.#clients.get(former) ?? []) void client.end().catch(() => {})
    void former.end()
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

  /** Whether its connections go through a pooler. */
  isPooled(): Promise<boolean> {
    return this.#connected((client) => isPooled(client))
  }

  /** Closes the pool, once. */
  async end(): Promise<void> {
    this.#returnFreed()
    if (!this.#pool.ending) await this.#pool.end()
  }

  /** @param work May cause its connection to be closed instead of reused. */
  #use<T>(work: (client: PoolClient, discard: () => void) => Promise<T>, demand: Demand): Promise<T> {
    return this.#admission.run(() => this.#connected(work), demand)
  }

  async #connected<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = this.#freed.pop() ?? (await this.#pool.connect())
    let next: Next = 'pool'
    try {
      const result = await work(client, () => {
        next = 'close'
      })
      if (next === 'pool') next = 'reuse'
      return result
    } catch (error) {
      if (isUnavailable(error)) next = 'close'
      throw error
    } finally {
      this.#release(client, next)
    }
  }

  /** With callbacks: each promise that is awaited on this path takes time from every read. */
  #send(gathered: GatheredReads): void {
    const start = (place: Place): void =>
      this.#execute(gathered, (error, completed) => {
        this.#admission.leave(place)
        const skipped = gathered.end(error, completed)
        // An error of the connection is one of all reads on it.
        if (error && isUnavailable(error)) gathered.fail(error)
        else for (const read of skipped) this.#send(new GatheredReads(read))
      })
    this.#admission.enter(gathered.demand, start, (error) => gathered.fail(error))
  }

  #execute(gathered: GatheredReads, callback: (error: Error | undefined, completed: number) => void): void {
    this.#connect((error, client) => {
      if (!client) return callback(error, 0)
      const done: Done = (error, completed, isCancelled) => {
        if (isCancelled) this.#cancelled += 1
        this.#release(client, isCancelled ? 'close' : afterError(error))
        callback(error, completed)
      }
      // The requests may have been aborted while they waited for a connection.
      if (gathered.aborted) return done(problem('database/abandoned', {}), 0, false)
      const { names } = this.#usedOf(client)
      const { text, isPlanned } = gathered
      const name = isPlanned || !this.#mayName(client) ? undefined : names.of(text)
      const run = (): void => {
        const start = performance.now()
        runCancellable(client, gathered.statements(name), gathered, (error, completed, isCancelled) => {
          if (!error) this.#gatherer.took(performance.now() - start, gathered)
          done(error, completed, isCancelled)
        })
      }
      if (names.hasEvicted) deallocate(client, names).then(run, (error: Error) => done(error, 0, false))
      else run()
    })
  }

  /** Takes a connection: one whose work has just ended, or one of pg's pool. */
  #connect(callback: (error: Error | undefined, client: PoolClient | undefined) => void): void {
    const freed = this.#freed.pop()
    if (freed) callback(undefined, freed)
    else this.#pool.connect(callback)
  }

  /**
   * Frees a connection for the next work. pg's pool takes a turn of the event loop, two timers and four listeners to give a
   * connection to the next statement, so a connection goes there only when nothing takes it for a moment, or after an
   * error: it may be broken, and pg's pool checks it.
   */
  #release(client: PoolClient, next: Next): void {
    const used = this.#usedOf(client)
    used.times += 1
    const isWorn = used.times >= maxUses || (this.#mayName(client) && used.names.unnamed >= maxUnnamed)
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

  #mayName(client: PoolClient): boolean {
    return this.#pooler?.mayName(client) ?? true
  }

  #usedOf(client: PoolClient): UsedConnection {
    let used = this.#used.get(client)
    if (!used) {
      used = { names: this.#prepared.connection(), times: 0 }
      this.#used.set(client, used)
    }
    return used
  }
}

/** A text with several statements has a list of results, which is not used. */
const resultOf = ({ fields = [], rows = [] }: Partial<QueryArrayResult>): RawResult => ({
  columns: fields.map(({ name }) => name),
  rows,
})

/** pg's undeclared record of the statements that it has prepared; pg has no method to remove one. */
interface Remembering {
  readonly connection?: { readonly parsedStatements?: Record<string, string> }
}

async function deallocate(client: PoolClient, names: ConnectionNames): Promise<void> {
  if (!names.hasEvicted) return
  const evicted = names.takeEvicted()
  const sent = (client as unknown as Remembering).connection?.parsedStatements
  // A statement that failed to parse was never prepared.
  const made = sent ? evicted.filter((name) => Object.hasOwn(sent, name)) : evicted
  if (made.length === 0) return
  await closeStatements(client, made)
  for (const name of made) if (sent) delete sent[name]
}
