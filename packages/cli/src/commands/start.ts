import { importData, NotEmptyError } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import type { OctavoConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { progress } from '../progress.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'

export interface StartFlags extends CommonFlags {
  readonly seed?: string
  readonly port?: string
  readonly host?: string
  readonly rateLimit: boolean
}

/** Starts the server and answers when it listens; a signal stops it. */
export async function start(flags: StartFlags): Promise<void> {
  const { config, options } = await configured(flags, createLogger())
  const port = readPort(flags.port ?? (process.env.PORT || undefined) ?? config.server?.port ?? 1337)
  const server = await createServer(flags.rateLimit ? options : { ...options, rateLimit: false })
  try {
    await seed(server, flags.seed, config.seedWhenEmpty)
    const { url } = await server.listen(port, flags.host ?? config.server?.host)
    stopOnSignal(server)
    console.log(welcome(server, url, config))
  } catch (error) {
    await server.close()
    throw error
  }
}

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

function readPort(value: string | number): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && value !== '') return port
  throw new UsageError(`The port is a whole number from 0 to 65535, not "${value}"`)
}

/** The first signal lets requests end; a second one does not wait. */
function stopOnSignal(server: Server): void {
  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function welcome({ registry }: Server, url: string, config: OctavoConfig): string {
  const prefix = config.api?.rest?.prefix ?? '/api'
  const own = [...registry.contentTypes.values()].filter((type) => type.uid.startsWith('api::'))
  const paths =
    config.urls ??
    own.map((type) => `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`)
  return [`Octavo listens on ${url}`, '', ...paths.map((path) => `  ${url}${path}`), ''].join('\n')
}
