import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { ReplayError } from './replay-error.ts'

/**
 * The `GET` requests of a file, as path with query, in the order of the file. Other methods and lines are skipped.
 *
 *     127.0.0.1 - - [10/Oct/2024:13:55:36 +0000] "GET /api/articles?sort=id HTTP/1.1" 200 2326     common and combined logs
 *     {"method":"GET","url":"/api/articles?sort=id"}                                                JSON lines
 *     /api/articles?sort=id, https://old.example/api/articles                                       a list of paths or URLs
 *     {"log":{"entries":[{"request":{"method":"GET","url":"https://…"}}]}}                          a HAR file
 *
 * JSON lines may name the request as `url`, `uri`, `request_uri`, `path` (with `query`), or inside `req` or `request`.
 *
 * @param file A path, or `-` for the standard input, which is never a HAR file.
 * @throws ReplayError when the file cannot be read.
 */
export async function* readRequests(file: string): AsyncGenerator<string> {
  try {
    if (file !== '-' && (await isHar(file))) {
      yield* requestsOfHar(JSON.parse(await readFile(file, 'utf8')) as Har)
      return
    }
    const input = file === '-' ? process.stdin : createReadStream(file)
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const request = requestOfLine(line.trim())
      if (request !== undefined) yield request
    }
  } catch (error) {
    throw new ReplayError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

interface Har {
  readonly log?: {
    readonly entries?: readonly { readonly request?: { readonly method?: string; readonly url?: string } }[]
  }
}

/** A HAR file is one JSON object that begins with `log`. */
async function isHar(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    return /^\uFEFF?\s*\{\s*"log"\s*:/.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
}

function* requestsOfHar({ log }: Har): Generator<string> {
  for (const { request } of log?.entries ?? []) {
    const path = request?.method === 'GET' ? pathOf(request.url) : undefined
    if (path !== undefined) yield path
  }
}

/** The request of a line; `undefined` when the line has none. */
export function requestOfLine(line: string): string | undefined {
  if (line.startsWith('{')) return requestOfJson(line)
  const logged = /"GET (\S+)(?: HTTP\/[\d.]+)?"/.exec(line)?.[1]
  if (logged !== undefined) return pathOf(logged)
  return /^(?:\/|https?:\/\/)\S*$/.test(line) ? pathOf(line) : undefined
}

function requestOfJson(line: string): string | undefined {
  let fields: Fields
  try {
    fields = JSON.parse(line) as Fields
  } catch {
    return undefined
  }
  const inner = [fields, fields.req, fields.request].filter(isFields)
  const method = inner.map(({ method, request_method }) => method ?? request_method).find(isText)
  if (method !== undefined && method !== 'GET') return undefined
  for (const { url, uri, request_uri, path, query, request } of inner) {
    if (isText(request)) return requestOfLine(`"${request}"`)
    const whole = [url, uri, request_uri].find(isText)
    if (whole !== undefined) return pathOf(whole)
    if (isText(path))
      return pathOf(isText(query) && query !== '' ? `${path}?${query.replace(/^\?/, '')}` : path)
  }
  return undefined
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'

/** The path and query of a URL or path; `undefined` when it is neither. */
function pathOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  try {
    // A path that begins with two slashes would otherwise be a host.
    const { pathname, search } = new URL(
      url.startsWith('/') ? `http://host.invalid${url}` : url,
      'http://host.invalid',
    )
    return pathname + search
  } catch {
    return undefined
  }
}
