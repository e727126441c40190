import type { Logger } from '@octavo/core'
import { createLogger as createServerLogger, defaultLogFormat, type LogFormat } from '@octavo/server'
import { UsageError } from './usage-error.ts'

const formats: readonly string[] = ['pretty', 'json'] satisfies LogFormat[]

/** The format of the log by the flag `--log`. */
export const formatOf = (flag: string | undefined): string => flag ?? defaultLogFormat()

/**
 * The logger of a command, on standard error, since standard output has the command's output.
 * @param format `pretty` or `json`. Default: `pretty` on a terminal, else `json`.
 * @throws UsageError for any other format
 */
export async function createLogger(format?: string): Promise<Logger> {
  if (format !== undefined && !formats.includes(format))
    throw new UsageError(`--log is pretty or json, not "${format}"`)
  return createServerLogger(format as LogFormat | undefined) // checked above
}
