import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import { Admission } from '../admission/admission.ts'
import { few } from '../admission/options.ts'
import type { Demand, Place } from '../admission/work.ts'
import { isUnavailable, notedAlone } from '../error/database-error.ts'
import { problem } from '../error/problems.ts'
import { toParameter } from '../sql/parameter.ts'
import type { Bindable } from '../sql/sql.ts'
import { asText } from '../store/engine.ts'
import type { RawResult, RawTransaction } from '../store/queryable.ts'
import type { ConnectionFigures, ExecuteOptions, Row, Statement } from '../store/store.ts'
import type { BatchStatement } from '../wire/batch.ts'
import { type Done, runCancellable } from '../wire/cancellable.ts'
import { Connections, type Next } from './connections.ts'
import { GatheredReads, mayBeGathered, type Read, SharedRead } from './gathered-reads.ts'
import { GatheredWrites } from './gathered-writes.ts'
import { Gatherer } from './gatherer.ts'
import { PgTransaction } from './pg-transaction.ts'
import type { Pooler } from './pooler.ts'
import type { Silence } from './silent-connections.ts'
import { stopwatch } from './stopwatch.ts'

const types = { getTypeParser: () => asText }

/** pg's query config: rows as arrays, values as the text that PostgreSQL sends. */
const config = (text: string, values: readonly Bindable[]): QueryArrayConfig => ({
  text,
  values: values.map(toParameter),
  rowMode: 'array',
  // pg's type requires an overload for binary results, which are never requested.
  types: types as never,
})

/** Whether a text is one statement that changes no rows; a text with several statements does not count. */
const isReading = (text: string): boolean =>
  /^\s*(select|show|explain|table|values)\b/i.test(text) && !text.includes(';')

/** PostgreSQL announces the end of a connection before it closes it, and pg's pool would use it meanwhile. */
const afterError = (error: unknown): Next => {
  if (error === undefined) return 'reuse'
  return isUnavailable(error) ? 'close' : 'pool'
}

/**
 * Milliseconds that the reads of one message are expected to take together: how much longer the answer to the first may take than
 * if it had been sent alone.
 */
const longestRoundOfReads = 4

/** Until the end of its message, which is one transaction for PostgreSQL. */
const planAnewText = `select set_config('plan_cache_mode', 'force_custom_plan', true)`
const planAnew = (name: string | undefined): BatchStatement => ({ text: planAnewText, name, values: [] })

export interface PostgresPoolOptions {
  /** Maximum number of connections. */
  readonly connections: number
  /** Milliseconds to open a connection, and to wait for one for heavy statements. */
  readonly connectionTime: number
  /** Milliseconds to wait for a connection. */
  readonly queueTime: number
  /** For a URL that may be that of a pooler in transaction mode. Default: connections are the server's own. */
  readonly pooler?: Pooler | undefined
  /** Milliseconds that reads or writes which are sent together are expected to take at most. Default 4 and 10. */
  readonly longestRound?: number | undefined
  /** See {@link SilentConnections}. Default: connections may be silent for ever. */
  readonly silence?: Silence
}

/** Runs reads and transactions on the connections of a server, as many at once as it admits. */
export class PostgresPool {
  readonly #connections: Connections
  readonly #admission: Admission
  readonly #reads: Gatherer<SharedRead>
  readonly #writes: GatheredWrites
  #cancelled = 0

