import { silentLogger } from '@octavo/core'
import { unstartedServer } from '@octavo/server'
import { createLogger } from '../logger.ts'
import { refuseUnwritable } from '../refuse-unwritable.ts'
import { type CommonFlags, configured } from '../server-options.ts'
import { UsageError } from '../usage-error.ts'
import { writeWhole } from '../write-whole.ts'

export interface OpenApiFlags extends CommonFlags {
  /** A file; default: the standard output. */
  readonly out?: string
}

/**
 * `octavo openapi`: the OpenAPI description of all endpoints. It depends on the definitions and the plugins only, so the
 * database is an empty one in memory, unless one is given: a server may be using the one of the configuration.
 */
export async function printOpenApi(flags: OpenApiFlags): Promise<void> {
  if (flags.out !== undefined) await refuseUnwritable(flags.out)
  const logger = await createLogger(flags)
  const { options } = await configured(flags, logger)
  const { describeServer } = await import('@octavo/plugin-openapi').catch((error: unknown) => {
    throw new UsageError('octavo openapi needs the plugin: npm install @octavo/plugin-openapi', {
      cause: error,
    })
  })
  const { directDatabase: _, replicas: __, durability: ___, ...others } = options
  const server = await unstartedServer({
    ...others,
    database: flags.database ?? 'memory://',
    // The lines of a start are for servers.
    logger: { ...silentLogger, warn: logger.warn.bind(logger), error: logger.error.bind(logger) },
  })
  try {
    const text = `${JSON.stringify(describeServer(server), null, 2)}\n`
    if (flags.out === undefined) process.stdout.write(text)
    else await writeWhole(flags.out, text)
  } finally {
    await server.close()
  }
}
