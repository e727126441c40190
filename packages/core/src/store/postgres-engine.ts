import type { Logger } from '../logger.ts'
import { type Engine, sessionSettings } from './engine.ts'
import { PgListener } from './pg-listener.ts'
import { openPool } from './postgres-pool.ts'
import { Primary } from './primary.ts'
import { Pulse } from './pulse.ts'
import { transactionOf } from './queryable.ts'

export interface PostgresOptions {
  /** At least one. */
  readonly urls: readonly string[]
  /** Whether the server that accepts writes is looked for among them. */
  readonly findsPrimary: boolean
  readonly logger: Logger
  /** Time that one statement may take, in milliseconds; the server cancels it. */
  readonly statementTime: number
  /** Time to wait for a new connection to open, in milliseconds. */
  readonly connectionTime: number
  /** Time to wait for a free connection, in milliseconds. */
  readonly queueTime: number
  /** The most connections. */
  readonly connections: number
}

/**
 * A PostgreSQL server, reached through a pool of pg.
 * @throws the driver's error when it does not answer, or OctavoError `database/unavailable` when none of several accepts writes.
 */
export async function openPostgres({
  urls,
  findsPrimary,
  logger,
  statementTime,
  connectionTime,
  queueTime,
  connections,
}: PostgresOptions): Promise<Engine> {
  const primary = findsPrimary ? await Primary.find({ urls, connectionTime, logger }) : undefined
  const url = primary?.url ?? urls[0] ?? ''
  const pool = await openPool({
    url,
    name: 'octavo',
    connections,
    connectionTime,
    queueTime,
    settings: [...sessionSettings, `set statement_timeout to ${statementTime}`],
  })
  const listener = new PgListener(url, logger)
  const own = await openPool({
    url,
    name: 'octavo-health',
    connections: 1,
    connectionTime,
    queueTime,
    settings: ['set statement_timeout to 2000'],
  })
  const pulse = new Pulse(own, pool)
  primary?.watch((server) => {
    for (const one of [pool, own]) one.moveTo(server.url, server)
    listener.moveTo(server.url)
  })
  const watched = <T>(work: Promise<T>): Promise<T> => (primary ? primary.watched(work) : work)

  return {
    name: 'postgresql',
    execute: (statement, options) => watched(pool.execute(statement, options)),
    query: (text, values) => watched(pool.query(text, values)),
    transaction: (work, demand) => watched(pool.transaction((query) => work(transactionOf(query)), demand)),
    ping: () => pulse.check(),
    connections: () => pool.figures,
    listen: (channel, handler) => listener.listen(channel, handler),
    close: async () => {
      await primary?.close()
      await listener.close()
      await pulse.close()
      await pool.end()
    },
  }
}
