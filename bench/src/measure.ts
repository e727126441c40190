import autocannon from 'autocannon'
import type { Child } from './child.ts'
import type { Scenario } from './scenario.ts'

/** Of one server and round. */
export interface Sample {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's processor time for a request, the database's not counted. */
  readonly cpu: number
  /** Bytes, resident, at the end. */
  readonly memory: number
}

export interface Load {
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds of load before. Default 1, and at most as many as are measured. */
  readonly warmUp?: number
  readonly seconds: number
  /** A number of requests in place of `seconds`, to see that a scenario works; at least as many as `connections`. */
  readonly requests: number | undefined
  readonly connections: number
  readonly articles: number
}

/**
 * Seconds of load before the first round. V8 compiles the code of a server in threads of its own, whose time counts as the server's: of
 * `octavo start` with all plugins 30 to 60 µs a request in the first seconds, and 7 after eight.
 */
const firstWarmUp = 6

/** Seconds of load before a round, the first of which is 0. */
export const warmUpOf = (round: number, seconds: number): number =>
  round === 0 ? firstWarmUp : Math.min(1, seconds)

/** @throws Error when any answer is not 200: the figure would be meaningless. In the short form, which nobody measures by, it shows one of them. */
export async function measure(
  child: Child,
  scenario: Scenario,
  { seconds, requests, connections, articles, headers = {}, warmUp = Math.min(1, seconds) }: Load,
): Promise<Sample> {
  // The tool ends with a whole sample.
  const sample = requests === undefined ? 1_000 : 50
  let refused = ''
  // Texts of all answers would be work of the tool, on the processors of the server.
  const onResponse = (status: number, body: string): void => {
    if (status !== 200) refused = `, one of them ${body}`
  }
  const load = (duration: number) =>
    autocannon({
      url: child.url,
      connections,
      ...(requests === undefined ? { duration } : { amount: requests }),
      sampleInt: sample,
      requests: scenario.paths(articles).map((path) => ({
        path,
        method: scenario.method,
        headers: { ...headers, ...(scenario.body !== undefined && { 'content-type': 'application/json' }) },
        ...(scenario.body !== undefined && { body: scenario.body }),
        ...(requests !== undefined && { onResponse }),
      })),
    })
  if (requests === undefined) await load(warmUp)
  const before = await child.usage()
  const result = await load(seconds)
  const after = await child.usage()
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(
      ([code, { count }]) => `${count} × ${code}`,
    )
    throw new Error(
      `${scenario.name} on ${child.name}: ${bad} answers were not 200 (${statuses.join(', ')}; ${result.timeouts} timeouts, ${result.errors} errors${refused})`,
    )
  }
  const count = result.requests.total
  return {
    rate: result.requests.average * (1_000 / sample),
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: ((after.cpu - before.cpu) / count) * 1e6,
    memory: after.memory,
  }
}

/** `NaN` for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
