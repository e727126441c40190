import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { Bindable } from '../content-type/attribute-type.ts'
import { problem } from '../error/problems.ts'
import { cancelStatement } from './cancel-request.ts'
import { asText } from './engine.ts'
import { toParameter } from './parameter.ts'
import { type ConnectionNames, PreparedStatements } from './prepared-statements.ts'
import type { RawQuery, RawResult } from './queryable.ts'
import { Slots } from './slots.ts'
import type { ConnectionFigures, ExecuteOptions, Row, Statement } from './store.ts'

const types = { getTypeParser: () => asText }

/** A statement as pg takes it: rows as arrays, values as the text that PostgreSQL sends. */
export const config = (text: string, values: readonly Bindable[], name?: string): QueryArrayConfig => ({
  ...(name !== undefined && { name }),
  text,
  values: values.map(toParameter),
  rowMode: 'array',
  // pg's declaration wants an overload for binary results, which we never ask for.
  types: types as never,
})

/**
 * How long a connection is used. PostgreSQL keeps a record type for every list of columns that a connection has ever
 * selected, 1 to 4 kB each; only the end of the connection frees them. Statements without a name are what brings new
 * lists, so they are counted; the two other bounds are for whatever else grows.
 */
export const recycling = {
  /** Seconds. */
  maxLifetimeSeconds: 3_600,
  /** Statements. */
  maxUses: 100_000,
  /** Statements without a name: at 4 kB each, 20 MB. */
  maxUnnamed: 5_000,
} as const

/** Of the connections, those that heavy statements may take: one in five, so one for each core by default. */
const heavyShare = 5

export interface PostgresPoolOptions {
  /** The most connections. */
  readonly connections: number
  /** Time to wait for a free connection, in milliseconds. */
  readonly connectionTime: number
}

/** A pool of pg's whose connections have their statements named and bounded. */
export class PostgresPool {
  readonly #pool: Pool
  readonly #prepared = new PreparedStatements()
  readonly #names = new WeakMap<PoolClient, ConnectionNames>()
  readonly #heavy: Slots
  #recycled = 0
  #cancelled = 0

  constructor(pool: Pool, { connections, connectionTime }: PostgresPoolOptions) {
    this.#pool = pool
    this.#heavy = new Slots(Math.max(1, Math.floor(connections / heavyShare)), connectionTime)
    pool.on('remove', (client) => this.#names.get(client)?.forget())
  }

  get figures(): ConnectionFigures {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool
    return {
      open,
      idle,
      waiting,
      heavyWaiting: this.#heavy.waiting,
      recycled: this.#recycled,
      cancelled: this.#cancelled,
      ...this.#prepared.figures,
    }
  }

  /** Runs a statement of a shape that comes again, under a name when it has come often. */
  execute({ text, values }: Statement, { signal, heavy }: ExecuteOptions = {}): Promise<readonly Row[]> {
    const run = (): Promise<readonly Row[]> =>
      this.#use(async (client, discard) => {
        // It may have waited for the connection.
        if (signal?.aborted) throw problem('database/abandoned', {})
        const names = this.#namesOf(client)
        const query = config(text, values, names.of(text))
        await deallocate(client, names)
        return this.#run(client, query, discard, signal)
      })
    return heavy ? this.#heavy.run(run, signal) : run()
  }

  async query(text: string, values: readonly Bindable[] = []): Promise<RawResult> {
    return resultOf(await this.#pool.query(config(text, values)))
  }

  /** A client for a transaction; statements with values are of few shapes, and named. */
  async transaction<T>(work: (query: RawQuery) => Promise<T>): Promise<T> {
    return this.#use(async (client, discard) => {
      const names = this.#namesOf(client)
      try {
        await client.query('begin')
        const result = await work(async (text, values = []) => {
          const name = values.length > 0 ? names.of(text) : undefined
          await deallocate(client, names)
          return resultOf(await client.query(config(text, values, name)))
        })
        await client.query('commit')
        return result
      } catch (error) {
        // A failing rollback must not hide why; its connection is thrown away.
        await client.query('rollback').catch(discard)
        throw error
      }
    })
  }

  /** Ends it, unless somebody did. */
  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  /** @param work may have its connection thrown away rather than used again. */
  async #use<T>(work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let isDiscarded = false
    try {
      return await work(client, () => {
        isDiscarded = true
      })
    } finally {
      const isWorn = this.#namesOf(client).unnamed >= recycling.maxUnnamed
      if (isWorn) this.#recycled += 1
      client.release(isDiscarded || isWorn)
    }
  }

  async #run(
    client: PoolClient,
    query: QueryArrayConfig,
    discard: () => void,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    if (!signal) return (await client.query(query)).rows
    let cancelling: Promise<void> | undefined
    const cancel = (): void => {
      this.#cancelled += 1
      discard()
      cancelling = cancelStatement(client)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return (await client.query(query)).rows
    } catch (error) {
      throw cancelling ? problem('database/abandoned', {}, { cause: error }) : error
    } finally {
      signal.removeEventListener('abort', cancel)
      // The connection goes only after the request has been delivered, and is thrown away: it cancels nothing else.
      await cancelling
    }
  }

  #namesOf(client: PoolClient): ConnectionNames {
    let names = this.#names.get(client)
    if (!names) {
      names = this.#prepared.connection()
      this.#names.set(client, names)
    }
    return names
  }
}

/** A text of several statements has a list of results, of which none is needed. */
const resultOf = ({ fields = [], rows = [] }: Partial<QueryArrayResult>): RawResult => ({
  columns: fields.map(({ name }) => name),
  rows,
})

/** pg remembers the text of each name that it sent, and has no way to forget one: its own field, undeclared. */
interface Remembering {
  readonly connection?: { readonly parsedStatements?: Record<string, string> }
}

async function deallocate(client: PoolClient, names: ConnectionNames): Promise<void> {
  const evicted = names.takeEvicted()
  if (evicted.length === 0) return
  const sent = (client as unknown as Remembering).connection?.parsedStatements
  // A name whose statement failed to parse was never made.
  const made = sent ? evicted.filter((name) => Object.hasOwn(sent, name)) : evicted
  if (made.length === 0) return
  await client.query(made.map((name) => `deallocate ${name}`).join('; '))
  for (const name of made) if (sent) delete sent[name]
}

export interface PoolOptions extends PostgresPoolOptions {
  readonly url: string
  /** The application name in `pg_stat_activity`, unless the URL gives one. */
  readonly name: string
  /** Statements that each connection runs first. */
  readonly settings: readonly string[]
}

export async function openPool({ url, name, settings, ...options }: PoolOptions): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: name,
    max: options.connections,
    keepAlive: true,
    connectionTimeoutMillis: options.connectionTime,
    maxLifetimeSeconds: recycling.maxLifetimeSeconds,
    maxUses: recycling.maxUses,
    // Awaited before the connection is first used. Not start-up options: poolers such as PgBouncer refuse those.
    onConnect: async (client) => void (await client.query(settings.join('; '))),
  })
  // A connection that breaks rejects the statement that it runs, and is replaced when the next one is needed. Without a
  // listener the event would end the process: the pool's is for idle connections, the client's for those in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresPool(pool, options)
}
