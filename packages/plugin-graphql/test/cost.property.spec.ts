/** Random operations cannot cost more than one query of REST: aliases, depth, fragments, directives and arguments. */
import type { ReadRequest } from '@octavo/core'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ask, login, type RecordedServer, recordedServer } from './recorded.ts'

vi.setConfig({ testTimeout: 120_000 })

let running: RecordedServer
let token: string
const reads: string[] = []
beforeAll(async () => {
  running = await recordedServer({ depthLimit: 20 })
  token = await login(running.url)
  const { octavo } = running.server
  const read = octavo.read.bind(octavo)
  Object.assign(octavo, {
    read: (request: ReadRequest) => {
      reads.push(request.query)
      return read(request)
    },
  })
})
afterAll(() => running.close())

/** How many filters, and the relations that each of them follows. */
interface Filters {
  readonly count: number
  readonly steps: number
}

const filtersOf = ({ count, steps }: Filters, type: 'articles' | 'author'): string => {
  const term = (i: number): string => {
    let text = `{ id: { ne: ${i} } }`
    const order = type === 'articles' ? ['author', 'articles'] : ['articles', 'author']
    for (let step = steps - 1; step >= 0; step--) text = `{ ${order[step % 2]}: ${text} }`
    return text
  }
  return count === 0
    ? ''
    : `filters: { and: [${Array.from({ length: count }, (_, i) => term(i)).join(' ')}] }, `
}

interface Shape {
  /** Aliases on each level. */
  readonly width: number
  /** Relations within each other, from authors to their articles and back. */
  readonly depth: number
  /** Of each list of articles. */
  readonly filters: Filters
  readonly directive: string
  readonly zone: boolean
}

/** The selection of an author or of an article. */
function selectionOf(shape: Shape, level = 0): string {
  const { width, depth, filters, directive, zone } = shape
  const isArticle = level % 2 === 1
  const own = isArticle && zone ? 'blocks { ... on ComponentBlocksQuote { text } }' : ''
  if (level === depth) return `id ${own && `attributes { ${own} }`}`
  const inner = selectionOf(shape, level + 1)
  const fields = Array.from({ length: width }, (_, i) =>
    isArticle
      ? `a${i}: author ${directive} { data { ${inner} } }`
      : `a${i}: articles(${filtersOf(filters, 'articles')}sort: "author.id", pagination: { start: ${i}, limit: 1 }) ${directive} { data { ${inner} } }`,
  )
  return `id attributes { ${fields.join(' ')} ${own} }`
}

/** The most filters and steps of these numbers in a text that can still be parsed, near the bound of one query of REST. */
const filters = fc.oneof(
  fc.constant({ count: 0, steps: 0 }),
  fc.record({ count: fc.integer({ min: 1, max: 60 }), steps: fc.integer({ min: 0, max: 4 }) }),
)

/** Of all relations of an operation; the bound is 500. */
const mostPlaces = 1_200

const operation = fc
  .record({
    roots: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 150 })),
    depth: fc.integer({ min: 0, max: 6 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    filters,
    nested: filters,
    directive: fc.constantFrom('', '@include(if: true)', '@skip(if: false)', '@skip(if: true)'),
    zone: fc.boolean(),
    inFragment: fc.boolean(),
  })
  .map(({ roots, depth, part, filters, nested, directive, zone, inFragment }) => {
    // Aliases multiply with each second level: an author is one of an article, with the same arguments for all aliases.
    const lists = Math.max(1, Math.ceil(depth / 2))
    const most = (mostPlaces / roots) ** (1 / lists)
    const width = Math.max(1, Math.round(1 + part * (most - 1)))
    const fewer = (given: Filters, times: number): Filters => ({
      ...given,
      count: Math.min(given.count, Math.ceil(700 / times)),
    })
    const shape = { width, depth, filters: fewer(nested, roots * width ** lists), directive, zone }
    const selection = selectionOf(shape)
    const text = filtersOf(fewer(filters, roots), 'author')
    const fields = Array.from(
      { length: roots },
      (_, i) =>
        `r${i}: authors(${text}pagination: { start: ${i}, limit: 1 }) { data { ${inFragment ? '...entry' : selection} } }`,
    )
    return `{ ${fields.join(' ')} }${inFragment ? ` fragment entry on AuthorEntity { ${selection} }` : ''}`
  })

/** Root fields with a zone each, whose components are places. */
const zones = `{ ${Array.from(
  { length: 70 },
  (_, i) =>
    `r${i}: articles(pagination: { start: ${i}, limit: 1 }) { data { attributes { blocks { ... on ComponentBlocksQuote { text } } } } }`,
).join(' ')} }`

/** The parameters of a read: the names in their brackets. */
const parametersOf = (query: string): readonly (readonly string[])[] =>
  query.split('&').map((pair) => (pair.split('=')[0] ?? '').replace(/\]$/, '').split(/[[\]]+/))

/** The cost of all reads together, in the units of the bounds. */
function costOf(queries: readonly string[]): {
  readonly places: number
  readonly comparisons: number
  readonly parameters: number
  readonly steps: number
} {
  const all = queries.flatMap(parametersOf)
  const filters = all.filter((names) => names.includes('filters'))
  return {
    // Each place names the values that it reads.
    places: all.filter((names) => names.includes('fields')).length + 4 * queries.length,
    comparisons: filters.length,
    parameters: all.filter((names) => !names.includes('fields') && !names.includes('of')).length,
    steps: filters.reduce((sum, names) => sum + names.length - names.indexOf('filters') - 3, 0),
  }
}

it('An operation reads no more places, compares no more and starts no more statements than the bounds', async () => {
  const { limits } = running.server.octavo
  /** The operations that were answered, and those that each bound refused. */
  const found = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(operation, async (query) => {
      reads.length = 0
      const { status, body } = await ask(running.url, query, { token })
      expect(status).toBeLessThan(500)
      expect(JSON.stringify(body)).not.toContain('INTERNAL_SERVER_ERROR')
      const cost = costOf(reads)
      expect(cost.places).toBeLessThanOrEqual(limits.populateNodes)
      expect(cost.comparisons).toBeLessThanOrEqual(limits.comparisons)
      expect(cost.parameters).toBeLessThanOrEqual(limits.parameters)
      expect(cost.steps).toBeLessThanOrEqual(limits.requestSteps)
      const { code } = body.errors?.[0].extensions.error?.details ?? {}
      const end = code ?? body.errors?.[0].extensions.code ?? 'answered'
      found.set(end, (found.get(end) ?? 0) + 1)
    }),
    { numRuns: runs(40, 2_000), seed: 7, examples: [[zones]] },
  )
  // All of them occur.
  for (const end of ['answered', 'graphql/too-many-places', 'graphql/too-many-arguments'])
    expect(found.get(end), end).toBeGreaterThan(0)
})
