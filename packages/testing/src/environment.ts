/**
 * The environment variables for the database of the tests.
 *
 *     OCTAVO_TEST_ENGINE          postgresql | pglite; unset: PostgreSQL if available, otherwise PGlite with a warning
 *     OCTAVO_TEST_DATABASE_URL    a PostgreSQL server that is already running; its user may create databases
 *     OCTAVO_TEST_POSTGRES_IMAGE  the image of the container that is started when there is no such URL
 */
export type Engine = 'postgresql' | 'pglite'

const engines: readonly string[] = ['postgresql', 'pglite'] satisfies Engine[]

/** The variable with the URL of the PostgreSQL server, set by the global setup for the workers. */
export const urlVariable = 'OCTAVO_TEST_DATABASE_URL'

/** The engine of this run. @throws when `OCTAVO_TEST_ENGINE` is neither `postgresql` nor `pglite`. */
export function testEngine(): Engine {
  const engine = process.env.OCTAVO_TEST_ENGINE || 'postgresql'
  if (engines.includes(engine)) return engine as Engine // checked on this line
  throw new Error(`OCTAVO_TEST_ENGINE is "${engine}"; it may be ${engines.join(' or ')}.`)
}

/** Whether the environment names an engine, which is then required. */
export const engineIsChosen = (): boolean => Boolean(process.env.OCTAVO_TEST_ENGINE)

/** The URL of the PostgreSQL server: from the environment, or of the container of the global setup. */
export function serverUrl(): string | undefined {
  return process.env[urlVariable] || undefined
}

/** The image of the container: by default the official PostgreSQL 17. */
export function postgresImage(): string {
  return process.env.OCTAVO_TEST_POSTGRES_IMAGE || 'postgres:17-alpine'
}

/** The settings that need no Docker. */
const settings = `  - set ${urlVariable} to a running server, e.g. postgres://postgres@127.0.0.1:5432/postgres;
  - set OCTAVO_TEST_ENGINE=pglite for the embedded engine, which needs nothing installed.`

/** An error for a missing PostgreSQL, with the attempt and the three settings. */
export function noDatabase(tried: string, cause?: unknown): Error {
  const message = `No PostgreSQL for the tests: ${tried}. Any one of these gives them a database:
  - start Docker; the tests then run the image OCTAVO_TEST_POSTGRES_IMAGE (now: ${postgresImage()});
${settings}`
  return new Error(message, { cause })
}

/** An error for tests without the global setup of vitest, which alone starts a container: Docker would be of no use. */
export function noGlobalSetup(): Error {
  return new Error(
    `No PostgreSQL for the tests: the vitest global setup, @octavo/testing/global-setup, did not run. Any one of these gives them a database:
  - name it as globalSetup in the configuration of vitest; other test runners have no such setup, and need one of the two variables;
${settings}`,
  )
}
