import cluster from 'node:cluster'
import { importData, type Logger, NotEmptyError } from '@octavo/core'
import { defaultConnections } from '@octavo/core/internal'
import {
  createServer,
  type Listening,
  operatorToken,
  type ReservedPort,
  reservePort,
  type Server,
  type ServerOptions,
} from '@octavo/server'
import { refuseAlmostProduction } from '../almost-production.ts'
import type { OctavoConfig } from '../config.ts'
import { readDuration } from '../duration.ts'
import { releaseMemory } from '../heap.ts'
import { createLogger, formatOf } from '../logger.ts'
import { progress } from '../progress.ts'
import { logProject } from '../project/report.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { stopOnSignal } from '../stop.ts'
import { UsageError } from '../usage-error.ts'
import { waitForDatabase } from '../wait-for-database.ts'
import { endWithWatcher } from '../watch.ts'
import { portOfThis, readWorkers, Workers, workersOfThis } from '../workers.ts'
import { previewOf } from './start-from.ts'

export interface StartFlags extends CommonFlags {
  readonly seed?: string
  /** An export archive of Strapi 4, served from memory. */
  readonly from?: string
  readonly key?: string
  readonly port?: string
  readonly host?: string
  readonly workers?: string
  readonly replica?: readonly string[]
  readonly rateLimit: boolean
  readonly publicRead?: boolean
  readonly watch?: boolean
  readonly drain: string
  readonly wait: string
}

/** The options of a server, with a logger in any case. */
type Options = ServerOptions & { readonly logger: Logger }

/** Starts the server and resolves when it listens; a signal stops it. */
export async function start(flags: StartFlags): Promise<void> {
  endWithWatcher()
  try {
    await begin(flags)
  } catch (error) {
    // The IPC channel would keep the failed worker alive.
    if (cluster.isWorker) process.removeAllListeners('disconnect').disconnect()
    throw error
  }
}

async function begin(flags: StartFlags): Promise<void> {
  // In the environment, so that it reaches workers, and plugins created by a configuration file.
  if (flags.publicRead) process.env.OCTAVO_PUBLIC_READ = '1'
  const logger = await createLogger(flags)
  refuseAlmostProduction()
  if (flags.from !== undefined) {
    const { options, fill } = await previewOf(flags.from, flags.key, logger)
    const given = { ...options, logger, drain: readDuration('--drain', flags.drain) }
    return serve(flags, {}, { ...given, ...(!flags.rateLimit && { rateLimit: false }) }, fill)
  }
  const { config, options, project } = await configured(flags, logger)
  if (project && cluster.isPrimary) logProject(project, logger)
  const count = cluster.isWorker ? workersOfThis() : readWorkers(flags.workers ?? config.workers ?? 1)
  const given = {
    ...options,
    logger,
    serverTiming: options.serverTiming ?? process.env.NODE_ENV !== 'production',
    drain: readDuration('--drain', flags.drain),
    busyRound: options.busyRound ?? 10,
    ...(flags.replica && { replicas: flags.replica }),
    ...(!flags.rateLimit && { rateLimit: false }),
  }
  if (count === 1) return serve(flags, config, given)
  if (cluster.isWorker) {
    // The workers share the connections of one process.
    const connections = Math.max(2, Math.ceil((given.connections ?? defaultConnections) / count))
    return work(flags, config, { ...given, processes: count, connections })
  }
  await startWorkers(count, flags, config, given)
}

async function serve(
  flags: StartFlags,
  config: OctavoConfig,
  options: Options,
  fill?: (server: Server) => Promise<void>,
): Promise<void> {
  const port = readPort(flags, config)
  const server = await open(flags, options)
  try {
    await fill?.(server)
    await seed(server, flags.seed, config.seedWhenEmpty)
    const { url } = await listen(server, port, flags, config)
    stopOnSignal(options.logger, (drain) => server.close(drain ? {} : { drain: 0 }))
    releaseMemory()
    console.log(welcome(server, url, config, flags))
  } catch (error) {
    await server.close()
    throw error
  }
}

const open = (flags: StartFlags, options: Options): Promise<Server> =>
  waitForDatabase(() => createServer(options), readDuration('--wait', flags.wait), options.logger)

