/** `pnpm bench:desk`: the times of the desk's pages with much content, on a processor as it is and on a slowed one; see ../../README.md. */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromiumPath } from '@octavo/testing'
import { startPostgres } from '@octavo/testing/global-setup'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { Client } from 'pg'
import { chromium } from 'playwright-core'
import { Child } from '../child.ts'
import { extents } from './extent.ts'
import { type Row, rowsOf } from './figure.ts'
import { measures } from './measures.ts'
import { tableOf, writeRun } from './report.ts'
import { fill } from './site.ts'
import { signIn } from './visit.ts'

const { values: flags } = parseArgs({
  options: {
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    'no-write': { type: 'boolean', default: false },
  },
})

/** Measures on an empty database, which it fills. */
async function run(database: string, executablePath: string): Promise<void> {
  const date = new Date().toISOString()
  const extent = flags.short ? extents.short : extents.whole
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-desk-'))
  const server = await Child.start('./desk/server.ts', database, folder)
  const client = new Client(database)
  await client.connect()
  await fill(client, extent)
  await client.end()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const desk = await signIn(browser, server.url, extent)
    const figures: Row[] = []
    for (const [name, measure] of Object.entries(measures).filter(([name]) => name.includes(flags.only))) {
      console.error(name)
      const plain = await measure(desk)
      figures.push(...rowsOf(plain, await measure({ ...desk, isSlowed: true })))
    }
    const [{ model = '' } = {}] = cpus()
    const measured = { date, chromium: browser.version(), node: process.versions.node, processor: model }
    const all = { ...measured, cores: cpus().length, figures }
    console.log(tableOf(all))
    if (!flags['no-write'] && !flags.short && flags.only === '') await writeRun(all)
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const executablePath = chromiumPath()
if (executablePath === undefined) throw new Error('The measurement needs Chromium.')
const container =
  flags.database === undefined
    ? await startPostgres(
        new PostgreSqlContainer(process.env.OCTAVO_TEST_POSTGRES_IMAGE ?? 'postgres:17-alpine'),
      )
    : undefined
try {
  await run(flags.database ?? container?.getConnectionUri() ?? '', executablePath)
} finally {
  await container?.stop()
}
