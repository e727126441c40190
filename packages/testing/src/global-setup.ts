import {
  engineIsChosen,
  noDatabase,
  postgresImage,
  serverUrl,
  testEngine,
  urlVariable,
} from './environment.ts'
import { nearestUrl, startPostgres } from './postgres-container.ts'

export { startPostgres }

/**
 * vitest's `globalSetup`: starts one PostgreSQL container for the whole run, unless the engine is PGlite or
 * `OCTAVO_TEST_DATABASE_URL` names a server. Workers and their child processes read its URL from that variable.
 * Without a container and without a chosen engine, the run uses PGlite, so that `npm test` works on a
 * machine with npm only. CI sets each engine explicitly. Containers need the optional package `@testcontainers/postgresql`.
 *
 * @returns a function that stops the container at the end of the run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (testEngine() === 'pglite' || serverUrl()) return async () => {}

  const container = await start().catch((error: unknown) => {
    if (engineIsChosen()) throw error
    if (isMissingLibrary(error)) {
      console.info(`The tests run on PGlite; ${urlVariable} names a PostgreSQL server to use instead.`)
      process.env.OCTAVO_TEST_ENGINE = 'pglite'
      return undefined
    }
    console.warn(`${messageOf(error)}\n\nNo engine was requested: the tests run on PGlite.\n`)
    process.env.OCTAVO_TEST_ENGINE = 'pglite'
    return undefined
  })
  if (!container) return async () => void delete process.env.OCTAVO_TEST_ENGINE

  process.env[urlVariable] = await nearestUrl(container)
  return async () => {
    delete process.env[urlVariable]
    await container.stop()
  }
}

async function start() {
  try {
    const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
    const container = new PostgreSqlContainer(postgresImage())
      .withEnvironment({
        POSTGRES_INITDB_ARGS: '--encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8',
        PGDATA: '/memory/postgresql',
      })
      // The data is needed during the run only, so it is in memory, without fsync. The folder is set explicitly, because
      // its default differs between images, and version 18 and later refuse a mount at the former default.
      .withTmpFs({ '/memory': 'rw' })
      .withCommand(['postgres', ...settings.flatMap((setting) => ['-c', setting])])
    return await startPostgres(container)
  } catch (error) {
    throw noDatabase(`the container ${postgresImage()} did not start (${messageOf(error)})`, error)
  }
}

/** 300 connections: four workers, each with some servers whose pools are 10 and more. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']

/** Whether the optional package that starts containers is not installed. */
function isMissingLibrary(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return (
    cause instanceof Error &&
    'code' in cause &&
    (cause.code === 'ERR_MODULE_NOT_FOUND' || cause.code === 'MODULE_NOT_FOUND') &&
    cause.message.includes('@testcontainers/postgresql')
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
