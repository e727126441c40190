/** A server that clients write to with a ledger while something is done to it again and again. */
import { freePort } from '../processes/free-port.ts'
import { OctavoProcess, type StartOptions } from '../processes/octavo-process.ts'
import type { PostgresCluster } from '../processes/postgres-cluster.ts'
import { Wire } from '../processes/wire.ts'
import { makeSite, type Site } from '../site.ts'
import { type MoreClients, Writers } from '../writers.ts'
import { check, type Fault, type Scale, type Tally, tallied } from './fault.ts'
import { withCluster } from './served.ts'

type Engine = 'PostgreSQL' | 'embedded'

/** The servers and databases to which a fault is done. */
export interface Disturbed {
  readonly server: OctavoProcess
  readonly site: Site
  /** Between clients and server. */
  readonly clients: Wire
  /** Between server and database; a wire that nobody uses for the embedded one. */
  readonly database: Wire
  /** @throws Error for the embedded database */
  readonly cluster: PostgresCluster
  /** Ends the server with a signal and starts it again on its port. */
  restart(signal: NodeJS.Signals, options?: Pick<StartOptions, 'env'>): Promise<void>
  /** How often the fault has been done before. */
  readonly round: number
}

export interface Disturbance {
  readonly name: string
  readonly times: number
  readonly inShort?: boolean
  readonly more?: MoreClients
  /** The text of the configuration. */
  readonly config?: string
  readonly args?: readonly string[]
  /** Lines of `postgresql.conf`. */
  readonly settings?: readonly string[]
  disturb(disturbed: Disturbed): Promise<void>
}

/** Clients that change what they wrote, and clients that only create. */
const changing = 6
const creating = 20

/** Writes of the default form and of the short one, for each time that the fault is done. */
const betweenTimes = { usual: 150, short: 60 }

/** The number of times and of writes between them. */
export function portions(times: number, { isShort, writes }: Scale): { times: number; between: number } {
  const count = isShort ? Math.min(times, 2) : times
  const usual = isShort ? betweenTimes.short : betweenTimes.usual
  return { times: count, between: Math.max(usual, Math.ceil((writes ?? 0) / (count + 1))) }
}

export const onBoth = (disturbance: Disturbance): readonly Fault[] =>
  (['PostgreSQL', 'embedded'] as const).map((engine) => on(engine, disturbance, true))

export const onPostgres = (disturbance: Disturbance): Fault => on('PostgreSQL', disturbance, false)

const on = (engine: Engine, disturbance: Disturbance, isOfBoth: boolean): Fault => ({
  name: isOfBoth ? `${disturbance.name}, ${engine}` : disturbance.name,
  holds: 'no acknowledged write is lost or doubled, no refused one is written, no 500',
  inShort: disturbance.inShort ?? false,
  hasLedger: true,
  run: (scale) =>
    engine === 'embedded'
      ? disturbed(disturbance, scale, undefined)
      : withCluster(disturbance.settings ?? [], (cluster) => disturbed(disturbance, scale, cluster)),
})

async function disturbed(
  { times: most, more, config, args = [], disturb }: Disturbance,
  scale: Scale,
  cluster: PostgresCluster | undefined,
): Promise<Tally> {
  const site = await makeSite(config)
  const target = cluster ? await cluster.createDatabase('site') : `file:${site.folder}/database`
  const database = await Wire.to(() => cluster?.url() ?? 'tcp://127.0.0.1:1')
  const options = {
    config: site.config,
    database: cluster ? database.instead(target) : target,
    port: await freePort(),
    args,
  }
  let server = await OctavoProcess.start(options)
  const clients = await Wire.to(() => server.url)
  const url = clients.instead(server.url)
  try {
    const writers = await Writers.start(() => url, changing, { creating, ...more })
    const { times, between } = portions(most, scale)
    for (let round = 0; round < times; round++) {
      await writers.progress(between)
      await disturb({
        server,
        site,
        clients,
        database,
        round,
        get cluster() {
          if (!cluster) throw new Error('The embedded database has no cluster')
          return cluster
        },
        restart: async (signal, { env = {} } = {}) => {
          await server.kill(signal)
          server = await OctavoProcess.start({ ...options, env })
        },
      })
    }
    await writers.progress(between)
    check(server.isRunning, `The server ended:\n${server.output}`)
    return tallied(times, await writers.finish())
  } finally {
    clients.close()
    database.close()
    await server.kill()
    await site.remove()
  }
}
