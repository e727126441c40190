/**
 * Searches for the request with the most database work per byte of its query, by hill climbing: a change of the query is
 * accepted when the work per byte grows. The work is counted, not timed: the rows that the nodes of PostgreSQL's plans
 * return or discard. OCTAVO_FUZZ_MINUTES sets the duration in minutes (default: some seconds), OCTAVO_FUZZ_SEED the seed.
 */
import type { Store } from '@octavo/core'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from './site.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const minutes = Number(process.env.OCTAVO_FUZZ_MINUTES ?? 0)
const seed = Number(process.env.OCTAVO_FUZZ_SEED ?? 1)

/** The price limit of this test, and the rows that a statement within it can handle: a row costs at least 0.01. */
const price = 3_000
const mostRows = price * 100
const answerRows = 5_000

/** Three authors with 60 articles each. */
async function openLibrary(limits: { price: number; embeddedPrice: number }): Promise<Site> {
  const site = await openSite({ limits: { ...limits, answerRows, statementTime: 60_000 } })
  const { store } = site.server.octavo
  await store.query(`insert into authors (name) values ('Bea'), ('Cem')`)
  await store.query(
    `insert into articles (title, views, author_id) select 'title ' || n, n, 1 + n % 3 from generate_series(1, 180) n`,
  )
  await store.query('analyze articles')
  await store.query('analyze authors')
  return site
}

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
  article: { steps: { author: 'author', seo: 'seo' }, fields: ['title', 'views', 'id'] },
  author: { steps: { articles: 'article' }, fields: ['name', 'id'] },
  seo: { steps: {}, fields: ['metaTitle'] },
} as const
type ModelName = keyof typeof models

interface Query {
  readonly sort: readonly (readonly string[])[]
  readonly filters: readonly (readonly string[])[]
  /** Relations to populate, and a path that the last list is sorted by. */
  readonly populate: readonly { readonly path: readonly string[]; readonly sort: readonly string[] }[]
  readonly limit: number
  readonly not: boolean
}

const start: Query = { sort: [], filters: [], populate: [], limit: 25, not: false }

const inBrackets = (path: readonly string[]): string => path.map((name) => `[${name}]`).join('')

function textOf({ sort, filters, populate, limit, not }: Query): string {
  const parts = [`pagination[limit]=${limit}`]
  if (sort.length > 0) parts.push(`sort=${sort.map((path) => path.join('.')).join()}`)
  for (const [i, path] of filters.entries())
    parts.push(`filters${not ? '[$not]' : ''}[$or][${i}]${inBrackets(path)}[$contains]=zz`)
  for (const { path, sort: by } of populate) {
    const at = `populate${path.map((name) => `[${name}]`).join('[populate]')}`
    parts.push(by.length > 0 ? `${at}[sort]=${by.join('.')}` : `${at}[fields]=id`)
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

  change(query: Query): Query {
    const way = this.#random()
    if (way < 0.25)
      return { ...query, sort: [...query.sort, this.#path('article', this.#length(8), true).path] }
    if (way < 0.45)
      return { ...query, filters: [...query.filters, this.#path('article', this.#length(8), true).path] }
    if (way < 0.65) {
      const { path, end } = this.#path('article', this.#length(7), false)
      const sort = this.#random() < 0.5 ? [] : this.#path(end, this.#length(5), true).path
      return { ...query, populate: [...query.populate, { path, sort }] }
    }
    if (way < 0.75) return { ...query, limit: this.#length(100) }
    if (way < 0.8) return { ...query, not: !query.not }
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

/** The rows that the statements of one request handle. */
async function workOf(site: Site, query: string): Promise<number> {
  const { store } = site.server.octavo
  const spies = [vi.spyOn(store, 'execute'), vi.spyOn(store, 'query')] as const
  await site.api.get(`/api/articles?${query}`)
  const [executed, queried] = spies
  const statements: Parameters<Store['query']>[] = [
    ...executed.mock.calls.map(([{ text, values }]): Parameters<Store['query']> => [text, values]),
    ...queried.mock.calls,
  ].filter(([text]) => text.startsWith('select'))
  for (const spy of spies) spy.mockRestore()
  let rows = 0
  for (const [text, values] of statements) {
    const [row] = await store.query(`explain (analyze, timing off, format json) ${text}`, values)
    const [{ Plan: plan }] = JSON.parse(String(row?.[0])) as [{ Plan: PlanNode }] // PostgreSQL's own format
    rows += rowsOf(plan)
  }
  return rows
}

interface Found {
  readonly query: string
  readonly rows: number
}

/** @returns the request with the most rows of all that were tried */
async function climb(
  site: Site,
  from: number,
  goOn: (tried: number, dearest: Found) => boolean,
): Promise<Found> {
  const mutator = new Mutator(randomFrom(from))
  let dearest: Found = { query: '', rows: 0 }
  let best: { query: Query; perByte: number } = { query: start, perByte: 0 }
  let sinceBetter = 0
  for (let tried = 0; goOn(tried, dearest); tried++) {
    // A summit may be a low one: another climb begins at the foot.
    if (sinceBetter++ > 25) {
      best = { query: start, perByte: 0 }
      sinceBetter = 0
    }
    const query = mutator.change(best.query)
    const text = textOf(query)
    const rows = await workOf(site, text)
    if (rows > dearest.rows) dearest = { query: text, rows }
    if (rows / text.length <= best.perByte) continue
    best = { query, perByte: rows / text.length }
    sinceBetter = 0
  }
  return dearest
}

describe('S-29: the most expensive request that a search finds', () => {
  const sites: Site[] = []
  const open = async (limit: number): Promise<Site> => {
    const site = await openLibrary({ price: limit, embeddedPrice: limit })
    sites.push(site)
    return site
  }
  afterAll(async () => {
    for (const site of sites) await site.close()
  })

  it(
    'handles no more rows than the price allows',
    async () => {
      const site = await open(price)
      const end = Date.now() + minutes * 60_000
      const found = await climb(site, seed, (tried) => (minutes > 0 ? Date.now() < end : tried < 60))
      if (minutes > 0) console.info(`${found.rows} rows: ${found.query}`)
      expect(found.rows, found.query).toBeLessThanOrEqual(mostRows)
      expect(found.rows, 'the search finds work at all').toBeGreaterThan(1_000)
    },
    minutes * 60_000 + 120_000,
  )

  it('handles more rows with a hundred times the price limit, so the search can find a defect', async () => {
    const site = await open(price * 100)
    const found = await climb(site, seed, (tried, { rows }) => tried < 400 && rows <= mostRows)
    expect(found.rows).toBeGreaterThan(mostRows)
  })
})
