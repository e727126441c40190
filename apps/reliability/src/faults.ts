/**
 * `pnpm faults`: does faults to running servers and their databases, each on a PostgreSQL cluster of its own, and ends with 1 when a
 * property does not hold.
 *
 *     pnpm faults
 *     pnpm faults --short
 *     pnpm faults --only "crash"
 *     pnpm faults --write        # the table of docs/reliability.md as well
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { clientFaults } from './faults/client-faults.ts'
import { dataFaults } from './faults/data-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { fairnessFaults } from './faults/fairness-faults.ts'
import { type Fault, NotRun, type Tally } from './faults/fault.ts'
import { pluginFaults } from './faults/plugin-faults.ts'
import { processFaults } from './faults/process-faults.ts'
import { uploadFaults } from './faults/upload-faults.ts'
import { NotMounted } from './processes/small-disk.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    /** A part of the names of the faults to do. */
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
})

const all: readonly Fault[] = [
  ...databaseFaults,
  ...processFaults,
  ...clientFaults,
  ...fairnessFaults,
  ...pluginFaults,
  ...dataFaults,
  ...uploadFaults,
]
const chosen = all.filter(
  ({ name, inShort }) => name.toLowerCase().includes(values.only.toLowerCase()) && (!values.short || inShort),
)
const shown = (figure: number): string => figure.toLocaleString('en')

const ledgerHead = [
  '| fault | times | acknowledged | unknown (of them written) | lost | doubled |',
  '|---|--:|--:|--:|--:|--:|',
]

/** Rows of the tables by the name of the fault. */
const rows = new Map<string, string>()
const ledgers = new Map<string, string>()
let failed = 0
for (const fault of chosen) {
  const began = performance.now()
  const { result, isFailed, tally } = await outcome(fault)
  if (isFailed) failed += 1
  console.log(
    `${isFailed ? 'FAILED' : 'held'}  ${fault.name}: ${result} (${((performance.now() - began) / 1_000).toFixed(0)} s)`,
  )
  if (tally)
    ledgers.set(
      fault.name,
      `| ${[fault.name, ...[tally.times, tally.acknowledged].map(shown), `${shown(tally.unknown)} (${shown(tally.written)})`, ...[tally.lost, tally.doubled].map(shown)].join(' | ')} |`,
    )
  else rows.set(fault.name, `| ${fault.name} | ${fault.holds} | ${result.split('\n')[0]} |`)
}

interface Outcome {
  readonly result: string
  readonly isFailed: boolean
  readonly tally?: Tally
}

async function outcome(fault: Fault): Promise<Outcome> {
  try {
    const result = await fault.run({ isShort: values.short })
    return typeof result === 'string'
      ? { result, isFailed: false }
      : { result: JSON.stringify(result), isFailed: false, tally: result }
  } catch (error) {
    if (error instanceof NotRun || error instanceof NotMounted)
      return { result: `not run: ${error.message}`, isFailed: false }
    const message = error instanceof Error ? error.message : String(error)
    return { result: `FAILED: ${message}`, isFailed: true }
  }
}

/** Replaces the rows of these faults in the tables of the page. A fault has a row in one of them. */
async function writeTables(): Promise<void> {
  const page = new URL('../../../docs/reliability.md', import.meta.url)
  const text = await readFile(page, 'utf8')
  const first = replaced(text, 'ledgers', ledgerHead, ledgers, rows)
  await writeFile(
    page,
    replaced(first, 'faults', ['| fault | what must hold | measured |', '|---|---|---|'], rows, ledgers),
  )
}

function replaced(
  text: string,
  name: string,
  head: readonly string[],
  own: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): string {
  const marked = new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(<!-- /${name} -->)`)
  const before = marked.exec(text)?.[2]
  if (before === undefined) throw new Error(`docs/reliability.md has no marks <!-- ${name} -->`)
  const known = new Map(before.split('\n').map((row) => [row.split(' | ')[0]?.slice(2) ?? '', row]))
  const table = all.flatMap(({ name }) => own.get(name) ?? (others.has(name) ? [] : (known.get(name) ?? [])))
  return text.replace(
    marked,
    (_, start: string, __, end: string) => `${start}${[...head, ...table].join('\n')}\n${end}`,
  )
}

console.log(`${chosen.length} faults, ${failed} failed`)
if (values.write) await writeTables()
// A fault that failed may have left a request that waits.
process.exit(failed > 0 ? 1 : 0)
