/**
 * `pnpm fuzz`: sends random requests to the demo. It ends with 1 when an answer breaks a rule: a status of 500 or more, an
 * error without the envelope, a body that is not the JSON that it claims to be, an answer that takes too long or never
 * comes, a server that ended, or memory that grows.
 *
 *     pnpm fuzz --requests 20000 --seed 7
 *     OCTAVO_TEST_ENGINE=pglite pnpm fuzz
 *     pnpm fuzz --replay fuzz-7-0.json
 *
 * With `--dearest` it searches for the read that takes most of the database, by rows, time, planning and memory, and prints the most of
 * each that it found (`packages/server/test/limits/most-expensive-requests.spec.ts`):
 *
 *     pnpm fuzz --dearest --minutes 10 --seed 7
 *     OCTAVO_TEST_ENGINE=pglite pnpm fuzz --dearest --minutes 10
 */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { type Fault, fuzz } from './fuzz.ts'
import { type FuzzRequest, request } from './requests.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Milliseconds; a machine that does other things at the same time needs more. */
    slowest: { type: 'string', default: '3000' },
    replay: { type: 'string' },
    dearest: { type: 'boolean', default: false },
    /** Of the search for the dearest read. 0: some seconds. */
    minutes: { type: 'string', default: '0' },
  },
})

/** Bytes that memory may grow by in the second half: caches fill, and V8 returns memory late. */
const mayGrow = 200 * 1024 * 1024

const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? '?' : `${Math.round(bytes / 1024 / 1024)} MiB`

const seed = Number(values.seed)
if (values.dearest) {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const { status } = spawnSync(
    process.execPath,
    ['scripts/pnpm.mjs', 'vitest', 'run', 'packages/server/test/limits/most-expensive-requests.spec.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, OCTAVO_FUZZ_MINUTES: values.minutes, OCTAVO_FUZZ_SEED: String(seed) },
    },
  )
  process.exit(status ?? 1)
}
const requests: readonly FuzzRequest[] = values.replay
  ? [(JSON.parse(await readFile(values.replay, 'utf8')) as Fault).request] // a file that this program wrote
  : fc.sample(request, { seed, numRuns: Number(values.requests) })
const began = performance.now()
const { engine, faults, statuses, isAlive, memory } = await fuzz(requests, Number(values.slowest))
const [middle, end] = memory

console.log(
  `${requests.length} requests on ${engine}, seed ${seed}, in ${Math.round((performance.now() - began) / 1000)} s; memory ${megabytes(middle)} after the first half, ${megabytes(end)} at the end`,
)
console.log(
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', '),
)
for (const [i, found] of faults.entries()) {
  const file = `fuzz-${seed}-${i}.json`
  await writeFile(file, JSON.stringify(found, undefined, 2))
  console.error(
    `${found.reason}: ${found.request.method} ${found.request.path}\n  pnpm fuzz --replay ${file}`,
  )
}
const hasGrown = middle !== undefined && end !== undefined && end - middle > mayGrow
if (hasGrown) console.error(`Memory grew by ${megabytes(end - middle)}`)
if (!isAlive) console.error('The server does not answer any more')
process.exitCode = faults.length > 0 || hasGrown || !isAlive ? 1 : 0
