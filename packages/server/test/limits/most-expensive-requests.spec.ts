/**
 * Searches for the request that takes most of the database, by hill climbing: a change of the query is accepted when it takes
 * more. The climbs take turns: one goes by rows that the nodes of PostgreSQL's plans return or discard, one by the time of the
 * request, one by the time to plan its statements, one by the memory that it takes. OCTAVO_FUZZ_MINUTES sets the duration in minutes
 * (default: some seconds), OCTAVO_FUZZ_SEED the seed.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '@octavo/core'
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openNodes } from '../support/nodes.ts'
import type { Site } from '../support/site.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const minutes = Number(process.env.OCTAVO_FUZZ_MINUTES ?? 0)
const seed = Number(process.env.OCTAVO_FUZZ_SEED ?? 1)

/** Milliseconds that a statement may run; on the embedded database as in production. */
const time = minutes > 0 ? 1_000 : 200
const embeddedTime = 150
const answerBytes = 2 ** 20

/** Numbers from 0 to 1 that are the same for the same seed: mulberry32. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The relations of each model and a field to end a path with. */
const models = {
  node: {
    steps: { down: 'node', up: 'node', parent: 'node', children: 'node', parts: 'part' },
    fields: ['name', 'id'],
  },
  part: { steps: { node: 'node' }, fields: ['text', 'id'] },
} as const
type ModelName = keyof typeof models

interface Query {
  readonly sort: readonly (readonly string[])[]
  readonly filters: readonly (readonly string[])[]
  readonly populate: readonly Place[]
  readonly limit: number
  readonly group: '[$or]' | '[$and]' | '[$not][$or]'
  readonly operator: '$contains' | '$eq' | '$ne'
}

/** Relations to populate, and paths that the last list is sorted and filtered by. */
interface Place {
  readonly path: readonly string[]
  readonly sort: readonly string[]
  readonly filters: readonly (readonly string[])[]
  /** Whether the first relation has a name of its own, so that it may be populated often. */
  readonly isNamed: boolean
}

const start: Query = { sort: [], filters: [], populate: [], limit: 25, group: '[$or]', operator: '$contains' }

const inBrackets = (path: readonly string[]): string => path.map((name) => `[${name}]`).join('')

function textOf({ sort, filters, populate, limit, group, operator }: Query): string {
  const parts = [`pagination[limit]=${limit}`]
  const addFilters = (at: string, paths: Query['filters']): void => {
    for (const [i, path] of paths.entries())
      parts.push(`${at}filters${at && ']'}${group}[${i}]${inBrackets(path)}[${operator}]=zz`)
  }
  if (sort.length > 0) parts.push(`sort=${sort.map((path) => path.join('.')).join()}`)
  addFilters('', filters)
  for (const [i, place] of populate.entries()) {
    const [first = '', ...others] = place.path
    const name = place.isNamed ? `a${i}` : first
    if (place.isNamed) parts.push(`populate[${name}][of]=${first}`)
    const at = `populate${[name, ...others].map((name) => `[${name}]`).join('[populate]')}`
    parts.push(place.sort.length > 0 ? `${at}[sort]=${place.sort.join('.')}` : `${at}[fields]=id`)
    addFilters(`${at}[`, place.filters)
  }
  return parts.join('&')
}