  constructor(
    open: (url: string) => Pool,
    url: string,
    { connections, connectionTime, queueTime, pooler, longestRound, silence }: PostgresPoolOptions,
  ) {
    this.#connections = new Connections(open, url, pooler, silence)
    this.#admission = new Admission({ connections, queueTime, heavyTime: connectionTime, unrefused: few })
    this.#reads = new Gatherer(
      (reads) => this.#send(new GatheredReads(reads)),
      longestRound ?? longestRoundOfReads,
      (known, read) => known.join(read),
    )
    this.#writes = new GatheredWrites(longestRound)
  }

  get figures(): ConnectionFigures {
    const { waiting, heavyWaiting, refused } = this.#admission
    return { waiting, heavyWaiting, refused, cancelled: this.#cancelled, ...this.#connections.figures }
  }

  /** When a statement was last answered without an error, as `performance.now()`. */
  answered = Number.NEGATIVE_INFINITY

  /** Runs a cacheable statement; it is prepared under a name after some uses. */
  execute(statement: Statement, demand: ExecuteOptions = {}): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      // Before a connection is taken, which an invalid value would leave in use.
      const values = statement.values.map(toParameter)
      const done: Read['done'] = (error, rows) => (error ? reject(error) : resolve(rows))
      const heavy = demand.heavy || this.#admission.isHeavy(statement.text, demand.caller)
      const read = { statement, values, demand: heavy ? { ...demand, heavy } : demand, done }
      const shared = new SharedRead(read)
      if (mayBeGathered(read)) this.#reads.add(shared, statement.text)
      else this.#send(new GatheredReads([shared]))
    })
  }

  /** Runs a statement by itself. The statement of a caller is heavy by its text, like a read. */
  async query(text: string, values: readonly Bindable[] = [], demand: Demand = {}): Promise<RawResult> {
    const run = async (client: PoolClient): Promise<RawResult> => {
      const start = performance.now()
      let hasFailed = true
      try {
        const result = await client.query(config(text, values))
        hasFailed = false
        return resultOf(result)
      } catch (error) {
        throw isReading(text) ? error : notedAlone(error as Error) // pg rejects with errors
      } finally {
        this.#admission.took(text, performance.now() - start, hasFailed)
      }
    }
    if (demand.caller === undefined) return this.#use(run, demand)
    const heavy = demand.heavy || this.#admission.isHeavy(text, demand.caller)
    return this.#use(run, { ...demand, heavy, unknown: this.#admission.isUnknown(text), shape: text })
  }

  /** A client for a transaction; its statements with values have few shapes and are prepared. */
  transaction<T>(work: (transaction: RawTransaction) => Promise<T>, demand: Demand = {}): Promise<T> {
    return this.#use(async (client, discard) => {
      const transaction = new PgTransaction({
        client,
        names: this.#connections.namesOf(client),
        mayName: this.#connections.mayName(client),
        plain: async (text) => resultOf(await client.query(config(text, []))),
        deallocate: () => this.#connections.closeEvicted(client),
        gathered: this.#writes,
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

  /** As {@link Connections.moveTo}. */
  moveTo(url: string, former: { readonly isGone: boolean }): void {
    this.#connections.moveTo(url, former)
  }

  /** Closes the connections, once. */
  end(): Promise<void> {
    return this.#connections.end()
  }

  /** @param work May cause its connection to be closed instead of reused. */
  #use<T>(work: (client: PoolClient, discard: () => void) => Promise<T>, demand: Demand): Promise<T> {
    return this.#admission.run(() => this.#connected(work), demand)
  }

  async #connected<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await new Promise<PoolClient>((resolve, reject) =>
      this.#connections.take((error, taken) => (taken ? resolve(taken) : reject(error))),
    )
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
      this.#connections.release(client, next)
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
        else for (const read of skipped) this.#send(new GatheredReads([read]))
      })
    const { demand, text } = gathered
    const unknown = this.#admission.isUnknown(text)
    this.#admission.enter(unknown ? { ...demand, unknown } : demand, start, (error) => gathered.fail(error))
  }

  #execute(gathered: GatheredReads, callback: (error: Error | undefined, completed: number) => void): void {
    const connections = this.#connections
    connections.take((error, client) => {
      if (!client) return callback(error, 0)
      const done: Done = (error, completed, isCancelled) => {
        if (isCancelled) this.#cancelled += 1
        connections.release(client, isCancelled ? 'close' : afterError(error))
        callback(error, completed)
      }
      const names = connections.namesOf(client)
      const { text, isPlanned } = gathered
      const name = connections.mayName(client) ? names.of(text) : undefined
      // PostgreSQL plans a statement without a name each time.
      const before = isPlanned && name !== undefined ? [planAnew(names.of(planAnewText))] : []
      const run = (): void => {
        // The requests may have been aborted while they waited for a connection.
        if (gathered.aborted) {
          done(problem('database/abandoned', {}), 0, false)
          return
        }
        const elapsed = stopwatch()
        const statements = [...before, ...gathered.statements(name)]
        runCancellable(client, statements, gathered, (error, completed, isCancelled) => {
          const time = elapsed()
          if (!error) {
            this.answered = performance.now()
            this.#reads.took(time, text, gathered.size)
          }
          this.#admission.took(text, time.milliseconds, error !== undefined, gathered.size)
          done(error, Math.max(0, completed - before.length), isCancelled)
        })
      }
      if (names.hasEvicted)
        connections.closeEvicted(client).then(run, (error: Error) => done(error, 0, false))
      else run()
    })
  }
}

/** A text with several statements has a list of results, which is not used. */
const resultOf = ({ fields = [], rows = [] }: Partial<QueryArrayResult>): RawResult => ({
  columns: fields.map(({ name }) => name),
  rows,
})
