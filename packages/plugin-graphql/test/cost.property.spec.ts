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

/** Relations of the recorded content that lead in circles: to the type, and its own fields there. */
const circle = ['articles', 'author'] as const

const filter = fc.nat(40).map((count) => {
  const terms = Array.from(
    { length: count },
    (_, i) => `{ or: [{ id: { eq: ${i + 1} } }, { id: { ne: 0 } }] }`,
  )
  return count === 0 ? '' : `filters: { and: [${terms.join(' ')}] }, `
})

/** Selections of articles or of one author, `width` aliases on each of `depth` levels. */
function selectionOf(width: number, depth: number, given: string, conditions: string): string {
  if (depth === 0) return 'id'
  const [name] = depth % 2 === 0 ? circle : circle.slice(1)
  const inner = selectionOf(width, depth - 1, given, conditions)
  const fields = Array.from({ length: width }, (_, i) =>
    name === 'articles'
      ? `a${i}: articles(${given}pagination: { start: ${i}, limit: 1 }) ${conditions} { data { ${inner} } }`
      : `a${i}: author ${conditions} { data { ${inner} } }`,
  )
  return `id attributes { ${fields.join(' ')} }`
}

const operation = fc
  .record({
    roots: fc.nat(160),
    width: fc.nat(14),
    depth: fc.integer({ min: 0, max: 5 }),
    given: filter,
    conditions: fc.constantFrom('', '@include(if: true)', '@skip(if: false)', '@skip(if: true)'),
    inFragment: fc.boolean(),
  })
  .map(({ roots, width, depth, given, conditions, inFragment }) => {
    const even = depth - (depth % 2)
    const selection = selectionOf(width + 1, even, '', conditions)
    const inner = inFragment ? '...entry' : selection
    const fields = Array.from(
      { length: roots + 1 },
      (_, i) => `r${i}: authors(${given}pagination: { start: ${i}, limit: 1 }) { data { ${inner} } }`,
    )
    return `{ ${fields.join(' ')} }${inFragment ? ` fragment entry on AuthorEntity { ${selection} }` : ''}`
  })

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

it('An operation reads no more places, compares no more and starts no more statements than the bounds', async () => {
  const { limits } = running.server.octavo
  let [answered, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(operation, async (query) => {
      reads.length = 0
      const { status, body } = await ask(running.url, query, { token })
      expect(status).toBeLessThan(500)
      expect(JSON.stringify(body)).not.toContain('INTERNAL_SERVER_ERROR')
      const all = reads.join('&')
      // Each place names the values that it reads.
      expect(countOf(all, /fields(%5B|\[|\]|=)/g) + 4 * reads.length).toBeLessThanOrEqual(
        limits.populateNodes + 5,
      )
      expect(countOf(all, /(^|&)filters/g)).toBeLessThanOrEqual(limits.comparisons)
      expect(reads.length).toBeLessThanOrEqual(limits.populateNodes / 5)
      if (body.errors) refused += 1
      else answered += 1
    }),
    { numRuns: runs(25, 1_000), seed: 7 },
  )
  // Both kinds occur.
  expect(answered).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
})
