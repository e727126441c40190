/** One run of the benchmark on an empty database, which is empty again afterwards. */
import { deepStrictEqual } from 'node:assert/strict'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { bestCeilings } from './best-sql.ts'
import { Child } from './child.ts'
import { fill } from './fill.ts'
import { measureGraphql } from './graphql.ts'
import { measure, warmUpOf } from './measure.ts'
import { type Measured, type Round, type Run, ratiosOf } from './record.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { firstAnswers } from './start.ts'
import { StartFolder } from './start-folder.ts'
import { addReader, createMeasured, type Mode, reader } from './users.ts'

export interface RunOptions {
  /** The URL of an empty database. */
  readonly database: string
  readonly articles: number
  /** Of each scenario. */
  readonly rounds: number
  /** Of each server in a round. */
  readonly seconds: number
  /** A number of requests in place of `seconds`, to see that all scenarios work. */
  readonly requests: number | undefined
  readonly connections: number
  /** A part of the names of the scenarios; empty: all. */
  readonly only: string
}

type Headers = Readonly<Record<string, string>>

/** @throws Error when the database is not empty, or when two servers answer differently. */
export async function runOnce(options: RunOptions): Promise<Run> {
  const client = new Client(options.database)
  await client.connect()
  const { rowCount } = await client.query("select 1 from pg_tables where schemaname = 'public' limit 1")
  if (rowCount) {
    await client.end()
    throw new Error('The database is not empty: give --database one without tables')
  }
  try {
    return await measureAll(client, options)
  } finally {
    await client.query('drop schema public cascade; create schema public')
    await client.end()
  }
}

async function measureAll(client: Client, options: RunOptions): Promise<Run> {
  const { database, articles, rounds, seconds, connections, only } = options
  const date = new Date().toISOString()
  const fillSeconds = await secondsOf(() => fill(database, articles))
  const { rows } = await client.query(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
  )
  const { version, bytes } = rows[0]
  console.error(`filled in ${fillSeconds.toFixed(0)} s: ${(Number(bytes) / 2 ** 20).toFixed(0)} MiB`)
  await addReader(database)

  const measured: Measured[] = []
  let indexSeconds: number | undefined
  const chosen = Object.groupBy(
    scenarios.filter(({ name }) => name.includes(only)),
    ({ mode }) => (mode === 'start' ? 'start' : 'bare'),
  )
  for (const scenario of chosen.bare ?? []) {
    if (scenario.smallOnly !== undefined && articles > 1_000) {
      measured.push({ name: scenario.name, rounds: [], skipped: scenario.smallOnly })
      continue
    }
    if (scenario.mode === 'search') {
      indexSeconds = await secondsOf(() => makeIndex(client, database))
      console.error(`made the index for searches in ${indexSeconds.toFixed(0)} s`)
    }
    measured.push(await runScenario(scenario, options))
  }
  const graphql = await measureGraphql(options)
  const started = await firstAnswers(database, rounds)
  // Last, since the plugins of the command add columns and refuse to be left out afterwards.
  if (chosen.start) measured.push(...(await runStartScenarios(chosen.start, options)))
  return {
    date,
    articles,
    node: process.versions.node,
    postgresql: String(version).split(' ')[0] ?? '',
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    connections,
    seconds,
    fill: { seconds: fillSeconds, bytes: Number(bytes), indexSeconds },
    scenarios: measured,
    graphql,
    firstAnswers: started,
  }
}

async function runStartScenarios(
  chosen: readonly Scenario[],
  options: RunOptions,
): Promise<readonly Measured[]> {
  const folder = await StartFolder.prepare(options.database, options.articles)
  try {
    const measured: Measured[] = []
    for (const scenario of chosen) measured.push(await runScenario(scenario, options, folder))
    return measured
  } finally {
    await folder.remove()
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1_000
}

/** With the statistics of its expressions. Octavo makes the index of a table with entries after its start, and notes that it is complete. */
async function makeIndex(client: Client, database: string): Promise<void> {
  const { octavo } = await createMeasured(database, 'search')
  const noted = `select 1 from octavo_schema where key like 'search:%'`
  while ((await client.query(noted)).rowCount === 0) await sleep(100)
  await octavo.close()
  await client.query('analyze articles')
}

async function runScenario(scenario: Scenario, options: RunOptions, folder?: StartFolder): Promise<Measured> {
  const { database, articles, seconds, requests, connections } = options
  const { name, mode = 'plain', isSignedIn = mode === 'users' && scenario.method === 'GET' } = scenario
  const octavo = await startOctavo(database, mode, folder)
  const ceiling = await Child.start('./ceiling-server.ts', database, name)
  const best =
    name in bestCeilings(articles)
      ? await Child.start('./ceiling-server.ts', database, name, String(articles))
      : undefined
  try {
    const [path = ''] = scenario.paths(articles)
    const headers: Headers = isSignedIn ? { authorization: `Bearer ${await login(octavo)}` } : {}
    if (scenario.method === 'GET')
      for (const other of best ? [ceiling, best] : [ceiling])
        deepStrictEqual(
          await answer(octavo, path, headers),
          await answer(other, path, headers),
          `${name}: the ceiling answers something else`,
        )
    const rounds: Round[] = []
    // In turn, so that a slower machine affects both.
    for (let i = 0; i < options.rounds; i++) {
      const load = { seconds, requests, connections, articles, headers, warmUp: warmUpOf(i, seconds) }
      rounds.push({
        octavo: await measure(octavo, scenario, load),
        ceiling: await measure(ceiling, scenario, load),
        best: best && (await measure(best, scenario, load)),
      })
    }
    const measured = {
      name,
      rounds,
      // A test of apps/demo counts the round trips of the command.
      ...(mode !== 'start' && { roundTrips: await roundTripsOf(scenario, mode, options, headers) }),
    }
    const ratios = (to: 'ceiling' | 'best') =>
      ratiosOf(measured, to)
        .map((ratio) => ratio.toFixed(2))
        .join(' ')
    console.error(`${name}: ${ratios('ceiling')}${best ? `, of the best ${ratios('best')}` : ''}`)
    return measured
  } finally {
    await octavo.stop()
    await ceiling.stop()
    await best?.stop()
  }
}

async function startOctavo(database: string, mode: Mode, folder: StartFolder | undefined): Promise<Child> {
  if (mode === 'start') {
    if (!folder) throw new Error('A scenario of octavo start needs its folder')
    return folder.start()
  }
  // The first start after another mode compares the tables. What it loads for that would count as memory of a server that reads.
  await (await createMeasured(database, mode)).close()
  return Child.start('./octavo-server.ts', database, mode)
}

async function answer(child: Child, path: string, headers: Headers): Promise<unknown> {
  const response = await fetch(child.url + path, { headers })
  return response.json()
}

async function login(child: Child): Promise<string> {
  const response = await fetch(`${child.url}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: reader.email, password: reader.password }),
  })
  const { jwt } = (await response.json()) as { jwt: string }
  return jwt
}

/** The round trips of one request, by a server that answered it before. */
async function roundTripsOf(
  { method, body, paths }: Scenario,
  mode: Mode,
  { database, articles }: RunOptions,
  headers: Headers,
): Promise<number> {
  const child = await Child.start('./counting-server.ts', database, mode)
  try {
    const [path = ''] = paths(articles)
    const request = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    }
    const send = async (): Promise<number> => {
      await (await fetch(child.url + path, request)).arrayBuffer()
      return (await child.usage()).roundTrips
    }
    const before = await send()
    return (await send()) - before
  } finally {
    await child.stop()
  }
}
