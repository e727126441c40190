/** The figures of all sizes beside their targets, as Markdown. */
import { median } from '../measure.ts'
import { type Measured, ownFigure, type Run, ratiosOf } from '../record.ts'
import { scenarios } from '../scenarios.ts'
import {
  firstAnswerTarget,
  growthTarget,
  isMet,
  memoryTarget,
  type Reported,
  reported,
  searchTarget,
  targetOfBest,
  targets,
} from '../targets.ts'
import { cell, conditions } from './details.ts'

/** The runs by size; those of some sizes may be none. */
export type AllRuns = Readonly<Record<Reported, readonly Run[]>>

/** The figures of a scenario over all runs of a size. */
interface Verdict {
  readonly name: string
  /** The median ratio to hand-written SQL of each run. */
  readonly ratios: readonly number[]
  readonly median: number
  readonly target: number | undefined
  /** The median of the median ratios to the best SQL known; `NaN` without one. */
  readonly ofBest: number
  readonly skipped: string | undefined
}

export function verdicts(runs: readonly Run[], size: Reported): readonly Verdict[] {
  const names = scenarios.map(({ name }) => name)
  return names.flatMap((name) => {
    const all = measuredIn(runs, name)
    if (all.length === 0) return []
    const ratios = all
      .filter((one) => ratiosOf(one, 'ceiling').length > 0)
      .map((one) => median(ratiosOf(one, 'ceiling')))
    const ofBest = all.map((one) => median(ratiosOf(one, 'best'))).filter(Number.isFinite)
    const skipped = all.find((one) => one.skipped !== undefined)?.skipped
    return [
      {
        name,
        ratios,
        median: median(ratios),
        target: targets[name]?.[size],
        ofBest: median(ofBest),
        skipped,
      },
    ]
  })
}

/** The tables of `docs/performance.md`. */
export function summary(all: AllRuns): string {
  const sizes = reported.filter((size) => all[size].length > 0)
  if (sizes.length === 0) return 'No runs are recorded.'
  return [...sizes.map((size) => tableOf(all[size], size)), otherTargets(all)].join('\n\n')
}

/** One table for all sizes: the medians, with the targets in brackets. */
export function overview(all: AllRuns): string {
  if (reported.every((size) => all[size].length === 0)) return 'No runs are recorded.'
  const bySize = reported.map((size) => new Map(verdicts(all[size], size).map((one) => [one.name, one])))
  // A scenario that no run has measured yet is left out.
  const names = scenarios.map(({ name }) => name).filter((name) => bySize.some((of) => of.has(name)))
  const rows = names.map((name) => {
    const cells = bySize.map((of) => {
      const one = of.get(name)
      const value = cell(one?.median ?? Number.NaN, 2)
      return one?.target === undefined ? value : `${value} (${one.target})`
    })
    return `| ${[code(name), ...cells].join(' | ')} |`
  })
  const titles = reported.map((size) => `${size}, ${runsOf(all[size].length)}`)
  return `Ratio to hand-written SQL, medians; in brackets the target.\n\n| | ${titles.join(' | ')} |\n|---|--:|--:|--:|\n${rows.join('\n')}`
}

function tableOf(runs: readonly Run[], size: Reported): string {
  const [first] = runs
  if (!first) return ''
  const found = verdicts(runs, size)
  const rows = found.map(({ name, ratios, median, target, ofBest }) => {
    const cells = [
      code(name),
      ratios.map((ratio) => cell(ratio, 2)).join(', ') || '–',
      `**${cell(median, 2)}**`,
      target === undefined ? '' : String(target),
      target === undefined ? '' : yesOrNo(isMet(median, target)),
      cell(ofBest, 2),
      Number.isFinite(ofBest) ? yesOrNo(isMet(ofBest, targetOfBest)) : '',
    ]
    return `| ${cells.join(' | ')} |`
  })
  const skipped = found.filter((one) => one.skipped !== undefined)
  return `### ${first.articles.toLocaleString('en')} articles

${runsOf(runs.length)} on ${[...new Set(runs.map(({ date }) => date.slice(0, 10)))].join(', ')}: ${conditions(first)}. [All figures](../bench/results/${size}.md).
${skipped.map(({ name, skipped }) => `\nNot measured: ${code(name)}, since ${skipped}.\n`).join('')}
| of hand-written SQL | each run | median | target | met | of the best SQL | ${targetOfBest} met |
|---|--:|--:|--:|---|--:|---|
${rows.join('\n')}`
}

/** Targets that are not ratios within one run. */
function otherTargets({ small, medium, large }: AllRuns): string {
  const rows: string[] = []
  const add = (
    title: string,
    value: number,
    digits: number,
    most: number,
    isReached = value <= most,
  ): void => {
    if (Number.isFinite(value))
      rows.push(`| ${title} | ${cell(value, digits)} | ${most} | ${yesOrNo(isReached)} |`)
  }
  const list = 'list of 25'
  const rate = (runs: readonly Run[]) => medianOf(runs, list, (sample) => sample.rate)
  const cpu = (runs: readonly Run[]) => medianOf(runs, list, (sample) => sample.cpu)
  const p50 = (runs: readonly Run[], name: string) => medianOf(runs, name, (sample) => sample.p50)
  const growth = 'list of 25 with its total, 1,000,000 articles against 100'
  add(
    `${growth}: time of a request under load (the inverse of requests/s)`,
    rate(small) / rate(large),
    2,
    growthTarget,
  )
  add(`${growth}: processor time of the server`, cpu(large) / cpu(small), 2, growthTarget)
  const search = p50(large, 'search _q with an index')
  add(
    '`_q` with ten matches in 1,000,000 articles, p50 in ms, less than',
    search,
    0,
    searchTarget,
    search < searchTarget,
  )
  for (const runs of [small, medium, large]) {
    const articles = runs[0]?.articles.toLocaleString('en')
    add(
      `resident memory under reads in MB, ${articles} articles, the highest of all reads`,
      memory(runs),
      0,
      memoryTarget,
    )
  }
  const starts = [small, medium, large].flat().map((run) => median(run.firstAnswers) / 1_000)
  add('first answer of a process with 50 content-types in seconds', median(starts), 2, firstAnswerTarget)
  return `### Other targets

| | measured | at most | met |
|---|--:|--:|---|
${rows.join('\n')}`
}

const memory = (runs: readonly Run[]): number =>
  Math.max(
    ...scenarios
      .filter(({ method }) => method === 'GET')
      .map(({ name }) => medianOf(runs, name, (sample) => sample.memory) / 1e6)
      .filter(Number.isFinite),
  )

const measuredIn = (runs: readonly Run[], name: string): readonly Measured[] =>
  runs.flatMap((run) => run.scenarios.find((measured) => measured.name === name) ?? [])

/** The median over runs of the median over rounds. */
const medianOf = (runs: readonly Run[], name: string, pick: Parameters<typeof ownFigure>[1]): number =>
  median(
    measuredIn(runs, name)
      .map((measured) => ownFigure(measured, pick))
      .filter(Number.isFinite),
  )

const yesOrNo = (is: boolean): string => (is ? 'yes' : '**no**')
const runsOf = (count: number): string => `${count} ${count === 1 ? 'run' : 'runs'}`
/** The parts of a name that a request has. */
const code = (name: string): string =>
  name.replace(/populate=\*|_q/, '`$&`').replace('zone with on', 'zone with `on`')
