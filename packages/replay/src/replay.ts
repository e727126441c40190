import { setTimeout as wait } from 'node:timers/promises'
import { compare } from './compare.ts'
import { readRequests } from './read-requests.ts'
import { type Recorder, readRecording, recordTo } from './recording.ts'
import { ReplayError } from './replay-error.ts'
import { Findings, type ReplayReport } from './report/report.ts'
import { type Source, serverAt } from './server.ts'

export interface ReplayOptions {
  /** A log, a HAR file, a list of URLs, or `-`; see {@link readRequests}. Absent: the requests of the recording. */
  readonly log?: string
  /** The reference server, `http://…`, or a recording that `record` wrote. */
  readonly old: string
  /** The server to compare. Default: none; the answers of the old server are only recorded. */
  readonly new?: string
  /** Headers for both servers, such as `Authorization`. Default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** File that the answers of the old server are written to. */
  readonly record?: string
  /** Paths that are not compared: `data[*].attributes.updatedAt`. Default none. */
  readonly ignore?: readonly string[]
  /** Maximum requests per second to each server. Default: no limit, one request after another. */
  readonly rate?: number
  /** Maximum distinct requests. Default: all. */
  readonly limit?: number
  /** Share of the distinct requests to send, from 0 to 1, spread evenly over the log. Default 1. */
  readonly sample?: number
  readonly onProgress?: (progress: ReplayProgress) => void
}

export interface ReplayProgress {
  readonly done: number
  readonly total: number
}

/**
 * Sends every distinct `GET` of a log to two servers, one after the other in turn, and compares status and JSON. It never sends
 * another method.
 *
 * @throws ReplayError when a file cannot be read or written, a server does not answer, or there is no request to send.
 */
export async function replay(options: ReplayOptions): Promise<ReplayReport> {
  const { headers = {}, rate } = options
  const isServer = /^https?:\/\//.test(options.old)
  const recording = isServer ? undefined : await readRecording(options.old)
  const old: Source = recording ?? serverAt(options.old, headers)
  const now = options.new === undefined ? undefined : serverAt(options.new, headers)
  if (!now && options.record === undefined)
    throw new ReplayError(
      'There is nothing to do: name the new server, or a file to record the answers of the old one',
    )
  const paths = chosen(
    options.log === undefined ? (recording?.paths ?? []) : await distinct(readRequests(options.log)),
    options,
  )
  if (paths.length === 0) throw new ReplayError('There is no GET request to send')

  const recorder = options.record === undefined ? undefined : await recordTo(options.record)
  const findings = new Findings()
  try {
    for (const [i, path] of paths.entries()) {
      const pause = rate === undefined ? undefined : wait(1_000 / rate)
      await one(path, i, { old, now, recorder, findings, ignored: new Set(options.ignore) })
      options.onProgress?.({ done: i + 1, total: paths.length })
      await pause
    }
  } finally {
    await recorder?.end()
  }
  return findings.report(options.old, options.new ?? '')
}

interface Sides {
  readonly old: Source
  readonly now: Source | undefined
  readonly recorder: Recorder | undefined
  readonly findings: Findings
  readonly ignored: ReadonlySet<string>
}

async function one(
  path: string,
  turn: number,
  { old, now, recorder, findings, ignored }: Sides,
): Promise<void> {
  // The first server alternates between requests, so that neither benefits from caches that the other warmed.
  const early = turn % 2 === 1 ? await now?.get(path) : undefined
  const was = await old.get(path)
  if (!was) throw new ReplayError(`The recording has no answer to GET ${path}`)
  await recorder?.write(path, was)
  const is = early ?? (await now?.get(path))
  if (!is) {
    findings.same({ old: was.milliseconds, new: 0 })
    return
  }
  const times = { old: was.milliseconds, new: is.milliseconds }
  findings.add({ path, old: was, new: is }, compare(was, is, ignored), times)
}

async function distinct(requests: AsyncIterable<string>): Promise<readonly string[]> {
  const seen = new Set<string>()
  for await (const request of requests) seen.add(request)
  return [...seen]
}

/** @throws ReplayError for numbers out of range. */
function chosen(
  paths: readonly string[],
  { limit = Infinity, sample = 1, rate }: ReplayOptions,
): readonly string[] {
  if (!(sample > 0 && sample <= 1))
    throw new ReplayError(`sample is a part above 0 and up to 1, not ${sample}`)
  if (!(limit >= 1)) throw new ReplayError(`limit is a whole number from 1, not ${limit}`)
  if (rate !== undefined && !(rate > 0))
    throw new ReplayError(`rate is a number of requests a second, not ${rate}`)
  const sampled = paths.filter((_, i) => Math.floor((i + 1) * sample) > Math.floor(i * sample))
  return sampled.slice(0, limit)
}
