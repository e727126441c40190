import type { Logger } from '@octavo/core'
import { type DestinationStream, pino } from 'pino'
import { LinesOfTurn } from './lines-of-turn.ts'

/** `pretty`: formatted lines. `json`: one JSON object per line. */
export type LogFormat = 'pretty' | 'json'

/** Standard error, since standard output is the program's. */
const destination = 2

/** Bytes of lines that wait for a full disk; further ones are dropped, as a server without a log is better than none. */
const waiting = 1024 * 1024

/** @returns `pretty` on a terminal, otherwise `json` */
export const defaultLogFormat = (): LogFormat => (process.stderr.isTTY ? 'pretty' : 'json')

/** A logger on standard error. The environment variable `LOG_LEVEL` sets the minimum level; default `info`. */
export async function createLogger(format: LogFormat = defaultLogFormat()): Promise<Logger> {
  const options = { level: process.env.LOG_LEVEL ?? 'info', base: null }
  const stream = format === 'json' ? jsonStream() : await prettyStream()
  const logger: Logger = pino(options, stream)
  return logger
}

/** All loggers of the process write to the same place. */
let lines: DestinationStream | undefined

function jsonStream(): DestinationStream {
  lines ??= new LinesOfTurn(standardError())
  return lines
}

function standardError(): DestinationStream {
  const stream = pino.destination({ dest: destination, sync: true, maxLength: waiting })
  // An error of a full disk: the next line tries again.
  stream.on('error', () => {})
  return stream
}

/** Loaded on demand: production servers log JSON. */
async function prettyStream(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'method,path,query,status,ms,requestId,mistake',
    messageFormat:
      '{msg}{if query}?{query}{end}{if status} {status} in {ms} ms{end}{if mistake}: {mistake}{end}',
    singleLine: true,
  })
}
