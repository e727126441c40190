import { questions, type Work } from './peer.ts'

export interface Figures {
  readonly name: string
  /** Of node_modules. */
  readonly megabytes: number | undefined
  /** Megabytes of resident memory after the load. */
  readonly memory: number | undefined
  readonly work?: Work
  /** Answers a second, in the order of `questions`. */
  readonly questions: readonly { readonly rate: number }[]
}

const times = (own: number, other: number): string => {
  const ratio = own / other
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1)
}

/** @param absent Peers that could not be measured, with the reason. */
export function table(all: readonly Figures[], about: string, absent: readonly string[]): string {
  const [octavo] = all
  const rows = questions.map((question, i) => {
    const own = octavo?.questions[i]?.rate ?? Number.NaN
    const cells = all.map(({ questions: figures }, n) => {
      const rate = figures[i]?.rate ?? Number.NaN
      if (Number.isNaN(rate)) return '–'
      const shown = rate < 10 ? rate.toFixed(1) : String(Math.round(rate))
      return n === 0 ? shown : `${shown} (**${times(own, rate)}**)`
    })
    return `| ${[question, ...cells].join(' | ')} |`
  })
  const line = (title: string, of: (figures: Figures) => string) =>
    `| ${[title, ...all.map(of)].join(' | ')} |`
  return `# Beside other content servers

${about} Requests a second, medians of the rounds; in brackets how many times as many Octavo answers. Only ratios within one run are worth comparing.

| | ${all.map(({ name }) => name).join(' | ')} |
|---|${all.map(() => '--:').join('|')}|
${rows.join('\n')}
${line('hash of a password, for each log in', ({ work }) => work?.hash ?? '–')}
${line('pictures made of an uploaded one', ({ work }) => work?.pictures ?? '–')}
${line('resident memory after the load, MB', ({ memory }) => memory?.toFixed(0) ?? '–')}
${line('node_modules, MB', ({ megabytes }) => megabytes?.toString() ?? '–')}
${absent.length === 0 ? '' : `\nNot measured:\n\n${absent.map((one) => `- ${one}`).join('\n')}\n`}`
}

const width = 760
const left = 230
const bar = 16
const colours = ['#3b6ea5', '#c0762c', '#5b8c5a', '#8a5a9e', '#b0525e']
/** Pixels of a name in the legend. */
const entry = 148

/** Requests a second as bars in groups, relative to the fastest of each question; light or dark with the reader's scheme. */
export function chart(all: readonly Figures[]): string {
  const group = all.length * (bar + 2) + 16
  const height = 50 + questions.length * group
  const groups = questions.map((question, i) => {
    const top = 44 + i * group
    const fastest = Math.max(...all.map((figures) => figures.questions[i]?.rate || 0))
    const bars = all.map((figures, n) => {
      const rate = figures.questions[i]?.rate || 0
      if (rate === 0) return ''
      const y = top + n * (bar + 2)
      const length = Math.max(1, (rate / fastest) * (width - left - 80))
      return `  <rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${bar}" rx="2" fill="${colours[n % colours.length]}"/>
  <text x="${(left + 6 + length).toFixed(1)}" y="${y + 12}">${Math.round(rate).toLocaleString('en')}</text>`
    })
    return `  <text x="${left - 10}" y="${top + group / 2 - 8}" text-anchor="end">${question}</text>\n${bars.join('\n')}`
  })
  const legend = all.map(
    ({ name }, n) =>
      `  <rect x="${12 + n * entry}" y="12" width="12" height="12" rx="2" fill="${colours[n % colours.length]}"/>
  <text x="${30 + n * entry}" y="22">${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13">
  <title>Requests a second of content servers on the same content</title>
  <style>text { fill: #1f2328 } .ground { fill: #ffffff } @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ground { fill: #0d1117 } }</style>
  <rect class="ground" width="100%" height="100%"/>
${legend.join('\n')}
${groups.join('\n')}
</svg>
`
}
