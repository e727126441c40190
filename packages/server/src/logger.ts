import type { Logger } from '@octavo/core'
import { type DestinationStream, pino } from 'pino'

/** `pretty`: lines for people. `json`: one object a line, for machines. */
export type LogFormat = 'pretty' | 'json'

/** Standard error: standard output belongs to the program. */
const destination = 2

/** @returns `pretty` where a person reads along on a terminal */
export const defaultLogFormat = (): LogFormat => (process.stderr.isTTY ? 'pretty' : 'json')

/** A logger on standard error. The environment variable `LOG_LEVEL` gives the least level; default `info`. */
export async function createLogger(format: LogFormat = defaultLogFormat()): Promise<Logger> {
  const options = { level: process.env.LOG_LEVEL ?? 'info', base: null }
  const stream = format === 'json' ? pino.destination(destination) : await prettyStream()
  const logger: Logger = pino(options, stream)
  return logger
}

/** Loaded where it is used: a server in production does without it. */
async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'method,path,query,status,ms,requestId',
    messageFormat: '{msg}{if status} {status} in {ms} ms{end}',
    singleLine: true,
  })
}
