import { isIPv4 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgreSqlContainer, StartedPostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'

/** Milliseconds after which a container that accepts no connection is given up. */
const patience = 120_000

/**
 * Starts a container of PostgreSQL, and waits until it accepts a connection.
 *
 * The connection replaces the health check of `@testcontainers/postgresql`. That check runs four times a second for as long as the container runs. Docker starts a process in the
 * container each time, and these took most of the processor time of a machine with two cores.
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

/**
 * The URL of a container at its own address, where this machine reaches that, and at the port that Docker gave it otherwise, as on macOS. That port belongs to a
 * process of Docker that copies all bytes in both directions, with a twentieth of the processor time of a run of the tests.
 */
export async function nearestUrl(container: StartedPostgreSqlContainer): Promise<string> {
  const url = new URL(container.getConnectionUri())
  const address = container
    .getNetworkNames()
    .map((name) => container.getIpAddress(name))
    .find(isIPv4)
  if (address === undefined || process.platform !== 'linux') return url.href
  const near = new URL(url)
  near.hostname = address
  near.port = '5432'
  return (await connect(near.href, 1_000)) ? url.href : near.href
}

const atOnce: Parameters<PostgreSqlContainer['withWaitStrategy']>[0] = {
  waitUntilReady: async () => {},
  withStartupTimeout: () => atOnce,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => patience,
}

async function acceptsConnections(url: string): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    const refusal = await connect(url, 5_000)
    if (!refusal) return
    if (performance.now() > end) throw refusal.error
    await delay(100)
  }
}

/** @returns the error, if any */
async function connect(
  connectionString: string,
  connectionTimeoutMillis: number,
): Promise<{ readonly error: unknown } | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis })
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return { error }
  } finally {
    await client.end().catch(() => {})
  }
}
