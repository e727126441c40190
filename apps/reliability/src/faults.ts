/**
 * `pnpm faults`: does faults to running servers and their databases, each on a PostgreSQL cluster of its own, and ends with 1 when a
 * property does not hold.
 *
 *     pnpm faults
 *     pnpm faults --short
 *     pnpm faults --only "crash"
 *     pnpm faults --ledgers --writes 6000  # only those whose clients have a ledger, with at least so many writes each
 *     pnpm faults --write        # the results, and the tables of docs/reliability.md, as well
 */
import { parseArgs } from 'node:util'
import { clientFaults } from './faults/client-faults.ts'
import { dataFaults } from './faults/data-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { fairnessFaults } from './faults/fairness-faults.ts'
import { type Fault, NotRun, Violated } from './faults/fault.ts'
import { ledgerFaults } from './faults/ledger-faults.ts'
import { overloadFaults } from './faults/overload-faults.ts'
import { pluginFaults } from './faults/plugin-faults.ts'
import { processFaults } from './faults/process-faults.ts'
import { type Result, writeResults, writeTables } from './faults/results.ts'
import { uploadFaults } from './faults/upload-faults.ts'
import { NotMounted } from './processes/small-disk.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    /** A part of the names of the faults to do. */
    only: { type: 'string', default: '' },
    /** Only the faults during which clients write with a ledger. */
    ledgers: { type: 'boolean', default: false },
    writes: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
})

const all: readonly Fault[] = [
  ...ledgerFaults,
  ...databaseFaults,
  ...processFaults,
  ...clientFaults,
  ...fairnessFaults,
  ...overloadFaults,
  ...pluginFaults,
  ...dataFaults,
  ...uploadFaults,
]
const chosen = all.filter(
  ({ name, inShort, hasLedger }) =>
    name.toLowerCase().includes(values.only.toLowerCase()) &&
    (!values.short || inShort) &&
    (!values.ledgers || hasLedger),
)
let failed = 0
for (const fault of chosen) {
  const began = performance.now()
  const { isFailed, ...result } = await outcome(fault)
  if (isFailed) failed += 1
  const { tally, text } = result
  console.log(
    `${isFailed ? 'FAILED' : 'held'}  ${fault.name}: ${text ?? JSON.stringify(tally)} (${((performance.now() - began) / 1_000).toFixed(0)} s)`,
  )
  // After each one, so that an interrupted run has its results.
  if (values.write && !text?.startsWith('not run')) await writeTables(await writeResults(all, [result]))
}

async function outcome(fault: Fault): Promise<Result & { readonly isFailed: boolean }> {
  const { name, holds } = fault
  const base = { fault: name, holds, day: new Date().toISOString().slice(0, 10) }
  try {
    const given = await fault.run({ isShort: values.short, writes: Number(values.writes) })
    return { ...base, ...(typeof given === 'string' ? { text: given } : { tally: given }), isFailed: false }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof NotRun || error instanceof NotMounted)
      return { ...base, text: `not run: ${message}`, isFailed: false }
    const tally = error instanceof Violated ? { tally: error.tally } : {}
    return { ...base, ...tally, text: `FAILED: ${message}`, isFailed: true }
  }
}

console.log(`${chosen.length} faults, ${failed} failed`)
// A fault that failed may have left a request that waits.
process.exit(failed > 0 ? 1 : 0)
