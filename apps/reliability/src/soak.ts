/**
 * `pnpm soak`: mixed load at 70 % of the capacity, which is measured first. It ends with 1 when memory or handles grow, or an answer
 * is an error other than a 503. Times are drawn, never judged.
 *
 *     pnpm soak --minutes 20 --chart soak.svg
 *     OCTAVO_TEST_ENGINE=pglite pnpm soak
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillDemo } from './demo-server.ts'
import { PostgresCluster } from './processes/postgres-cluster.ts'
import { chart } from './soak/chart.ts'
import { growth } from './soak/growth.ts'
import { soak } from './soak/run-soak.ts'
import { percentile } from './timed-request.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, chart: { type: 'string' } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`)

const mebibyte = 2 ** 20
const folder = await mkdtemp(join(tmpdir(), 'octavo-soak-'))
const cluster = process.env.OCTAVO_TEST_ENGINE === 'pglite' ? undefined : await PostgresCluster.create()
try {
  const database = cluster ? await cluster.createDatabase('soak') : `file:${folder}/database`
  await fillDemo(database)
  const { capacity, samples, faults, refusals } = await soak({
    minutes,
    database,
    backends: cluster && (() => cluster.backends()),
  })

  const total = (pick: (sample: (typeof samples)[number]) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0)
  const engine = cluster ? 'PostgreSQL' : 'the embedded database'
  const requests = total((sample) => sample.requests)
  const title = `${minutes} minutes on ${engine}, at 70 % of ${Math.round(capacity)} visits/s`
  console.log(title)
  console.log(
    `${requests} requests, p99 ${percentile(
      samples.map(({ p99 }) => p99),
      0.5,
    ).toFixed(
      0,
    )} ms (median of the intervals), ${total(({ refused }) => refused)} with 503, ${total(({ errors }) => errors)} errors`,
  )
  for (const [code, times] of refusals) console.log(`${code}: ${times}`)
  for (const fault of faults) console.error(fault)

  // Bytes and handles that the last third may have above the first, besides a quarter.
  const judged = [
    ['memory of the server, MiB', samples.map(({ server }) => server && server / mebibyte), 64],
    // They come and go.
    [
      'memory of the processes for pictures, MiB',
      samples.map(({ pictures }) => (pictures === undefined ? undefined : pictures / mebibyte)),
      128,
    ],
    ['memory of the backends, MiB', samples.map(({ backends }) => backends && backends / mebibyte), 64],
    ['handles', samples.map(({ handles }) => handles), 32],
  ] as const
  let hasGrown = false
  for (const [name, all, slack] of judged) {
    const found = growth(
      all.filter((value) => value !== undefined),
      slack,
    )
    if (!found) continue
    const { first, last } = found
    console.log(`${name}: ${first.toFixed(0)} in the first third, ${last.toFixed(0)} in the last`)
    if (!found.hasGrown) continue
    console.error(`${name}: it grows`)
    hasGrown = true
  }
  if (values.chart) await writeFile(values.chart, chart(title, samples))
  process.exitCode = hasGrown || faults.length > 0 ? 1 : 0
} finally {
  await cluster?.remove()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
