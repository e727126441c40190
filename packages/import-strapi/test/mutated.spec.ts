/** Archives of which any value may be anything. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ImportError } from '@octavo/core'
import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { importStrapi, openSource } from '../src/index.ts'
import { changedArchive, type Lines } from './archives.ts'
import { emptySite, fixture } from './fixture.ts'

// Each run starts a server, and a failure is repeated with fewer changes.
vi.setConfig({ testTimeout: 600_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-mutated-'))
})
afterAll(() => rm(folder, { recursive: true }))

const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 0, -1, 1.5, 0.123456789, 1e300, 2 ** 31, 2 ** 53, '', '5', '-7', 'a\u0000b', '\ud800'],
    ...[[], {}, [null], [[]], [1, 2], { id: 'x' }, 'y'.repeat(300), '2024-01-31', '2024-13-45T00:00:00.000Z'],
    ...['constructor', '__proto__', '../../x', 'api::article.article', 'shared.seo', undefined],
  ),
  fc.jsonValue(),
)

/** A place in the lines, and what comes there; the numbers choose a line, and a key on each level. */
const change = fc.record({ line: fc.nat(), keys: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), value })

/** Values of sections are checked as a whole, by their plugins. */
const inSections = /^plugin::(i18n|users-permissions\.(role|permission))/

function apply(lines: Lines, { line, keys, value }: typeof change extends fc.Arbitrary<infer T> ? T : never) {
  const data = lines.entities.filter(({ type }) => !inSections.test(type)).map((entity) => entity.data)
  const fields = lines.links.flatMap(({ left, right }) => [left, right])
  const all: readonly object[] = [...data, ...fields]
  let at = all[line % all.length] as Record<string, unknown>
  // The ends of links have a type and an id in each archive that is one.
  const isEnd = 'ref' in at
  for (const [depth, number] of keys.entries()) {
    const names = Object.keys(at).filter((name) => !isEnd || name === 'pos' || name === 'field')
    const name = names[number % names.length]
    if (name === undefined) return
    const next = at[name]
    if (depth < keys.length - 1 && typeof next === 'object' && next !== null) at = next as typeof at
    else {
      if (isEnd) at[name] = name === 'pos' ? (typeof value === 'number' ? value : null) : typeof value
      else at[name] = value
      return
    }
  }
}

it('An archive with values of any kind is imported and agrees, or is refused for a reason that names its place', async () => {
  const definitions = await openSource(fixture('export.tar.gz'))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 40, maxLength: 80 }), async (changes) => {
      const file = path.join(folder, 'mutated.tar.gz')
      await changedArchive(file, (lines) => {
        for (const one of changes) apply(lines, one)
      })
      const source = await openSource(file)
      const site = await emptySite(definitions)
      try {
        const { comparisons } = await importStrapi(site.server.octavo, source, await source.outline(), {
          skipInvalid: true,
        })
        expect(comparisons.filter(({ agrees }) => !agrees)).toEqual([])
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError)
        expect((error as Error).message).not.toContain('the source has')
        const [[count] = []] = await site.server.octavo.store.query('select count(*) from "articles"')
        expect(Number(count)).toBe(0)
      } finally {
        await site.close()
      }
    }),
    { numRuns: runs(4, 60) },
  )
})
