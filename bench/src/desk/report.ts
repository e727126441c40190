/** The figures of the desk, as tables. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Row } from './figure.ts'
import { slowdown } from './visit.ts'

export interface DeskRun {
  /** When it began, in ISO 8601. */
  readonly date: string
  readonly chromium: string
  readonly node: string
  readonly processor: string
  readonly cores: number
  readonly figures: readonly Row[]
}

const results = new URL('../../results/', import.meta.url)
const guide = new URL('../../../docs/desk.md', import.meta.url)
const mark = /<!-- desk-figures -->[\s\S]*<!-- \/desk-figures -->/

export async function writeRun(run: DeskRun): Promise<void> {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(1)) : value
  await writeFile(new URL('desk.json', results), `${JSON.stringify(run, rounded, 2)}\n`)
  await writeFile(new URL('desk.md', results), pageOf(run))
  const text = await readFile(guide, 'utf8')
  if (!mark.test(text)) throw new Error('docs/desk.md has no place for the figures')
  await writeFile(guide, text.replace(mark, `<!-- desk-figures -->\n${tableOf(run)}<!-- /desk-figures -->`))
}

const pageOf = (run: DeskRun): string => `# The desk

Written by \`pnpm bench:desk\` from [desk.json](desk.json).

${tableOf(run)}`

const shown = (value: number | undefined, unit: Row['unit']): string => {
  if (value === undefined) return ''
  return unit === 'ms' ? `${Math.round(value).toLocaleString('en')} ms` : value.toFixed(1)
}

/** @returns the table with a sentence about the machine above it */
export const tableOf = ({ date, chromium, node, processor, cores, figures }: DeskRun): string =>
  `On ${date.slice(0, 10)}, Chromium ${chromium} with an empty cache, with its processor as it is and slowed ${slowdown} times, Node.js ${node}, ${cores} cores of ${processor}, which the server and PostgreSQL share.

| | as it is | at most | slowed ${slowdown} times | at most | |
|---|--:|--:|--:|--:|---|
${figures
  .map(({ name, unit, plain, most, slowed, mostSlowed, of }) => {
    const cells = [plain, most, slowed, mostSlowed].map((value) => shown(value, unit))
    return `| ${[name, ...cells, of].join(' | ')} |`
  })
  .join('\n')}
`
