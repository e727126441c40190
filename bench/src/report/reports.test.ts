import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Sample } from '../measure.ts'
import { type Measured, type Run, readRuns, writeRuns } from '../record.ts'
import { scenarios } from '../scenarios.ts'
import { reported, targets } from '../targets.ts'
import { chart } from './chart.ts'
import { markdown } from './details.ts'
import { overview, summary } from './summary.ts'
import { reportsOf, resultsFolder } from './write-reports.ts'

const sample = (rate: number, figures: Partial<Sample> = {}): Sample => ({
  rate,
  p50: 3,
  p99: 9,
  cpu: 100,
  memory: 140e6,
  ...figures,
})
const against = (name: string, ...ratios: readonly number[]): Measured => ({
  name,
  roundTrips: 1,
  rounds: ratios.map((ratio) => ({
    octavo: sample(1_000 * ratio),
    ceiling: sample(1_000),
    best: sample(2_000 * ratio),
  })),
})
const run = (articles: number, ...measured: readonly Measured[]): Run => ({
  date: '2026-01-02T03:04:05.000Z',
  articles,
  node: '24.0.0',
  postgresql: '15.18',
  processor: 'a processor',
  cores: 2,
  connections: 16,
  seconds: 5,
  fill: { seconds: 61, bytes: 3 * 2 ** 20 },
  scenarios: measured,
  firstAnswers: [300, 320, 900],
})

describe('the tables of recorded runs', () => {
  const small = [
    run(100, against('list of 25', 0.9, 0.97, 0.99), against('create', 1.2)),
    run(100, against('list of 25', 0.93), against('create', 1)),
    run(100, against('list of 25', 1), against('create', 1.1)),
  ]
  const skipped = { name: 'search _q', rounds: [], skipped: 'it reads the whole table' }
  const large = [run(1_000_000, against('list of 25', 41), skipped)]

  it('have the median ratio of each run, their median, the target, and whether it is met', () => {
    const lines = summary({ small, medium: [], large }).split('\n')
    expect(lines).toContain('| list of 25 | 0.97, 0.93, 1.00 | **0.97** | 0.95 | yes | 0.50 | **no** |')
    expect(lines).toContain('| create | 1.20, 1.00, 1.10 | **1.10** | 1.2 | **no** | 0.50 | **no** |')
    expect(lines).toContain('| list of 25 | 41.00 | **41.00** | 40 | yes | 0.50 | **no** |')
  })

  it('name the runs and their conditions', () => {
    expect(summary({ small, medium: [], large })).toContain(
      '3 runs on 2026-01-02: 100 articles on PostgreSQL 15.18, Node.js 24.0.0, 16 connections, 3 rounds of 5 s, 2 processors',
    )
  })

  it('give the reason for a scenario that was left out', () => {
    expect(summary({ small, medium: [], large })).toContain(
      'Not measured: search `_q`, since it reads the whole table.',
    )
    expect(markdown(large[0] ?? run(0))).toContain('| search _q | – | – | **–** |')
  })

  it('compare the list with its total over a million articles and over a hundred', () => {
    const of = (articles: number, rate: number, cpu: number): Run =>
      run(articles, {
        name: 'list of 25',
        rounds: [{ octavo: sample(rate, { cpu }), ceiling: sample(1) }],
      })
    const text = summary({ small: [of(100, 4_400, 100)], medium: [], large: [of(1_000_000, 4_000, 125)] })
    expect(text).toMatch(/1,000,000 articles against 100: time of a request[^|]* \| 1\.10 \| 1\.2 \| yes \|/)
    expect(text).toMatch(
      /1,000,000 articles against 100: processor time[^|]* \| 1\.25 \| 1\.2 \| \*\*no\*\* \|/,
    )
  })

  it('require less than 20 ms of a search with an index', () => {
    const of = (p50: number): Run =>
      run(1_000_000, {
        name: 'search _q with an index',
        rounds: [{ octavo: sample(500, { p50 }), ceiling: sample(1) }],
      })
    const text = (p50: number) => summary({ small: [], medium: [], large: [of(p50)] })
    expect(text(19)).toContain('| 19 | 20 | yes |')
    expect(text(20)).toContain('| 20 | 20 | **no** |')
  })

  it('leave out a round in which a server answered nothing', () => {
    const silent = { octavo: sample(0), ceiling: sample(10) }
    const measured = { name: 'login', rounds: [silent, { octavo: sample(9), ceiling: sample(10) }] }
    expect(summary({ small: [run(100, measured)], medium: [], large: [] })).toContain(
      '| login | 0.90 | **0.90** |',
    )
    expect(
      summary({
        small: [run(100, { name: 'login', rounds: [silent] })],
        medium: [],
        large: [],
      }),
    ).toContain('| login | – | **–** |')
  })

  it('show all sizes in one table with the targets', () => {
    expect(overview({ small, medium: [], large })).toContain('| list of 25 | 0.97 (0.95) | – | 41.00 (40) |')
  })

  it('have a chart with a bar for each ratio and a mark for each target', () => {
    const svg = chart({ small, medium: [], large })
    expect(svg.match(/<line class="target"[^>]*stroke-width="3"/g)).toHaveLength(4) // one of them in the legend
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg).toContain('ratio of requests/s, logarithmic')
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('the recorded runs', () => {
  it('are read as they were written', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-bench-'))
    try {
      const url = pathToFileURL(folder + path.sep)
      const runs = [run(100, against('list of 25', 0.5, 0.25))]
      expect(await readRuns(url, 'small')).toEqual([])
      await writeRuns(url, 'small', runs)
      expect(await readRuns(url, 'small')).toMatchObject(runs)
      expect(await readRuns(url, 'small')).toMatchObject([{ scenarios: [{ ratios: [0.5, 0.25] }] }])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are those of the pages and charts', async () => {
    for (const { file, text } of await reportsOf(resultsFolder))
      expect(await readFile(file, 'utf8'), `pnpm bench --report writes ${file.pathname}`).toBe(text)
  })
})

it('each target is that of a scenario', () => {
  const names = scenarios.map(({ name }) => name)
  expect(Object.keys(targets).filter((name) => !names.includes(name))).toEqual([])
  for (const target of Object.values(targets)) expect(Object.keys(target)).toEqual([...reported])
})
