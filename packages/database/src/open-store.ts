import { availableParallelism } from 'node:os'
import { parseDatabaseUrl } from './database-url.ts'
import { openPglite } from './embedded/pglite-engine.ts'
import { ConfigurationError } from './error/configuration-error.ts'
import { thrownByWork, translateError } from './error/database-error.ts'
import { problem } from './error/problems.ts'
import { atStart } from './error/unreachable.ts'
import type { Logger } from './logger.ts'
import { ExclusiveWork } from './pool/exclusive-work.ts'
import { openPostgres, type PostgresServer } from './postgres/postgres-engine.ts'
import { Replicas } from './postgres/replicas.ts'
import { sql } from './sql/sql.ts'
import { charged, chargedTo } from './store/charges.ts'
import { DatabaseClock } from './store/database-clock.ts'
import type { Engine } from './store/engine.ts'
import { queryable } from './store/queryable.ts'
import type { Store } from './store/store.ts'

/** Times in milliseconds; see the limits of core. */
export interface TimeLimits {
  readonly statementTime: number
  /** Of reads on the embedded database. Default 1,000. */
  readonly embeddedStatementTime?: number
  readonly connectionTime: number
  readonly queueTime: number
  /** Default 60,000. */
  readonly transactionTime?: number
}

export interface OpenStoreOptions {
  /** `memory://`, `file:./dir` or `postgres://…`, with several hosts where there are standbys; see `parseDatabaseUrl`. */
  readonly database: string
  readonly limits: TimeLimits
  /** The URL of the server itself, when `database` is that of a pooler in transaction mode. Default none. */
  readonly directDatabase?: string | undefined
  readonly logger: Logger
  /** Maximum number of connections to a PostgreSQL server. Default {@link defaultConnections}. */
  readonly connections?: number
  /** URLs of streaming replicas that serve reads. Default none. */
  readonly replicas?: readonly string[]
  /** The durability of writes of the embedded engine in a folder. Default `full`. */
  readonly durability?: 'full' | 'relaxed' | undefined
}

/**
 * Two cores use about ten for one content-type, which gets five of seven; the others stay free for other types. More than 40
 * would leave too few of PostgreSQL's default of 100 for other clients.
 */
export const defaultConnections = Math.min(Math.max(7 * availableParallelism(), 14), 40)

/**
 * Opens the database and checks that it is reachable. `updateSchema` creates its tables.
 *
 * @throws ConfigurationError for an invalid `database`, or a directory that another process uses.
 * @throws OctavoError `database/unavailable` when the server is unreachable.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { limits } = options
  const isEmbedded = parseDatabaseUrl(options.database).engine === 'pglite'
  const time = isEmbedded ? embeddedTime(limits) : limits.statementTime
  let isClosed = false
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      // Engines report their end in their own words, some of which are those of a lost connection.
      throw isClosed ? problem('database/closed', {}, { cause: error }) : translateError(error, time)
    })

  const engine = await translated(openEngine(options)).catch((error: unknown) => {
    throw atStart(error, options.database)
  })
  const replicas = await openReplicas(options).catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  const clock = new DatabaseClock(async () => {
    const { rows } = await engine.query('select extract(epoch from clock_timestamp()) * 1000')
    return Number(rows[0]?.[0])
  })
  const session: Store['session'] = (work) => translated(engine.session(work))
  const exclusive = new ExclusiveWork(session)
  const store: Store = {
    engine: engine.name,
    execute: (statement, options) => translated(engine.execute(statement, charged(options))),
    executeOnReplica: async (statement, after, options) =>
      (await replicas?.execute(statement, after, charged(options))) ?? store.execute(statement, options),
    position: async () => {
      if (!replicas) return undefined
      const [row] = await store.run(sql`select pg_current_wal_insert_lsn()::text as "position"`)
      return row?.position ?? undefined
    },
    hasReplicas: replicas !== undefined,
    ...queryable((text, values) => translated(engine.query(text, values, charged(undefined)))),
    transaction: (work, demand) =>
      // A statement beside the transaction has another connection, and does not wait for the share of its caller.
      translated(
        engine.transaction((tx) => chargedTo(undefined, () => work(tx).catch(thrownByWork)), charged(demand)),
      ),
    listen: (channel, handler) => translated(engine.listen(channel, handler)),
    session,
    alone: (name, work) => exclusive.run(name, work),
    connections: () => engine.connections(),
    ping: () => translated(engine.ping()),
    now: () => clock.now(),
    close: async () => {
      clock.stop()
      await replicas?.close()
      await engine.close()
      isClosed = true
    },
  }
  try {
    // The first statement, which tells whether the database is reachable.
    await translated(clock.start())
  } catch (error) {
    await engine.close().catch(() => {})
    throw atStart(error, options.database)
  }
  return store
}

const embeddedTime = (limits: OpenStoreOptions['limits']): number => limits.embeddedStatementTime ?? 1_000

async function openEngine({
  database,
  directDatabase,
  limits: { transactionTime = 60_000, ...limits },
  logger,
  connections = defaultConnections,
  durability,
}: OpenStoreOptions): Promise<Engine> {
  const parsed = parseDatabaseUrl(database)
  if (parsed.engine === 'pglite' && directDatabase !== undefined) throw badDirect()
  checkDurability(durability, parsed.engine)
  if (parsed.engine === 'pglite')
    return openPglite({
      directory: parsed.directory,
      durability: durability ?? 'full',
      queueTime: limits.queueTime,
      connectionTime: limits.connectionTime,
      statementTime: embeddedTime(limits),
      transactionTime,
    })
  const direct = directDatabase === undefined ? undefined : parseDirect(directDatabase)
  return openPostgres({ ...parsed, direct, logger, ...limits, transactionTime, connections })
}

/** @throws ConfigurationError */
function checkDurability(durability: unknown, engine: Engine['name']): void {
  if (durability === undefined) return
  if (durability !== 'full' && durability !== 'relaxed')
    throw new ConfigurationError(`durability must be 'full' or 'relaxed', not ${JSON.stringify(durability)}`)
  if (engine === 'postgresql')
    throw new ConfigurationError(
      'durability is an option of the embedded database; a PostgreSQL server has its setting synchronous_commit',
    )
}

const badDirect = () =>
  new ConfigurationError(
    'directDatabase is the URL of a PostgreSQL server, postgres://user:password@host/name, for a database behind a pooler',
  )

/** @throws ConfigurationError */
function parseDirect(text: string): PostgresServer {
  const parsed = parseDatabaseUrl(text)
  if (parsed.engine !== 'postgresql') throw badDirect()
  return parsed
}

/** @throws ConfigurationError */
async function openReplicas({
  database,
  replicas: urls = [],
  limits,
  logger,
  connections = defaultConnections,
  directDatabase,
}: OpenStoreOptions): Promise<Replicas | undefined> {
  if (urls.length === 0) return undefined
  if (parseDatabaseUrl(database).engine !== 'postgresql')
    throw new ConfigurationError('replicas follow a PostgreSQL server; the embedded database has none')
  for (const [i, url] of urls.entries())
    if (!/^postgres(ql)?:\/\/./.test(url) || hasSeveralHosts(url))
      throw new ConfigurationError(
        `replicas[${i}] must be given as postgres://user:password@host/name, with one host`,
      )
  return Replicas.open({ urls, connections, ...limits, logger, mayBePooled: directDatabase !== undefined })
}

function hasSeveralHosts(url: string): boolean {
  const parsed = parseDatabaseUrl(url)
  return parsed.engine === 'postgresql' && parsed.urls.length > 1
}
