import type { ClientBase } from 'pg'
import { ConfigurationError } from '../error/configuration-error.ts'
import type { Logger } from '../logger.ts'
import { openPool } from '../pool/open-pool.ts'
import { isPooled as isBehindPooler, Pooler } from '../pool/pooler.ts'
import { type Engine, sessionSettings, withoutTimeouts } from '../store/engine.ts'
import { IdleTime } from '../store/idle-time.ts'
import { type RawTransaction, withTransaction } from '../store/queryable.ts'
import { PgListener } from './pg-listener.ts'
import { Primary } from './primary.ts'
import { Pulse } from './pulse.ts'
import { Sessions } from './sessions.ts'

export interface PostgresServer {
  /** At least one. */
  readonly urls: readonly string[]
  /** Whether the server that accepts writes is looked for among them. */
  readonly findsPrimary: boolean
}

export interface PostgresOptions extends PostgresServer {
  /** The server itself, when `urls` are those of a pooler in transaction mode. Default: they are the server's own. */
  readonly direct?: PostgresServer | undefined
  readonly logger: Logger
  /** Time that one statement may take, in milliseconds; the server cancels it. */
  readonly statementTime: number
  /** Milliseconds for one write, with its hooks, and for a wait of a transaction for this process between its statements. */
  readonly transactionTime: number
  /** Time to wait for a new connection to open, in milliseconds. */
  readonly connectionTime: number
  /** Time to wait for a free connection, in milliseconds. */
  readonly queueTime: number
  /** The most connections. */
  readonly connections: number
}

/**
 * Milliseconds that a transaction may wait for this process beyond the time of a write. This process ends slow writes itself; PostgreSQL does so
 * for one that hangs or was cut off, so that its locks are free again.
 */
const silence = 10_000

/** Milliseconds for the answer to a statement that PostgreSQL has ended. */
const moment = 5_000

/**
 * A PostgreSQL server, reached through a pool of pg.
 * @throws the driver's error when it does not answer, or OctavoError `database/unavailable` when none of several accepts writes.
 */
export async function openPostgres({
  urls,
  findsPrimary,
  direct,
  logger,
  statementTime,
  transactionTime,
  connectionTime,
  queueTime,
  connections,
}: PostgresOptions): Promise<Engine> {
  const isPooled = direct !== undefined
  const server = direct ?? { urls, findsPrimary }
  const primary = server.findsPrimary
    ? await Primary.find({ urls: server.urls, connectionTime, logger })
    : undefined
  const serverUrl = (): string => primary?.url ?? server.urls[0] ?? ''
  const behindPooler = isPooled ? serverUrl : undefined
  const common = { url: isPooled ? (urls[0] ?? '') : serverUrl(), connectionTime, queueTime }
  const pool = await openPool({
    ...common,
    name: 'octavo',
    pooler: isPooled ? new Pooler(statementTime) : undefined,
    connections,
    // By then PostgreSQL has ended a statement or a transaction that waits for this process, and a moment has passed.
    silence: { time: Math.max(statementTime, transactionTime + silence) + moment, server: behindPooler },
    settings: [
      ...sessionSettings,
      `set statement_timeout to ${statementTime}`,
      `set idle_in_transaction_session_timeout to ${transactionTime + silence}`,
    ],
    first: async (client) => {
      await checkEncoding(client)
      if (!isPooled) await warnOfPooler(client, logger)
    },
  })
  const listener = new PgListener(serverUrl(), logger, () => pool.query('select 1'))
  const own = await openPool({
    ...common,
    name: 'octavo-health',
    pooler: isPooled ? new Pooler() : undefined,
    connections: 1,
    settings: ['set statement_timeout to 2000', ...withoutTimeouts],
    silence: { time: 2_000 + moment, server: behindPooler },
  })
  const sessions = new Sessions(serverUrl, connectionTime)
  const pulse = new Pulse(own, pool)
  primary?.watch((server) => {
    // A pooler follows the primary by its own means.
    if (!isPooled) for (const one of [pool, own]) one.moveTo(server.url, server)
    listener.moveTo(server.url)
  })
  const watched = <T>(work: Promise<T>): Promise<T> => (primary ? primary.watched(work) : work)

  return {
    name: 'postgresql',
    execute: (statement, options) => watched(pool.execute(statement, options)),
    query: (text, values, demand) => watched(pool.query(text, values, demand)),
    transaction: (work, demand) => {
      const limited = (raw: RawTransaction) => withTransaction(raw, work, new IdleTime(transactionTime))
      return watched(pool.transaction(limited, demand))
    },
    ping: () => pulse.check(),
    session: (work) => sessions.run(work),
    connections: () => pool.figures,
    listen: (channel, handler) => listener.listen(channel, handler),
    close: async () => {
      await primary?.close()
      sessions.close()
      await listener.close()
      await pulse.close()
      await pool.end()
    },
  }
}

/** @throws ConfigurationError for a database that cannot store all characters, or counts bytes in place of characters. */
async function checkEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    `select current_database() as name, current_setting('server_encoding') as encoding`,
  )
  const [{ name, encoding } = { name: '', encoding: 'UTF8' }] = rows
  if (encoding !== 'UTF8')
    throw new ConfigurationError(
      `The database "${name}" has the encoding ${encoding}, in which many characters cannot be stored. Octavo needs one with UTF8: ` +
        `create database "…" template template0 encoding 'UTF8'`,
    )
}

/** Without the option, a pooler in transaction mode would mix up settings, names of statements, and notifications. */
async function warnOfPooler(client: ClientBase, logger: Logger): Promise<void> {
  if (await isBehindPooler(client))
    logger.warn(
      {},
      'The database is behind a pooler; one in transaction mode needs the option directDatabase',
    )
}
