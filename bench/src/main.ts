/** `pnpm bench`: see README.md. */
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '@octavo/testing/global-setup'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { type Size, sizes } from './dataset.ts'
import { readRuns, writeRuns } from './record.ts'
import { markdown } from './report/details.ts'
import { resultsFolder, writeReports } from './report/write-reports.ts'
import { runOnce } from './run.ts'

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    database: { type: 'string' },
    runs: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    requests: { type: 'string' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    append: { type: 'boolean', default: false },
    out: { type: 'string' },
    report: { type: 'boolean', default: false },
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
const out = flags.out === undefined ? resultsFolder : pathToFileURL(path.resolve(flags.out) + path.sep)

if (flags.report) await writeReports(out)
else await measureAll()

async function measureAll(): Promise<void> {
  const container =
    flags.database === undefined
      ? await startPostgres(
          new PostgreSqlContainer(process.env.OCTAVO_TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine'),
        )
      : undefined
  try {
    let runs = flags.append ? await readRuns(out, size) : []
    for (let i = 0; i < Number(flags.runs); i++) {
      const run = await runOnce({
        database: flags.database ?? container?.getConnectionUri() ?? '',
        articles: sizes[size],
        rounds: Number(flags.rounds),
        seconds: Number(flags.seconds),
        requests: flags.requests === undefined ? undefined : Number(flags.requests),
        connections: Number(flags.connections),
        only: flags.only,
      })
      console.log(markdown(run))
      runs = [...runs, run]
      if (flags['no-write']) continue
      // After each run, so that a later one that fails does not lose it.
      await mkdir(out, { recursive: true })
      await writeRuns(out, size, runs)
      await writeReports(out)
    }
  } finally {
    await container?.stop()
  }
}
