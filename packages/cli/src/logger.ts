import type { Logger } from '@octavo/core'
import { createLogger as createServerLogger, defaultLogFormat, type LogFormat } from '@octavo/server'
import { readEnvironment } from './config.ts'
import type { CommonFlags } from './server-options.ts'
import { UsageError } from './usage-error.ts'

const formats: readonly string[] = ['pretty', 'json'] satisfies LogFormat[]

/** The format of the log by the flag `--log`. */
export const formatOf = (flag: string | undefined): string => flag ?? defaultLogFormat()

/**
 * The logger of a command, on standard error, since standard output has the command's output. The variables of `.env` are set before, since `LOG_LEVEL`
 * may be one of them.
 * @param flags `log` is `pretty` or `json`. Default: `pretty` on a terminal, else `json`.
 * @throws UsageError for any other format
 */
export async function createLogger(flags: CommonFlags): Promise<Logger> {
  const { log, config, content } = flags
  if (log !== undefined && !formats.includes(log))
    throw new UsageError(`--log is pretty or json, not "${log}"`)
  if (config !== undefined || content === undefined) await readEnvironment(config)
  return createServerLogger(log as LogFormat | undefined) // checked above
}
