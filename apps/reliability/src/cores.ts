/**
 * `pnpm cores`: the processor time of one answer, by process, with one worker and with several, and how many answers follow from it on machines of more
 * cores than this one. Linux only.
 *
 *     pnpm cores --seconds 10 --workers 1,2,4
 *     pnpm cores --write         # the table of docs/scaling.md as well
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillDemo, startDemo } from './demo-server.ts'
import { writeTables } from './memory/tables.ts'
import { generate } from './overload/load-process.ts'
import { PostgresCluster } from './processes/postgres-cluster.ts'
import { familyOf, processorTime } from './processes/process-figures.ts'
import { lists } from './soak/mix.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    workers: { type: 'string', default: '1,2,4' },
    write: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)

/** The cores for which answers are computed; the time of the load itself is not counted. */
const cores = 8

/** Answers of each worker before it is measured: by then V8 has compiled what is used often. */
const warm = 2_500

/** Seconds of processor time of processes together. */
const timeOf = async (pids: readonly number[]): Promise<number> =>
  (await Promise.all(pids.map(processorTime))).reduce<number>((sum, time) => sum + (time ?? 0), 0)

const cluster = await PostgresCluster.create()
try {
  const database = await cluster.createDatabase('demo')
  await fillDemo(database)
  const postmaster = Number((await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const rows: string[] = []
  for (const workers of values.workers.split(',').map(Number))
    rows.push(await measured(database, postmaster, workers))
  const table = [
    `| \`--workers\` | the server, or its first process | workers | PostgreSQL | together | answers a second on ${cores} such cores |`,
    '|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ]
  console.log(table.join('\n'))
  if (values.write) await writeTables({ cores: table })
} finally {
  await cluster.remove()
}

/** A row of the table: milliseconds of each answer. */
async function measured(database: string, postmaster: number, workers: number): Promise<string> {
  const server = await startDemo(database, '--no-rate-limit', '--workers', String(workers))
  try {
    const { url } = server
    const requests = lists.map((path) => `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`)
    const load = (time: number) => generate({ url, requests, clients: 24, seconds: time })
    for (let answers = 0; answers < warm * workers; ) answers += (await load(seconds / 2)).accepted.count
    const [first = 0, ...rest] = await familyOf(server.pid)
    const groups = async () => [[first], rest, await familyOf(postmaster)]
    const times = async () => Promise.all((await groups()).map(timeOf))
    const before = await times()
    const { accepted } = await load(seconds)
    const used = (await times()).map((time, i) => ((time - (before[i] ?? 0)) * 1_000) / accepted.count)
    const together = used.reduce((sum, time) => sum + time, 0)
    console.error(`${workers}: ${accepted.count} answers`)
    return `| ${[workers, ...[...used, together].map((time) => `${time.toFixed(2)} ms`), Math.round((cores * 1_000) / together).toLocaleString('en')].join(' | ')} |`
  } finally {
    await server.kill()
  }
}
