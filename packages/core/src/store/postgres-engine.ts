import type { Logger } from '../logger.ts'
import { type Engine, sessionSettings } from './engine.ts'
import { PgListener } from './pg-listener.ts'
import { openPool } from './postgres-pool.ts'
import { Pulse } from './pulse.ts'
import { transactionOf } from './queryable.ts'

export interface PostgresOptions {
  readonly url: string
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
 * @throws the driver's error when it does not answer.
 */
export async function openPostgres({
  url,
  logger,
  statementTime,
  connectionTime,
  queueTime,
  connections,
}: PostgresOptions): Promise<Engine> {
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

  return {
    name: 'postgresql',
    execute: (statement, options) => pool.execute(statement, options),
    query: (text, values) => pool.query(text, values),
    transaction: (work, demand) => pool.transaction((query) => work(transactionOf(query)), demand),
    ping: () => pulse.check(),
    connections: () => pool.figures,
    listen: (channel, handler) => listener.listen(channel, handler),
    close: async () => {
      await listener.close()
      await pulse.close()
      await pool.end()
    },
  }
}
