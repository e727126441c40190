import { ConfigurationError, type Logger } from '@octavo/core'
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

/** The levels of pino, which are more than those of {@link Logger}. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The minimum level. An empty variable is that of a script or a compose file that has no value for it. */
function levelOfEnvironment(): string {
  const level = process.env.LOG_LEVEL || 'info'
  if (levels.includes(level)) return level
  throw new ConfigurationError(
    `The environment variable LOG_LEVEL is debug, info, warn, error or silent, not "${level}".`,
  )
}

/**
 * A logger on standard error. The environment variable `LOG_LEVEL` sets the minimum level; default `info`.
 * @throws ConfigurationError for an unknown level
 */
export async function createLogger(format: LogFormat = defaultLogFormat()): Promise<Logger> {
  const options = { level: levelOfEnvironment(), base: null }
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
