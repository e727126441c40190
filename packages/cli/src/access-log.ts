import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from './usage-error.ts'

/** A `GET` request of a log. */
export interface LoggedRequest {
  readonly path: string
  /** Without `?`. */
  readonly query: string
}

/**
 * The `GET` requests of a log, line by line: of Octavo's own log (with `log.queries`), or of a log with
 * `GET /path?query`, as in the common and combined formats. Other lines are skipped.
 *
 * @param file `-` is the standard input.
 * @throws UsageError when the file cannot be read.
 */
export async function* readAccessLog(file: string): AsyncGenerator<LoggedRequest> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const request = line.startsWith('{') ? ofJson(line) : ofText(line)
      if (request) yield request
    }
  } catch (error) {
    throw new UsageError(`The log ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function ofText(line: string): LoggedRequest | undefined {
  const url = /\b(?:GET|HEAD) (\/[^\s"]*)/.exec(line)?.[1]
  return url === undefined ? undefined : split(url)
}

function ofJson(line: string): LoggedRequest | undefined {
  let fields: Readonly<Record<string, unknown>>
  try {
    fields = JSON.parse(line) as Readonly<Record<string, unknown>> // JSON that begins with a brace is an object
  } catch {
    return undefined
  }
  const { method, path, query = '' } = fields
  if ((method !== 'GET' && method !== 'HEAD') || typeof path !== 'string' || typeof query !== 'string')
    return undefined
  // Octavo logs an asterisk for each value; it is replaced by a value that every operator accepts.
  return { path, query: query.replaceAll('=*', '=true') }
}

function split(url: string): LoggedRequest {
  const end = url.indexOf('?')
  return end < 0 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end + 1) }
}
