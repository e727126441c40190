import { setTimeout as delay } from 'node:timers/promises'
import type { PostgreSqlContainer, StartedPostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'

/** Milliseconds after which a container that accepts no connection is given up. */
const patience = 120_000

/**
 * Starts a container of PostgreSQL, and waits until it accepts a connection.
 *
 * The health check of `@testcontainers/postgresql` goes on for as long as the container runs, four times a second: Docker starts a process in the container each time, which together
 * took most of the processor time of a machine with two cores. So there is none, and the connection is the check.
 *
 * @throws Error of the last connection, after two minutes.
 */
export async function startPostgres(container: PostgreSqlContainer): Promise<StartedPostgreSqlContainer> {
  const started = await container
    .withHealthCheck({ test: ['NONE'] as never }) // Docker's word for none; the type knows the two forms of a command only
    .withWaitStrategy(atOnce)
    .start()
  try {
    await acceptsConnections(started.getConnectionUri())
    return started
  } catch (error) {
    await started.stop()
    throw error
  }
}

const atOnce: Parameters<PostgreSqlContainer['withWaitStrategy']>[0] = {
  waitUntilReady: async () => {},
  withStartupTimeout: () => atOnce,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => patience,
}

async function acceptsConnections(connectionString: string): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await delay(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
