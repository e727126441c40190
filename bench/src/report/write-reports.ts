/** Writes the tables and charts of all recorded runs. */
import { readFile, writeFile } from 'node:fs/promises'
import { readRuns } from '../record.ts'
import { reported } from '../targets.ts'
import { chart } from './chart.ts'
import { markdown } from './details.ts'
import { type AllRuns, overview, summary } from './summary.ts'

export const resultsFolder = new URL('../../results/', import.meta.url)
const repository = new URL('../../../', import.meta.url)

/** A file and its whole text. */
export interface Report {
  readonly file: URL
  readonly text: string
}

/**
 * The tables and charts of the runs in a folder: `<size>.md` and `<size>.svg` beside them, and for the folder of the repository the
 * marked parts of its pages and their chart.
 *
 * @throws Error when a page lacks its marks `<!-- bench -->` and `<!-- /bench -->`
 */
export async function reportsOf(folder: URL): Promise<readonly Report[]> {
  const [small, medium, large] = await Promise.all(reported.map((size) => readRuns(folder, size)))
  const all: AllRuns = { small: small ?? [], medium: medium ?? [], large: large ?? [] }
  const own = reported.flatMap((size) => {
    const runs = all[size]
    if (runs.length === 0) return []
    const none: AllRuns = { small: [], medium: [], large: [] }
    return [
      {
        file: new URL(`${size}.md`, folder),
        text: `# Measured\n\nWritten by \`pnpm bench\` from [${size}.json](${size}.json). Medians of the rounds. Only ratios within one run are worth comparing.\n\n${runs.map((run, i) => `## Run ${i + 1}\n\n${markdown(run)}`).join('\n')}`,
      },
      { file: new URL(`${size}.svg`, folder), text: chart({ ...none, [size]: runs }) },
    ]
  })
  if (folder.href !== resultsFolder.href) return own
  return [
    ...own,
    { file: new URL('docs/benchmark.svg', repository), text: chart(all) },
    await marked(
      'docs/performance.md',
      `![Ratios to hand-written SQL by size, with the targets](benchmark.svg)\n\n${summary(all)}`,
    ),
    await marked('bench/README.md', overview(all)),
  ]
}

export async function writeReports(folder: URL): Promise<void> {
  for (const { file, text } of await reportsOf(folder)) await writeFile(file, text)
}

/** A page with another text between its marks. */
async function marked(page: string, text: string): Promise<Report> {
  const file = new URL(page, repository)
  const before = await readFile(file, 'utf8')
  const marks = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/
  if (!marks.test(before)) throw new Error(`${page} has no marks <!-- bench --> and <!-- /bench -->`)
  return { file, text: before.replace(marks, (_, start: string, end: string) => `${start}${text}\n${end}`) }
}
