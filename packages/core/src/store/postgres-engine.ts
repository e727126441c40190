import type { Pool, PoolClient } from 'pg'
import type { Logger } from '../logger.ts'
import { type Engine, sessionSettings } from './engine.ts'
import { ormOptions } from './orm-options.ts'
import { PgListener } from './pg-listener.ts'
import { PostgresPool, recycling } from './postgres-pool.ts'
import { transactionOf } from './queryable.ts'

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
      maxLifetimeSeconds: recycling.maxLifetimeSeconds,
      maxUses: recycling.maxUses,
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
  const native: Pool = await orm.driver.getConnection().getNativeClient()
  const pool = new PostgresPool(native, { connections, connectionTime })
  const listener = new PgListener(url, logger)

  return {
    name: 'postgresql',
    orm,
    execute: (statement, options) => pool.execute(statement, options),
    query: (text, values) => pool.query(text, values),
    // Kysely's transactions would give rows as objects, in which columns of one name collide: so the bare client.
    transaction: (work) => pool.transaction((query) => work(transactionOf(query))),
    connections: () => pool.figures,
    listen: (channel, told) => listener.listen(channel, told),
    close: async () => {
      await listener.close()
      await orm.close()
      // Kysely ends the pool only when it was used through Kysely.
      await pool.end()
    },
  }
}
