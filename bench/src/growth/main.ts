/** `pnpm bench:growth`: how time and memory grow with the content; see ../../README.md. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@octavo/testing/global-setup'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'
import { Child } from '../child.ts'
import { median } from '../measure.ts'
import type { Dimension, Request } from './dimension.ts'
import { dimensions } from './dimensions.ts'
import { type Growth, type Measured, pageOf, resultsFile, writeGrowth } from './report.ts'

const { values: flags } = parseArgs({
  options: {
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '1' },
    'no-write': { type: 'boolean', default: false },
  },
})

/** Requests of each kind, at most. */
const most = 200

async function measureSize(database: string, dimension: Dimension, size: number): Promise<Measured> {
  const compiled = await mkdtemp(path.join(tmpdir(), 'octavo-growth-'))
  const start = () => Child.start('./growth/server.ts', database, dimension.name, String(size), compiled)
  const client = new Client(database)
  await client.connect()
  try {
    await empty(client)
    const firstStart = await secondsOf(async () => (await start()).stop('SIGTERM'))
    await dimension.fill(client, size)
    // A second start counts what is counted once, and stores its compiled code.
    await (await start()).stop('SIGTERM')
    let server: Child | undefined
    const laterStart = await secondsOf(async () => {
      server = await start()
    })
    if (!server) throw new Error('The server has not started')
    const times: Record<string, { least: number; median: number }> = {}
    for (const [name, request] of Object.entries(dimension.requests(size)))
      times[name] = await timesOf(server.url, name, request)
    const { memory } = await server.usage()
    await server.stop()
    return { size, firstStart, laterStart, memory, times }
  } finally {
    await empty(client)
    await client.end()
    await rm(compiled, { recursive: true, force: true })
  }
}

/** Drops all tables, some at a time: a statement that drops thousands needs more locks than PostgreSQL has by default. */
async function empty(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' limit 100`,
    )
    if (rows.length === 0) break
    await client.query(`drop table ${rows.map(({ name }) => name).join(', ')} cascade`)
  }
  await client.query('drop schema public cascade; create schema public')
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1_000
}

/** Milliseconds of a request, of one client that sends them one after the other. */
async function timesOf(url: string, name: string, { method = 'GET', path: given, body, next }: Request) {
  const send = async (target: string): Promise<unknown> => {
    const response = await fetch(url + target, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify({ data: body }) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`)
    return answer
  }
  const first = await send(given)
  const target = next ? next(first as never) : given // the dimension knows its answer
  for (let i = 0; i < 5; i++) await send(target)
  const times: number[] = []
  const end = performance.now() + Number(flags.seconds) * 1_000
  while (times.length < 5 || (times.length < most && performance.now() < end)) {
    const begin = performance.now()
    await send(target)
    times.push(performance.now() - begin)
  }
  return { least: Math.min(...times), median: median(times) }
}

async function measureDimension(database: string, dimension: Dimension): Promise<Growth> {
  const sizes: Measured[] = []
  for (const size of dimension.sizes.filter((one) => one <= Number(flags.most))) {
    sizes.push(await measureSize(database, dimension, size))
    console.error(`${dimension.name}: ${size.toLocaleString('en')}`)
  }
  const { name, unit } = dimension
  return { name, unit, date: new Date().toISOString(), node: process.versions.node, sizes }
}

/** Puts the figures of a dimension in the place of those that were recorded. */
async function record(measured: Growth): Promise<void> {
  const before: readonly Growth[] = JSON.parse(await readFile(resultsFile, 'utf8').catch(() => '[]'))
  const all = [...before.filter(({ name }) => name !== measured.name), measured]
  await writeGrowth(dimensions.flatMap(({ name }) => all.filter((one) => one.name === name)))
}

const container =
  flags.database === undefined
    ? await startPostgres(
        new PostgreSqlContainer(process.env.OCTAVO_TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine'),
      )
    : undefined
try {
  const database = flags.database ?? container?.getConnectionUri() ?? ''
  for (const dimension of dimensions.filter(({ name }) => new RegExp(flags.only).test(name))) {
    const measured = await measureDimension(database, dimension)
    console.log(pageOf(measured))
    // After each of them, so that a later one that fails does not lose it.
    if (!flags['no-write']) await record(measured)
  }
} finally {
  await container?.stop()
}