/** The primary updates the tables, imports the seed and prints the address; it serves no requests. */
async function startWorkers(
  count: number,
  flags: StartFlags,
  config: OctavoConfig,
  options: Options,
): Promise<void> {
  if (!/^postgres(ql)?:/.test(options.database ?? ''))
    throw new UsageError(
      `${count} workers need a PostgreSQL server: the embedded database can be open in one process. Give --database postgres://…, or --workers 1`,
    )
  const port = readPort(flags, config)
  const server = await open(flags, options)
  let reserved: ReservedPort
  try {
    await seed(server, flags.seed, config.seedWhenEmpty)
    reserved = await reservePort(port, hostOf(flags, config))
  } finally {
    await server.close({ drain: 0 })
  }
  // Before the workers, which share it.
  operatorToken()
  const workers = new Workers(count, reserved.port, options.logger)
  stopOnSignal(options.logger, () => workers.stop())
  try {
    console.log(welcome(server, await workers.listening(), config, flags))
  } finally {
    // A port that stays reserved would keep the process alive.
    await reserved.release()
  }
}

/** A worker: it sends its address to the primary and stops on the primary's message. */
async function work(flags: StartFlags, config: OctavoConfig, options: Options): Promise<void> {
  const starting = createServer(options)
  const { stop } = stopOnSignal(options.logger, async (drain) =>
    (await starting).close(drain ? {} : { drain: 0 }),
  )
  process.on('message', stop)
  // Without the primary the worker would never be stopped.
  process.on('disconnect', stop)
  const server = await starting
  try {
    process.send?.({ url: (await listen(server, portOfThis(), flags, config)).url })
    releaseMemory()
  } catch (error) {
    await server.close()
    throw error
  }
}

const listen = (server: Server, port: number, flags: StartFlags, config: OctavoConfig): Promise<Listening> =>
  server.listen(port, hostOf(flags, config))

const hostOf = (flags: StartFlags, config: OctavoConfig): string | undefined =>
  flags.host ?? config.server?.host

async function seed(
  { octavo }: Server,
  file: string | undefined,
  whenEmpty: string | undefined,
): Promise<void> {
  const source = file ?? whenEmpty
  if (source === undefined) return
  const bar = await progress()
  try {
    await importData(octavo, source, { onlyIntoEmpty: true, onProgress: bar.update })
  } catch (error) {
    if (!(error instanceof NotEmptyError)) throw error
    if (file !== undefined)
      throw new UsageError(
        `--seed imports into an empty database, and this one has entries: ${error.message}`,
      )
  } finally {
    bar.end()
  }
}

function readPort(flags: StartFlags, config: OctavoConfig): number {
  const [place, value] = givenPort(flags, config)
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && value !== '') return port
  throw new UsageError(`${place} is a whole number from 0 to 65535, not "${value}"`)
}

function givenPort(
  flags: StartFlags,
  config: OctavoConfig,
): readonly [place: string, value: string | number] {
  if (flags.port !== undefined) return ['--port', flags.port]
  if (process.env.PORT) return ['The environment variable PORT', process.env.PORT]
  return ['server.port of the configuration', config.server?.port ?? 1337]
}

/**
 * The addresses of the server: its pages first, if it has them, then the desk, those of content, and the notes of the configuration.
 * One line of JSON where the log is JSON: both often go to one place.
 */
function welcome(
  { registry, endpoints }: Pick<Server, 'registry' | 'endpoints'>,
  url: string,
  config: OctavoConfig,
  { log }: CommonFlags,
): string {
  const has = (page: string): boolean => endpoints().some(({ path }) => path === page)
  // In production `/` is not a page.
  const pages = [...(has('/docs/query') ? ['/', '/docs/query'] : []), ...(has('/docs') ? ['/docs'] : [])]
  const desk = has('/desk') ? ['/desk'] : []
  const prefix = config.api?.rest?.prefix ?? '/api'
  const own = [...registry.contentTypes.values()].filter((type) => type.uid.startsWith('api::'))
  const paths =
    config.urls ??
    own.map((type) => `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`)
  const addresses = [...new Set([...pages, ...desk, ...paths])].map((path) => `${url}${path}`)
  const hasToken = pages.length > 0 && process.env.NODE_ENV !== 'production'
  const withToken = `${url}${pages[0]}?token=${operatorToken()}`
  const { notes = [] } = config
  if (formatOf(log) === 'json') {
    const more = { ...(notes.length > 0 && { notes }), ...(hasToken && { withToken }) }
    const fields = { url, addresses, ...more, msg: `Octavo listens on ${url}` }
    return JSON.stringify({ level: 30, time: Date.now(), ...fields })
  }
  const lines = addresses.map((address) => `  ${address}`)
  if (notes.length > 0) lines.push('', ...notes)
  if (hasToken)
    lines.push(
      '',
      'From another machine, through a proxy or out of a container, the pages open with the token of this start:',
      `  ${withToken}`,
    )
  return [`Octavo listens on ${url}`, '', ...lines, ''].join('\n')
}