/** Changes a query at random. */
class Mutator {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  #pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.#random() * list.length)]
    if (picked === undefined) throw new Error('There is nothing to pick from')
    return picked
  }

  /** Relations from a model on; ends in a field where one is wanted. */
  #path(from: ModelName, length: number, field: boolean): { path: string[]; end: ModelName } {
    const path: string[] = []
    let end = from
    for (let i = 0; i < length; i++) {
      const steps: [string, ModelName][] = Object.entries(models[end].steps)
      if (steps.length === 0) break
      const [name, next] = this.#pick(steps)
      path.push(name)
      end = next
    }
    if (field) path.push(this.#pick(models[end].fields))
    return { path, end }
  }

  #length(most: number): number {
    return 1 + Math.floor(this.#random() * most)
  }

  #place(): Place {
    const { path, end } = this.#path('node', this.#length(7), false)
    const sort = this.#random() < 0.7 ? [] : this.#path(end, this.#length(5), true).path
    const filters =
      this.#random() < 0.5
        ? []
        : Array.from({ length: this.#length(4) }, () => this.#path(end, this.#length(4), true).path)
    return { path, sort, filters, isNamed: this.#random() < 0.7 }
  }

  change(query: Query): Query {
    const way = this.#random()
    if (way < 0.25) return { ...query, sort: [...query.sort, this.#path('node', this.#length(8), true).path] }
    if (way < 0.45)
      return { ...query, filters: [...query.filters, this.#path('node', this.#length(8), true).path] }
    if (way < 0.68) {
      const places = Array.from({ length: this.#length(4) }, () => this.#place())
      return { ...query, populate: [...query.populate, ...places] }
    }
    if (way < 0.74) return { ...query, limit: this.#length(100) }
    if (way < 0.77) return { ...query, group: this.#pick(['[$or]', '[$and]', '[$not][$or]']) }
    if (way < 0.8) return { ...query, operator: this.#pick(['$contains', '$eq', '$ne']) }
    const drop = <T>(list: readonly T[]): readonly T[] => list.filter(() => this.#random() > 0.4)
    if (way < 0.87) return { ...query, sort: drop(query.sort) }
    if (way < 0.94) return { ...query, filters: drop(query.filters) }
    return { ...query, populate: drop(query.populate) }
  }
}

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

/** The measures of a request that a climb goes by. */
const goals = ['rows', 'time', 'planning', 'memory'] as const

/**
 * `rows` are counted; `time` is milliseconds of the request, or on the embedded database those for which it held up the process at once;
 * `planning` is milliseconds; `memory` is bytes, of the answer or that the process grew by.
 */
type Measures = Readonly<Record<(typeof goals)[number], number>>

const nothing: Measures = { rows: 0, time: 0, planning: 0, memory: 0 }

interface Report {
  readonly Plan: PlanNode
  readonly 'Planning Time': number
}

/** Milliseconds to plan a statement, the least of some times: others use the machine too. */
async function quickest(store: Store, text: string, values: Values, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  await store.transaction(async (tx) => {
    // Writing an explanation takes longer than planning.
    await tx.query('set local statement_timeout to 0')
    for (let i = 0; i < times; i++) {
      const [row] = await tx.query(`explain (summary, format json) ${text}`, values)
      least = Math.min(least, (JSON.parse(String(row?.[0])) as [Report])[0]['Planning Time']) // PostgreSQL's own format
    }
  })
  return least
}

type Values = Parameters<Store['query']>[1]

/** A statement that a machine plans in 2.2 ms where the bound of 50 ms was measured. */
const reference = `select ${Array.from({ length: 100 }, (_, i) => `(select max(b.name) from nodes b where b.id = a.id + ${i})`)} from nodes a`
const asLongAsReference = 50 / 2.2

async function measure(site: Site, query: string): Promise<Measures> {
  const { store } = site.server.octavo
  const spies = [vi.spyOn(store, 'execute'), vi.spyOn(store, 'query')] as const
  const [start, rss] = [performance.now(), process.memoryUsage.rss()]
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { status, text } = await site.api.get(`/api/nodes?${query}`)
  const time = store.engine === 'pglite' ? delay.max / 1_000_000 : performance.now() - start
  delay.disable()
  const memory = store.engine === 'pglite' ? Math.max(0, process.memoryUsage.rss() - rss) : text.length
  expect([200, 400, 413, 503], query).toContain(status)
  const [executed, queried] = spies
  const statements: Parameters<Store['query']>[] = [
    ...executed.mock.calls.map(([{ text, values }]): Parameters<Store['query']> => [text, values]),
    ...queried.mock.calls,
  ].filter(([text]) => text.startsWith('select'))
  for (const spy of spies) spy.mockRestore()
  let [rows, planning] = [0, 0]
  for (const [text, values] of statements) {
    const reported = async (options: string): Promise<Report> => {
      const [row] = await store.query(`explain (${options}, format json) ${text}`, values)
      return (JSON.parse(String(row?.[0])) as [Report])[0] // PostgreSQL's own format
    }
    planning = Math.max(planning, await quickest(store, text, values, 3))
    // A statement that was ended once is ended again.
    if (status !== 200) continue
    const analysed = await reported('analyze, timing off').catch(() => undefined)
    rows += analysed ? rowsOf(analysed.Plan) : 0
  }
  return { rows, time, planning, memory }
}

/** The least time to plan the statements of a request, as a multiple of the reference, and whether it is within the bound at all. */
async function plannedAsReference({ server, api }: Site, query: string): Promise<number> {
  const { store } = server.octavo
  const spy = vi.spyOn(store, 'execute')
  await api.get(`/api/nodes?${query}`)
  const statements = spy.mock.calls.map(([{ text, values }]) => ({ text, values }))
  spy.mockRestore()
  let [own, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // A busy machine needs more tries to plan a long statement undisturbed.
  for (let i = 0; i < 30 && !(own / other < asLongAsReference / 2); i++) {
    other = Math.min(other, await quickest(store, reference, [], 3))
    let slowest = 0
    for (const { text, values } of statements)
      slowest = Math.max(slowest, await quickest(store, text, values, 1))
    own = Math.min(own, slowest)
  }
  return own / other
}

/** @returns the query with the most of each measure */
async function climb(site: Site, goOn: (tried: number) => boolean) {
  const mutator = new Mutator(randomFrom(seed))
  const most = new Map<keyof Measures, { readonly value: number; readonly query: string }>()
  let best: { query: Query; measures: Measures } = { query: start, measures: nothing }
  let [goal, sinceBetter] = [0, 0]
  for (let tried = 0; goOn(tried); tried++) {
    // A summit may be a low one: another climb begins at the foot, by the next measure.
    if (sinceBetter++ > 15) {
      best = { query: start, measures: nothing }
      sinceBetter = 0
      goal = (goal + 1) % goals.length
    }
    const query = mutator.change(best.query)
    const text = textOf(query)
    const measures = await measure(site, text)
    for (const name of goals)
      if (measures[name] > (most.get(name)?.value ?? 0))
        most.set(name, { value: measures[name], query: text })
    const by = goals[goal] ?? 'rows'
    if (measures[by] <= best.measures[by]) continue
    best = { query, measures }
    sinceBetter = 0
  }
  return most
}

describe('S-29, S-34, S-35: the dearest requests that a search finds', () => {
  let site: Site
  beforeAll(async () => {
    site = await openNodes({
      limits: { statementTime: time, embeddedStatementTime: embeddedTime, answerBytes },
    })
  })
  afterAll(() => site.close())

  it(
    'are planned, run and answered within the bounds',
    async () => {
      const end = Date.now() + minutes * 60_000
      const most = await climb(site, (tried) => (minutes > 0 ? Date.now() < end : tried < runs(30, 60)))
      if (minutes > 0)
        for (const [name, { value, query }] of most) console.info(`${name}: ${Math.round(value)}: ${query}`)
      const planned = await plannedAsReference(site, most.get('planning')?.query ?? '')
      if (minutes > 0) console.info(`planning: ${planned.toFixed(1)} times as long as the reference`)
      const of = (name: keyof Measures) => most.get(name) ?? { value: 0, query: '' }
      expect(planned, of('planning').query).toBeLessThan(asLongAsReference)
      // An order of magnitude above what an idle machine takes; without the bounds it is far more, each time that it is sent.
      const slowest = of('time')
      let least = slowest.value
      for (let i = 0; i < 5 && least >= 10_000; i++)
        least = Math.min(least, (await measure(site, slowest.query)).time)
      expect(least, slowest.query).toBeLessThan(10_000)
      if (site.server.octavo.store.engine === 'postgresql')
        expect(of('memory').value, of('memory').query).toBeLessThan(2 * answerBytes)
      expect(of('rows').value, 'the search finds work at all').toBeGreaterThan(10_000)
    },
    minutes * 60_000 + 120_000,
  )
})
