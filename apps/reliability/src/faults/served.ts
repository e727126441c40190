/** A cluster of PostgreSQL and a server on it, for one fault. */
import { OctavoProcess, type StartOptions } from '../processes/octavo-process.ts'
import { PostgresCluster, postgresPrograms } from '../processes/postgres-cluster.ts'
import { makeSite, type Site } from '../site.ts'
import { NotRun } from './fault.ts'

export interface Served {
  readonly cluster: PostgresCluster
  readonly site: Site
  readonly database: string
  readonly server: OctavoProcess
}

export interface ServedOptions extends Pick<StartOptions, 'args' | 'env'> {
  /** Lines of `postgresql.conf`. */
  readonly settings?: readonly string[]
  /** The text of the configuration. */
  readonly config?: string
}

/** Runs `use` with a cluster of its own, and removes it. @throws NotRun without PostgreSQL */
export async function withCluster<T>(
  settings: readonly string[],
  use: (cluster: PostgresCluster) => Promise<T>,
): Promise<T> {
  if (postgresPrograms === undefined)
    throw new NotRun('no programs of PostgreSQL; OCTAVO_POSTGRES_BIN names their folder')
  const cluster = await PostgresCluster.create(settings)
  try {
    return await use(cluster)
  } finally {
    await cluster.remove()
  }
}

/** Runs `use` with a server on a cluster of its own, and removes both. */
export const withServer = <T>(
  { settings = [], config, ...options }: ServedOptions,
  use: (served: Served) => Promise<T>,
): Promise<T> =>
  withCluster(settings, async (cluster) => {
    const site = await makeSite(config)
    const database = await cluster.createDatabase('site')
    const server = await OctavoProcess.start({ config: site.config, database, ...options })
    try {
      return await use({ cluster, site, database, server })
    } finally {
      await server.kill()
      await site.remove()
    }
  })
