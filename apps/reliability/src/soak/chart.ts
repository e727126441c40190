/** The samples of a run as a chart in SVG. */
import type { Sample } from './run-soak.ts'

const width = 760
const left = 130
const panelHeight = 110
const mebibyte = 2 ** 20

interface Line {
  readonly color: string
  readonly values: readonly (number | undefined)[]
}

interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

/** @param title Also read by screen readers. */
export function chart(title: string, samples: readonly Sample[]): string {
  const of = (color: string, pick: (sample: Sample, i: number) => number | undefined): Line => ({
    color,
    values: samples.map(pick),
  })
  const inMebibytes = (bytes: number | undefined): number | undefined => bytes && bytes / mebibyte
  const perSecond = (sample: Sample, i: number): number =>
    sample.requests / (sample.seconds - (samples[i - 1]?.seconds ?? 0))
  const panels: readonly Panel[] = [
    { title: 'requests/s', lines: [of('#3b6ea5', perSecond)] },
    { title: 'p99, ms', lines: [of('#3b6ea5', ({ p99 }) => p99)] },
    { title: 'errors and 503', lines: [of('#b03a2e', ({ errors, refused }) => errors + refused)] },
    { title: 'server, MiB', lines: [of('#3b6ea5', ({ server }) => inMebibytes(server))] },
    { title: 'pictures, MiB', lines: [of('#8a6d3b', ({ pictures }) => inMebibytes(pictures))] },
    { title: 'backends, MiB', lines: [of('#2e7d4f', ({ backends }) => inMebibytes(backends))] },
    { title: 'handles', lines: [of('#3b6ea5', ({ handles }) => handles)] },
  ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== undefined)))
  const seconds = samples.at(-1)?.seconds ?? 1
  const height = 40 + panels.length * panelHeight + 20
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" font-family="sans-serif" font-size="13">
  <title>${title}</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
  <text x="10" y="24">${title}</text>
${panels.map((panel, i) => draw(panel, 40 + i * panelHeight, samples, seconds)).join('\n')}
  <text x="${width - 10}" y="${height - 6}" text-anchor="end">${Math.round(seconds)} s</text>
</svg>
`
}

function draw({ title, lines }: Panel, top: number, samples: readonly Sample[], seconds: number): string {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== undefined))
  const highest = Math.max(1, ...known)
  const bottom = top + panelHeight - 20
  const x = (at: number): number => left + (at / seconds) * (width - left - 10)
  const y = (value: number): number => bottom - (value / highest) * (panelHeight - 30)
  const polyline = ({ color, values }: Line): string => {
    const points = values.flatMap((value, i) =>
      value === undefined ? [] : [`${x(samples[i]?.seconds ?? 0).toFixed(1)},${y(value).toFixed(1)}`],
    )
    return `  <polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.2"/>`
  }
  return `  <text x="10" y="${bottom - 30}">${title}</text>
  <text x="${left - 6}" y="${top + 18}" text-anchor="end" fill="#666">${Math.round(highest)}</text>
  <line x1="${left}" y1="${bottom}" x2="${width - 10}" y2="${bottom}" stroke="#ccc"/>
${lines.map(polyline).join('\n')}`
}
