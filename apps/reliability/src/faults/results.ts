/** The results of faults: a file, and the tables of docs/reliability.md that are written from it. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Fault, Tally } from './fault.ts'

const file = new URL('../../results/faults.json', import.meta.url)
const page = new URL('../../../../docs/reliability.md', import.meta.url)

/** The last run of a fault. */
export interface Result {
  readonly fault: string
  /** The property that must hold. */
  readonly holds: string
  /** The day of the run: `2026-11-23`. */
  readonly day: string
  /** The figures of clients with a ledger. Absent for a fault without one, and for a run that was broken off. */
  readonly tally?: Tally
  /** Figures of a fault without a ledger; or FAILED and the reason, for a property that did not hold. */
  readonly text?: string
}

export const readResults = async (): Promise<readonly Result[]> =>
  // Safe: this program writes the file.
  JSON.parse(await readFile(file, 'utf8')) as readonly Result[]

/** Replaces the results of the faults that were run, in the order of all faults; faults that do not exist any more have none. */
export async function writeResults(
  all: readonly Fault[],
  run: readonly Result[],
): Promise<readonly Result[]> {
  const byName = new Map([...(await readResults()), ...run].map((result) => [result.fault, result]))
  const results = all.flatMap(({ name }) => byName.get(name) ?? [])
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`)
  return results
}

/** Writes the tables of the page. */
export async function writeTables(results: readonly Result[]): Promise<void> {
  await writeFile(page, withTables(await readFile(page, 'utf8'), results))
}

/** The text of the page with the tables of these results. */
export function withTables(text: string, results: readonly Result[]): string {
  const ledgers = results.flatMap((result) => (result.tally ? [{ ...result, tally: result.tally }] : []))
  const others = results.filter(({ tally }) => tally === undefined)
  return replaced(replaced(text, 'ledgers', ledgerTable(ledgers)), 'faults', faultTable(others))
}

const shown = (figure: number): string => figure.toLocaleString('en')

function ledgerTable(results: readonly (Result & { readonly tally: Tally })[]): readonly string[] {
  const sum = (name: Exclude<keyof Tally, 'note'>): number =>
    results.reduce((total, { tally }) => total + tally[name], 0)
  const row = (name: string, tally: Omit<Tally, 'note'>): string =>
    `| ${[name, shown(tally.times), shown(tally.acknowledged), `${shown(tally.unknown)} (${shown(tally.written)})`, shown(tally.lost), shown(tally.doubled)].join(' | ')} |`
  return [
    '| fault | times | acknowledged | unknown (of them written) | lost | doubled |',
    '|---|--:|--:|--:|--:|--:|',
    ...results.map(({ fault, tally, text }) => row(text === undefined ? fault : `FAILED: ${fault}`, tally)),
    row(`all ${results.length}`, {
      times: sum('times'),
      acknowledged: sum('acknowledged'),
      unknown: sum('unknown'),
      written: sum('written'),
      lost: sum('lost'),
      doubled: sum('doubled'),
    }),
  ]
}

const faultTable = (results: readonly Result[]): readonly string[] => [
  '| fault | what must hold | measured |',
  '|---|---|---|',
  ...results.map(({ fault, holds, text = '' }) => `| ${fault} | ${holds} | ${text.split('\n')[0]} |`),
]

function replaced(text: string, name: string, table: readonly string[]): string {
  const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!marked.test(text)) throw new Error(`docs/reliability.md has no marks <!-- ${name} -->`)
  return text.replace(marked, (_, start: string, end: string) => `${start}${table.join('\n')}\n${end}`)
}
