import { cpus } from 'node:os'
import { median, type Sample } from './measure.ts'

export interface Round {
  readonly octavo: Sample
  /** Hand-written SQL. */
  readonly ceiling: Sample
  /** The best SQL known, if the scenario has it. */
  readonly best: Sample | undefined
}

export interface Result {
  readonly name: string
  readonly rounds: readonly Round[]
  /** Statements that the database ran for one request. */
  readonly statements: number
}

export const ratioOf = (result: Result): number =>
  median(result.rounds.map(({ octavo, ceiling }) => octavo.rate / ceiling.rate))

const bestRatioOf = ({ rounds }: Result): number =>
  median(rounds.map(({ octavo, best }) => octavo.rate / (best?.rate ?? Number.NaN)))

/**
 * @param starts Milliseconds from the start of a process to its first answer.
 * @param about A description of the run.
 */
export function markdown(results: readonly Result[], starts: readonly number[], about: string): string {
  const rows = results.map((result) => {
    const of = (pick: (sample: Sample) => number) => median(result.rounds.map(({ octavo }) => pick(octavo)))
    const ceiling = median(result.rounds.map((round) => round.ceiling.rate))
    const cells = [
      result.name,
      Math.round(of((s) => s.rate)),
      Math.round(ceiling),
      `**${ratioOf(result).toFixed(2)}**`,
      bestRatioOf(result).toFixed(2),
      of((s) => s.p50).toFixed(0),
      of((s) => s.p99).toFixed(0),
      Math.round(of((s) => s.cpu)),
      result.statements,
      Math.round(of((s) => s.memory) / 2 ** 20),
    ]
    // Neither server answered within the round.
    return `| ${cells.map((cell) => (/NaN|Infinity/.test(String(cell)) ? '–' : cell)).join(' | ')} |`
  })
  return `# Measured

${about} Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}) for the server, the database and the load.
Medians. Only ratios within one run are worth comparing.

| scenario | requests/s | ceiling | ratio | of the best | p50 ms | p99 ms | server CPU µs | statements | RSS MiB |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}

From the start of a process to its first answer, with 50 content-types on an existing database: ${Math.round(median(starts))} ms.
`
}

const width = 720
const rowHeight = 28

/** The ratios as bars; the line at 1 is the ceiling. */
export function chart(all: readonly Result[]): string {
  const results = all.filter((result) => Number.isFinite(ratioOf(result)))
  const scale = (width - 260) / Math.max(1.1, ...results.map(ratioOf))
  const height = results.length * rowHeight + 40
  const bars = results.map((result, i) => {
    const y = 20 + i * rowHeight
    const ratio = ratioOf(result)
    return `  <text x="190" y="${y + 15}" text-anchor="end">${result.name}</text>
  <rect x="200" y="${y}" width="${(ratio * scale).toFixed(1)}" height="20" rx="3" fill="#3b6ea5"/>
  <text x="${(206 + ratio * scale).toFixed(1)}" y="${y + 15}">${ratio.toFixed(2)}</text>`
  })
  const line = (200 + scale).toFixed(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" font-family="sans-serif" font-size="13">
  <title>Requests a second, as a part of what hand-written SQL reaches</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
${bars.join('\n')}
  <line x1="${line}" y1="10" x2="${line}" y2="${height - 20}" stroke="#b03a2e" stroke-dasharray="4 3"/>
  <text x="${line}" y="${height - 5}" text-anchor="middle" fill="#b03a2e">hand-written SQL</text>
</svg>
`
}
