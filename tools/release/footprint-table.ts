/** The sizes of installations, as `pnpm footprint` writes them to `footprint.json`. */
export interface Footprint {
  /** `24` */
  readonly node: string
  /** `linux x64` */
  readonly platform: string
  readonly rows: readonly FootprintRow[]
}

export interface FootprintRow {
  /** What is installed: `core and server`. */
  readonly title: string
  /** The installed packages, with all dependencies. */
  readonly packages: number
  /** Their files, in MB of 1,048,576 bytes. */
  readonly megabytes: number
  /** Processor time of `npm install` with the packages in npm's cache, in seconds. */
  readonly seconds: number
  /** Processor time of a program until it listens, in seconds. */
  readonly start: number
  /** JavaScript objects of the program after its first answer, in MB; absent when it was measured before there was this column. */
  readonly memory?: number
}

const begin = '<!-- footprint: written by `pnpm footprint` -->'
const end = '<!-- end of footprint -->'

/** The table in the README. It has a column for memory once that was measured. */
function table({ node, platform, rows }: Footprint): string {
  const hasMemory = rows.some(({ memory }) => memory !== undefined)
  const line = (cells: readonly string[], memory: string): string =>
    `| ${[...cells, ...(hasMemory ? [memory] : [])].join(' | ')} |`
  const lines = rows.map(({ title, packages, megabytes, seconds, start, memory }) =>
    line(
      [title, String(packages), megabytes.toFixed(0), seconds.toFixed(1), start.toFixed(1)],
      memory?.toFixed(1) ?? '',
    ),
  )
  const about = hasMemory ? '\n`memory` is the size of its JavaScript objects after the first answer.' : ''
  return `${line(['npm install', 'packages', 'MB', 'install, s', 'start, s'], 'memory, MB')}
|---|---|---|---|---|${hasMemory ? '---|' : ''}
${lines.join('\n')}

Measured on ${platform} with Node.js ${node}. \`install\` is the processor time of \`npm install\` with the packages in npm's cache. \`start\`
is the processor time of a program until it listens, with an empty embedded database in memory; the package of that database is not counted.${about}`
}

/**
 * The text of the README with the table of a result.
 * @throws Error when the text has no place for it.
 */
export function withTable(readme: string, result: Footprint): string {
  const [before, rest] = readme.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`README.md has no place for the table: ${begin} and ${end}`)
  return `${before}${begin}\n\n${table(result)}\n\n${end}${after}`
}

/** The rows of an earlier result with those that were measured again in their places; new ones are last but for all packages. */
export function joined(
  measured: readonly FootprintRow[],
  earlier: readonly FootprintRow[],
): readonly FootprintRow[] {
  const again = new Map(measured.map((row) => [row.title, row]))
  const rows = earlier.map((row) => again.get(row.title) ?? row)
  const added = measured.filter(({ title }) => !earlier.some((row) => row.title === title))
  const byTitle = (one: FootprintRow, other: FootprintRow): number => (one.title < other.title ? -1 : 1)
  const plugged = [...rows, ...added].filter(({ title }) => title.startsWith('with ')).sort(byTitle)
  const others = rows.filter(({ title }) => !title.startsWith('with '))
  return [...others.slice(0, 1), ...plugged, ...others.slice(1)]
}

/**
 * The rows that are far above those of an earlier result: more than half as many packages or MB again, and ten more. Their
 * dependencies change with each of their releases, so the bounds are wide; times are not compared.
 */
export function grown(rows: readonly FootprintRow[], earlier: Footprint): readonly string[] {
  const isFar = (now: number, before: number): boolean => now > before * 1.5 && now > before + 10
  return rows.flatMap(({ title, packages, megabytes }) => {
    const known = earlier.rows.find((row) => row.title === title)
    if (!known || !(isFar(packages, known.packages) || isFar(megabytes, known.megabytes))) return []
    return [
      `${title}: ${packages} packages and ${megabytes.toFixed(0)} MB, formerly ${known.packages} and ${known.megabytes.toFixed(0)}. If this is intended, run pnpm footprint`,
    ]
  })
}
