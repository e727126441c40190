/** `pnpm differential`: see README.md. */
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@octavo/testing/global-setup'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import fc from 'fast-check'
import { contentOf } from '../peers/content.ts'
import { install } from '../peers/install.ts'
import { Running } from '../peers/running.ts'
import { Accounts } from './accounts.ts'
import { type Answer, ask, differences } from './compare.ts'
import { Files } from './files.ts'
import { query, schemaOf } from './graphql.ts'
import { comparableAnswer, send } from './graphql-answers.ts'
import { Pair } from './pair.ts'
import { octavo, reference } from './project.ts'
import { read } from './queries.ts'
import { Rights } from './rights.ts'

const { values: flags } = parseArgs({
  options: {
    database: { type: 'string' },
    folder: { type: 'string', default: path.join(tmpdir(), 'octavo-peers') },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    reads: { type: 'string', default: '1000' },
    writes: { type: 'string', default: '300' },
    accounts: { type: 'string', default: '300' },
    files: { type: 'string', default: '200' },
    rights: { type: 'string', default: '20' },
  },
})
const container =
  flags.database === undefined
    ? await startPostgres(
        new PostgreSqlContainer(process.env.OCTAVO_TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine'),
      )
    : undefined
const server = new URL(flags.database ?? container?.getConnectionUri() ?? '')
const seed = Number(flags.seed)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const running: Running[] = []
let found = 0
try {
  for (const peer of [reference, octavo])
    running.push(await Running.start(await install(peer, flags.folder), server, contentOf(0)))
  const [theirs, ours] = running
  if (!theirs || !ours) throw new Error('a server has not started')
  const schema = await schemaOf(ours.url)
  const pair = new Pair(theirs, ours, seed, schema, report)
  await pair.fill()
  const compareAll = async () => {
    await compare(theirs.url, ours.url, read(15), askByRest)
    await compare(theirs.url, ours.url, query(schema), askByGraphql)
  }
  await compareAll()
  const rights = await Rights.begin(pair, seed, report)
  for (let n = 0; n < Number(flags.rights); n++) await rights.next(n)
  const files = new Files([theirs, ours], seed, pair.entries(), report)
  for (let n = 0; n < Number(flags.files); n++) await files.next()
  const accounts = new Accounts([theirs, ours], seed, report)
  for (let n = 0; n < Number(flags.accounts); n++) await accounts.next()
  for (let n = 0; n < Number(flags.writes); n++) await pair.writeNext()
  await compareAll()
} finally {
  for (const peer of running) await peer.stop().catch((error: unknown) => console.error(error))
  await container?.stop()
}
console.log(
  `${found} differences with --seed ${seed}, of ${4 * Number(flags.reads)} reads, ${flags.rights} sets of rights, ${flags.files} requests of files, ${flags.accounts} of accounts and ${flags.writes} writes`,
)
process.exitCode = found > 0 ? 1 : 0

function report(request: string, lines: readonly string[]): void {
  found++
  console.log(`${request}\n  ${lines.join('\n  ')}`)
}

type Ask = (url: string, request: string) => Promise<Answer>

function askByRest(url: string, request: string): Promise<Answer> {
  return ask(url, 'GET', request)
}
async function askByGraphql(url: string, request: string): Promise<Answer> {
  return comparableAnswer(await send(url, request))
}

/** Compares random reads. The first difference is reduced to a small request. */
async function compare(
  theirs: string,
  ours: string,
  requests: fc.Arbitrary<string>,
  asked: Ask,
): Promise<void> {
  const lines = async (request: string): Promise<readonly string[]> => {
    const [wanted, given] = await Promise.all([asked(theirs, request), asked(ours, request)])
    return differences(wanted, given)
  }
  const agree = fc.asyncProperty(requests, async (request) => (await lines(request)).length === 0)
  const { failed, counterexample } = await fc.check(agree, { seed, numRuns: Number(flags.reads) })
  const [request] = counterexample ?? []
  if (failed && request !== undefined) report(decodeURIComponent(request), await lines(request))
}
