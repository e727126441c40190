import cluster from 'node:cluster'
import { defaultConnections, importData, NotEmptyError } from '@octavo/core'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import type { OctavoConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { readWorkers, Workers, workersOfThis } from '../workers.ts'

export interface StartFlags extends CommonFlags {
  readonly seed?: string
  readonly port?: string
  readonly host?: string
  readonly workers?: string
  readonly replica?: readonly string[]
  readonly rateLimit: boolean
}

/** Starts the server and answers when it listens; a signal stops it. */
export async function start(flags: StartFlags): Promise<void> {
  try {
    await begin(flags)
  } catch (error) {
    // The channel to the primary would keep a worker alive that serves nothing.
    if (cluster.isWorker) process.removeAllListeners('disconnect').disconnect()
    throw error
  }
}

async function begin(flags: StartFlags): Promise<void> {
  const { config, options } = await configured(flags, createLogger())
  const count = cluster.isWorker ? workersOfThis() : readWorkers(flags.workers ?? config.workers ?? 1)
  const given = {
    ...options,
    ...(flags.replica && { replicas: flags.replica }),
    ...(!flags.rateLimit && { rateLimit: false }),
  }
  if (count === 1) return serve(flags, config, given)
  if (cluster.isWorker) {
    // Together they take what one process would.
    const connections = Math.max(2, Math.ceil((given.connections ?? defaultConnections) / count))
    return work(flags, config, { ...given, processes: count, connections })
  }
  await startWorkers(count, flags, config, given)
}

async function serve(flags: StartFlags, config: OctavoConfig, options: ServerOptions): Promise<void> {
  const server = await createServer(options)
  try {
    await seed(server, flags.seed, config.seedWhenEmpty)
    const url = await listen(server, flags, config)
    stopOnSignal(() => server.close())
    console.log(welcome(server, url, config))
  } catch (error) {
    await server.close()
    throw error
  }
}

/** What must happen once happens here, in the process that serves nothing: tables, seed, the welcome. */
async function startWorkers(
  count: number,
  flags: StartFlags,
  config: OctavoConfig,
  options: ServerOptions,
): Promise<void> {
  if (!/^postgres(ql)?:/.test(options.database ?? ''))
    throw new UsageError(
      `${count} workers need a PostgreSQL server: the embedded database can be open in one process. Give --database postgres://…, or --workers 1`,
    )
  readPort(flags, config)
  const server = await createServer(options)
  const { registry } = server
  try {
    await seed(server, flags.seed, config.seedWhenEmpty)
  } finally {
    await server.close()
  }
  const workers = new Workers(count, createLogger())
  stopOnSignal(() => workers.stop())
  console.log(welcome({ registry }, await workers.listening(), config))
}

/** One of several: the primary tells it when to stop, and hears where it listens. */
async function work(flags: StartFlags, config: OctavoConfig, options: ServerOptions): Promise<void> {
  const starting = createServer(options)
  const stop = stopOnSignal(async () => (await starting).close())
  process.on('message', stop)
  // Without the primary nobody would stop it.
  process.on('disconnect', stop)
  const server = await starting
  try {
    process.send?.({ url: await listen(server, flags, config) })
  } catch (error) {
    await server.close()
    throw error
  }
}

const listen = async (server: Server, flags: StartFlags, config: OctavoConfig): Promise<string> =>
  (await server.listen(readPort(flags, config), flags.host ?? config.server?.host)).url

async function seed(
  { octavo }: Server,
  file: string | undefined,
  whenEmpty: string | undefined,
): Promise<void> {
  const source = file ?? whenEmpty
  if (source === undefined) return
  const bar = progress()
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
  const value = flags.port ?? (process.env.PORT || undefined) ?? config.server?.port ?? 1337
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && value !== '') return port
  throw new UsageError(`The port is a whole number from 0 to 65535, not "${value}"`)
}

/**
 * The first signal lets requests end; a second one does not wait.
 * @returns what stops it as the first signal does, however often it is called.
 */
function stopOnSignal(close: () => Promise<void>): () => void {
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error)
        process.exit(1)
      },
    )
  }
  const signalled = (): void => {
    if (stopping) process.exit(1)
    stop()
  }
  process.on('SIGINT', signalled)
  process.on('SIGTERM', signalled)
  return stop
}

function welcome({ registry }: Pick<Server, 'registry'>, url: string, config: OctavoConfig): string {
  const prefix = config.api?.rest?.prefix ?? '/api'
  const own = [...registry.contentTypes.values()].filter((type) => type.uid.startsWith('api::'))
  const paths =
    config.urls ??
    own.map((type) => `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`)
  return [`Octavo listens on ${url}`, '', ...paths.map((path) => `  ${url}${path}`), ''].join('\n')
}
