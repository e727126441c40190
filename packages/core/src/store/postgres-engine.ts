import type { Pool, PoolClient } from 'pg'
import type { Logger } from '../logger.ts'
import { type Engine, sessionSettings } from './engine.ts'
import { ormOptions } from './orm-options.ts'
import { PgListener } from './pg-listener.ts'
import { config, rowsOf } from './postgres-pool.ts'
import { StatementNames } from './statement-names.ts'
import type { Transaction } from './store.ts'

export interface PostgresOptions {
  readonly url: string
  readonly logger: Logger
  /** Time that one statement may take, in milliseconds; the server cancels it. */
  readonly statementTime: number
  /** Time to wait for a free connection, and for a new one to open, in milliseconds. */
  readonly connectionTime: number
  /** The most connections. */
  readonly connections: number
}

/** A PostgreSQL server. MikroORM makes the pool; statements go to the pool itself, which can name them. */
export async function openPostgres({
  url,
  logger,
  statementTime,
  connectionTime,
  connections,
}: PostgresOptions): Promise<Engine> {
  const { MikroORM } = await import('@mikro-orm/postgresql')
  const settings = [...sessionSettings, `set statement_timeout to ${statementTime}`].join('; ')
  const orm = new MikroORM({
    ...ormOptions(logger),
    // Only named here, never made: what the address says wins, as pg reads it.
    dbName: 'postgres',
    driverOptions: {
      connectionString: url,
      fallback_application_name: 'octavo',
      max: connections,
      keepAlive: true,
      // For a connection to come free as well. A request that waits longer is answered 503.
      connectionTimeoutMillis: connectionTime,
      // Awaited before the connection is first used. Not start-up options: poolers such as PgBouncer refuse those.
      onConnect: (client: PoolClient) => client.query(settings),
    },
  })
  try {
    await orm.connect()
  } catch (error) {
    await orm.close().catch(() => {})
    throw error
  }
  // The driver of `@mikro-orm/postgresql` has a pg pool below it; the type of MikroORM's connection says so too.
  const pool: Pool = await orm.driver.getConnection().getNativeClient()
  const names = new StatementNames()
  const listener = new PgListener(url, logger)

  return {
    name: 'postgresql',
    orm,
    execute: (statement) => rowsOf(pool, statement, names.of(statement.text)),
    query: async (text, values = []) => (await pool.query(config(text, values))).rows,
    transaction: (work) => inTransaction(pool, names, work),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    listen: (channel, told) => listener.listen(channel, told),
    close: async () => {
      await listener.close()
      await orm.close()
      // Kysely ends the pool only when it was used through Kysely.
      if (!pool.ending) await pool.end()
    },
  }
}

/** Kysely's transactions would give rows as objects, in which columns of one name collide: so the bare client. */
async function inTransaction<T>(
  pool: Pool,
  names: StatementNames,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('begin')
    const result = await work({
      // The statements of writes are few in shape and many in number: worth preparing.
      query: async (text, values = []) =>
        (await client.query(config(text, values, values.length > 0 ? names.of(text) : undefined))).rows,
    })
    await client.query('commit')
    return result
  } catch (error) {
    // A failing rollback must not hide why; its connection is thrown away.
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
