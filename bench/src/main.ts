/** `pnpm bench`: see README.md. */
import { deepStrictEqual } from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createOctavo } from '@octavo/core'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'
import { bestCeilings } from './best-sql.ts'
import { Child } from './child.ts'
import { components, contentTypes, fill, type Size, sizes } from './dataset.ts'
import { measure } from './measure.ts'
import { chart, markdown, type Result, type Round } from './report.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { firstAnswers } from './start.ts'
import { addReader, reader } from './users.ts'

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    database: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    'no-write': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(await readFile(new URL('../README.md', import.meta.url), 'utf8'))
  process.exit()
}
if (!(flags.size in sizes)) throw new Error(`--size is one of ${Object.keys(sizes).join(', ')}`)
const size = flags.size as Size // checked on the line above
const articles = sizes[size]
const load = { seconds: Number(flags.seconds), connections: Number(flags.connections), articles }

const container =
  flags.database === undefined
    ? await new PostgreSqlContainer(process.env.OCTAVO_TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine').start()
    : undefined
const url = flags.database ?? container?.getConnectionUri() ?? ''
try {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query('select version()')
  // Octavo creates the tables, the generator fills them.
  const octavo = await createOctavo({ contentTypes, components, database: url })
  await octavo.close()
  const { rowCount } = await client.query('select 1 from articles limit 1')
  if (rowCount) throw new Error('The database is not empty: give --database one that nothing is in')
  await fill(client, articles)
  await addReader(url)

  const results: Result[] = []
  for (const scenario of scenarios.filter(({ name }) => name.includes(flags.only)))
    results.push(await run(scenario))
  await client.end()
  const start = await firstAnswers(url, Number(flags.rounds))

  const table = markdown(
    results,
    start,
    `${articles.toLocaleString('en')} articles on ${String(rows[0].version).split(' on ')[0]}, ${load.connections} connections, ${flags.rounds} rounds of ${load.seconds} s.`,
  )
  console.log(table)
  if (!flags['no-write']) {
    const folder = new URL('../results/', import.meta.url)
    await mkdir(folder, { recursive: true })
    await writeFile(new URL(`${size}.md`, folder), table)
    await writeFile(new URL(`${size}.svg`, folder), chart(results))
  }
} finally {
  await container?.stop()
}

async function run(scenario: Scenario): Promise<Result> {
  const octavo = await Child.start('./octavo-server.ts', url, scenario.users ? 'users' : '')
  const ceiling = await Child.start('./ceiling-server.ts', url, scenario.name)
  const best =
    scenario.name in bestCeilings(articles)
      ? await Child.start('./ceiling-server.ts', url, scenario.name, String(articles))
      : undefined
  try {
    const [path = ''] = scenario.paths(articles)
    // A login has no token.
    const headers =
      scenario.users && scenario.method === 'GET' ? { authorization: `Bearer ${await login(octavo)}` } : {}
    if (scenario.method === 'GET')
      for (const other of best ? [ceiling, best] : [ceiling])
        deepStrictEqual(
          await answer(octavo, path, headers),
          await answer(other, path, headers),
          `${scenario.name}: the ceiling answers something else`,
        )
    const rounds: Round[] = []
    // In turn, so that a slower machine affects both.
    for (let i = 0; i < Number(flags.rounds); i++)
      rounds.push({
        octavo: await measure(octavo, scenario, { ...load, headers }),
        ceiling: await measure(ceiling, scenario, { ...load, headers }),
        best: best && (await measure(best, scenario, { ...load, headers })),
      })
    const statements = await statementsOf(octavo, scenario, headers)
    const ratios = (of: 'ceiling' | 'best'): string =>
      rounds.map((round) => (round.octavo.rate / (round[of]?.rate ?? Number.NaN)).toFixed(2)).join(' ')
    console.error(`${scenario.name}: ${ratios('ceiling')}${best ? `, of the best ${ratios('best')}` : ''}`)
    return { name: scenario.name, rounds, statements }
  } finally {
    await octavo.stop()
    await ceiling.stop()
    await best?.stop()
  }
}

async function answer(
  child: Child,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
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

/** The statements of one request, `begin` and `commit` included. */
async function statementsOf(
  octavo: Child,
  { method, body, paths }: Scenario,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const [path = ''] = paths(articles)
  const before = await octavo.usage()
  const request = {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  }
  await (await fetch(octavo.url + path, request)).arrayBuffer()
  const after = await octavo.usage()
  return after.statements - before.statements
}
