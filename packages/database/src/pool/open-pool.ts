import type { ClientBase, Pool } from 'pg'
import { withClosedFailures } from '../wire/closed-failures.ts'
import { keptAlive } from '../wire/keep-alive.ts'
import { withLargeRows } from '../wire/large-rows.ts'
import { recycling } from './connections.ts'
import { PostgresPool, type PostgresPoolOptions } from './postgres-pool.ts'

export interface PoolOptions extends PostgresPoolOptions {
  readonly url: string
  /** The application name in `pg_stat_activity`, unless the URL sets one. */
  readonly name: string
  /** Statements that run first on each connection. */
  readonly settings: readonly string[]
  /** Called with the first connection, before it is used: a connection for a look at the server alone would take longer than the look. */
  readonly first?: (client: ClientBase) => Promise<void>
}

export async function openPool({
  url,
  name,
  settings,
  first,
  ...options
}: PoolOptions): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const Client = withLargeRows(withClosedFailures(pg.Client))
  let look = first
  const open = (connectionString: string): Pool => {
    const pool = new pg.Pool({
      Client,
      connectionString,
      fallback_application_name: name,
      max: options.connections,
      ...keptAlive,
      connectionTimeoutMillis: options.connectionTime,
      maxLifetimeSeconds: recycling.maxLifetimeSeconds,
      // Awaited before the connection is first used. Not startup options: poolers such as PgBouncer refuse those.
      onConnect: async (client) => {
        if (!(await options.pooler?.accepts(client))) await client.query(settings.join('; '))
        const looked = look?.(client)
        look = undefined
        await looked
      },
    })
    // A broken connection rejects its running statement and is replaced on demand. Without listeners the error event would
    // end the process: the pool's listener is for idle connections, the client's for those in use.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  return new PostgresPool(open, url, options)
}
