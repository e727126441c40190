/** The ratios to hand-written SQL as bars, in SVG. */
import { type Reported, reported } from '../targets.ts'
import { type AllRuns, verdicts } from './summary.ts'

const width = 760
const left = 190
const right = 64
const bar = 12
const top = 64

const colours: Readonly<Record<Reported, string>> = { small: '#3b6ea5', medium: '#c0762c', large: '#5b8c5a' }
const style =
  'text { fill: #1f2328 } .ground { fill: #ffffff } .grid { stroke: #d0d7de } .one { stroke: #1f2328 } .target { stroke: #b03a2e } ' +
  '@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ground { fill: #0d1117 } .grid { stroke: #30363d } .one { stroke: #e6edf3 } .target { stroke: #ff7b72 } }'

/**
 * Bars begin at 1, which is hand-written SQL: to the right Octavo answers more requests. The axis is logarithmic, because ratios of a
 * million articles exceed those of a hundred by far. The sizes without runs are left out.
 */
export function chart(all: AllRuns): string {
  const sizes = reported.filter((size) => all[size].length > 0)
  const found = sizes.map((size) => ({ size, bars: verdicts(all[size], size) }))
  const names = [...new Set(found.flatMap(({ bars }) => bars.map(({ name }) => name)))].filter((name) =>
    found.some(({ bars }) => bars.some((one) => one.name === name && one.ratios.length > 0)),
  )
  const values = found.flatMap(({ bars }) =>
    bars.flatMap(({ median, target = median }) => [median, target]).filter(Number.isFinite),
  )
  const ticks = ticksFor(Math.min(1, ...values), Math.max(1, ...values))
  const [low = 0.5, high = 2] = [ticks[0], ticks.at(-1)]
  const x = (ratio: number): number =>
    left + (Math.log(ratio / low) / Math.log(high / low)) * (width - left - right)
  const group = sizes.length * (bar + 2) + 12
  const bottom = top + names.length * group

  const grid = ticks.map(
    (tick) =>
      `  <line class="${tick === 1 ? 'one' : 'grid'}" x1="${at(x(tick))}" y1="${top - 6}" x2="${at(x(tick))}" y2="${bottom}"/>
  <text x="${at(x(tick))}" y="${bottom + 16}" text-anchor="middle">${tick}</text>`,
  )
  const rows = names.map((name, row) => {
    const y = top + row * group
    const bars = found.flatMap(({ size, bars }, i) => {
      const one = bars.find((other) => other.name === name)
      return one ? [drawBar(size, y + i * (bar + 2), one.median, one.target, x)] : []
    })
    return `  <text x="${left - 10}" y="${at(y + group / 2 - 3)}" text-anchor="end">${name}</text>\n${bars.join('\n')}`
  })
  const legend = sizes.map(
    (size, i) =>
      `  <rect x="${left + i * 150}" y="34" width="12" height="12" rx="2" fill="${colours[size]}"/>
  <text x="${left + 18 + i * 150}" y="44">${all[size][0]?.articles.toLocaleString('en')} articles</text>`,
  )
  const mark = left + sizes.length * 150
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${bottom + 44}" width="${width}" height="${bottom + 44}" font-family="sans-serif" font-size="13">
  <title>Requests per second of Octavo as a multiple of hand-written SQL</title>
  <style>${style}</style>
  <rect class="ground" width="100%" height="100%"/>
  <text x="10" y="20">Requests per second as a multiple of hand-written SQL behind bare node:http</text>
${legend.join('\n')}
  <line class="target" x1="${mark + 4}" y1="33" x2="${mark + 4}" y2="47" stroke-width="3"/>
  <text x="${mark + 14}" y="44">target</text>
${grid.join('\n')}
${rows.join('\n')}
  <text x="${at((left + width - right) / 2)}" y="${bottom + 36}" text-anchor="middle">ratio of requests/s, logarithmic; 1 is hand-written SQL</text>
</svg>
`
}

function drawBar(
  size: Reported,
  y: number,
  ratio: number,
  target: number | undefined,
  x: (ratio: number) => number,
): string {
  const mark =
    target === undefined
      ? ''
      : `\n  <line class="target" x1="${at(x(target))}" y1="${y - 1}" x2="${at(x(target))}" y2="${y + bar + 1}" stroke-width="3"/>`
  if (!Number.isFinite(ratio))
    return `  <text x="${at(x(1) + 6)}" y="${y + 10}" font-size="11">not measured</text>`
  const end = Math.max(x(1), x(ratio), target === undefined ? 0 : x(target) + 2)
  return `  <rect x="${at(Math.min(x(1), x(ratio)))}" y="${y}" width="${at(Math.max(1, Math.abs(x(ratio) - x(1))))}" height="${bar}" rx="2" fill="${colours[size]}"/>${mark}
  <text x="${at(end + 5)}" y="${y + 10}" font-size="11">${ratio.toFixed(2)}</text>`
}

/** The numbers of the axis, which begins below `low` and ends above `high`. */
function ticksFor(low: number, high: number): readonly number[] {
  const all = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
  const first = Math.max(
    0,
    all.findLastIndex((tick) => tick <= low),
  )
  const last = all.findIndex((tick) => tick >= Math.max(high, 2))
  return all.slice(Math.min(first, 2), last === -1 ? all.length : last + 1)
}

const at = (value: number): string => value.toFixed(1)
