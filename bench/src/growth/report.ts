/** The figures of growth, as tables. */
import { writeFile } from 'node:fs/promises'

/** The figures of one size. */
export interface Measured {
  readonly size: number
  /** Seconds of the start that makes the tables, and of a later one. */
  readonly firstStart: number
  readonly laterStart: number
  /** Bytes, resident, after all requests. */
  readonly memory: number
  /** Milliseconds by the name of the request. */
  readonly times: Readonly<Record<string, { readonly least: number; readonly median: number }>>
}

export interface Growth {
  readonly name: string
  readonly unit: string
  /** When it was measured, in ISO 8601. */
  readonly date: string
  readonly node: string
  readonly sizes: readonly Measured[]
}

export const resultsFile = new URL('../../results/growth.json', import.meta.url)
const pageFile = new URL('../../results/growth.md', import.meta.url)

export async function writeGrowth(all: readonly Growth[]): Promise<void> {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(3)) : value
  await writeFile(resultsFile, `${JSON.stringify(all, rounded, 2)}\n`)
  await writeFile(pageFile, growthPage(all))
}

/** The page `results/growth.md`. */
export const growthPage = (all: readonly Growth[]): string =>
  `# Growth

Written by \`pnpm bench:growth\` from [growth.json](growth.json). Milliseconds of a request of one client that sends them one after the other: the
least, and the median in brackets. On a machine that does other work as well, the least is the one to compare.

${all.map(pageOf).join('\n')}`

/** The table of a dimension. */
export function pageOf({ name, unit, date, node, sizes }: Growth): string {
  const names = [...new Set(sizes.flatMap(({ times }) => Object.keys(times)))]
  const rows = names.map((request) => {
    const cells = sizes.map(({ times }) => {
      const time = times[request]
      return time ? `${time.least.toFixed(1)} (${time.median.toFixed(1)})` : '–'
    })
    return [request, ...cells]
  })
  const seconds = (pick: (one: Measured) => number) => sizes.map((one) => `${pick(one).toFixed(1)} s`)
  const table = [
    ...rows,
    ['first start, which makes the tables', ...seconds(({ firstStart }) => firstStart)],
    ['later start', ...seconds(({ laterStart }) => laterStart)],
    ['memory', ...sizes.map(({ memory }) => `${Math.round(memory / 2 ** 20)} MiB`)],
  ]
  return `## ${name}

On ${date.slice(0, 10)}, Node.js ${node}.

| ${[unit, ...sizes.map(({ size }) => size.toLocaleString('en'))].join(' | ')} |
|---|${sizes.map(() => '--:|').join('')}
${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`
}
