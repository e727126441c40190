import type { Octavo } from '@octavo/core'
import type { Context, Middleware } from 'koa'
import type { Registry } from 'prom-client'
import type { UnsentAnswers } from '../socket/unsent.ts'

/** Figures for Prometheus. */
export interface Metrics {
  /** `GET /_metrics`. */
  readonly route: Middleware
  /** Records an answer. @param took Milliseconds. */
  readonly observe: (context: Context, took: number) => void
}

const path = '/_metrics'

/** Buckets of the response time, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Metrics of Node, response times, the statement cache and the connection pool. */
export async function openMetrics(octavo: Octavo, unsent: UnsentAnswers): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const register: Registry = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  const durations = new Histogram({
    name: 'octavo_http_request_duration_seconds',
    help: 'Time to the answer, by method and class of status.',
    labelNames: ['method', 'status'] as const,
    buckets,
    registers,
  })
  // The cache has its own counts; the counters are set from them on each scrape.
  const counted = (name: 'hits' | 'misses', help: string): void => {
    new Counter({
      name: `octavo_statement_cache_${name}_total`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(octavo.figures().statements[name])
      },
    })
  }
  counted('hits', 'Reads whose statement was cached.')
  counted('misses', 'Reads whose statement had to be compiled.')
  const gauge = (name: string, help: string, value: () => number | undefined): void => {
    new Gauge({
      name: `octavo_${name}`,
      help,
      registers,
      collect() {
        const now = value()
        if (now !== undefined) this.set(now)
      },
    })
  }
  gauge(
    'unsent_answer_bytes',
    'Bytes of large answers that their clients have not read yet.',
    () => unsent.bytes,
  )
  gauge('statement_cache_entries', 'Cached statements.', () => octavo.figures().statements.cached)
  for (const name of ['open', 'idle', 'waiting'] as const)
    gauge(
      `database_connections_${name}`,
      name === 'waiting' ? 'Statements that wait for a connection.' : `Connections to the database: ${name}.`,
      () => octavo.figures().connections?.[name],
    )
  const connections = [
    ['heavyWaiting', 'heavy_statements_waiting', 'Heavy statements that wait for a connection.'],
    ['refused', 'requests_refused_busy', 'Reads and writes refused because they would have waited too long.'],
    ['named', 'prepared_statements', 'Statements that connections have prepared under a name.'],
    ['evicted', 'prepared_statements_evicted', 'Prepared statements that were deallocated for others.'],
    ['unnamed', 'unnamed_statements', 'Statements that ran without a name.'],
    ['recycled', 'database_connections_recycled', 'Connections closed after many statements.'],
    ['cancelled', 'statements_cancelled', 'Statements cancelled because their client had disconnected.'],
  ] as const
  for (const [name, metric, help] of connections)
    gauge(metric, help, () => octavo.figures().connections?.[name])
  return {
    route: async (context, next) => {
      if (context.path !== path || context.method !== 'GET') return next()
      context.body = await register.metrics()
      context.type = register.contentType
    },
    observe: ({ method, status }, took) =>
      durations.observe({ method, status: `${Math.floor(status / 100)}xx` }, took / 1000),
  }
}
