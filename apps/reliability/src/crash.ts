/** Writes over the REST API while the server is killed and started again, and compares the stored entries with the acknowledged writes. */
import { createTestDatabase } from '@octavo/testing'
import { withKilledServer } from './processes/killed-server.ts'
import { Writers, type WritersReport } from './writers.ts'

export interface CrashReport extends WritersReport {
  readonly engine: string
  readonly kills: number
}

export interface CrashOptions {
  /** How often the server is killed. */
  readonly kills: number
  /** Writes that must be acknowledged between two kills. */
  readonly writesBetween: number
  readonly clients: number
}

/**
 * On a database of its own: `OCTAVO_TEST_ENGINE` and `OCTAVO_TEST_DATABASE_URL` name the engine.
 * @throws Error with the server's output when it ends by itself.
 */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const database = await createTestDatabase()
  try {
    return { engine: database.engine, ...(await crashOn(database.url, options)) }
  } finally {
    await database.drop()
  }
}

/** @param database An empty database; `memory://`: the embedded one, in a folder of its own. */
export async function crashOn(
  database: string,
  { kills, writesBetween, clients }: CrashOptions,
): Promise<Omit<CrashReport, 'engine'>> {
  return withKilledServer(database, undefined, async (server) => {
    const writers = await Writers.start(() => server.url, clients)
    for (let kill = 0; kill < kills; kill++) {
      await writers.progress(writesBetween)
      await server.restart()
    }
    return { kills, ...(await writers.finish()) }
  })
}
