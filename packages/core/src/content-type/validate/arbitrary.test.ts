import { runs } from '@octavo/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  build,
  localizations,
  media,
  mistakesOf,
  one,
  part,
  relation,
  type,
} from '../../../test/support/definitions.ts'
import { DefinitionError } from '../definition/definition-error.ts'

describe('arbitrary definitions', () => {
  /** A valid definition, to be changed in one place. */
  const sound = {
    contentTypes: [
      type('article', {
        title: { type: 'string', required: true, maxLength: 5 },
        kind: { type: 'enumeration', enum: ['a'] },
        author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
        seo: one('shared.seo'),
        zone: { type: 'dynamiczone', components: ['shared.seo'] },
        slug: { type: 'uid', targetField: 'title' },
        cover: { type: 'media' },
      }),
      type('author', { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) }),
      type('file', {}, { uid: 'plugin::upload.file' }),
    ],
    components: [part('shared.seo', { title: { type: 'string', default: 'x' } })],
  }
  const words = fc.constantFrom(
    'string',
    'relation',
    'component',
    'media',
    'customField',
    'manyToMany',
    'api::author.author',
    'shared.seo',
    'articles',
    'author',
    'title',
    'id',
    '__proto__',
  )
  const anything = fc.oneof(
    words,
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    }),
  )
  const attempt = (contentTypes: unknown, components: unknown): void => {
    try {
      build(contentTypes as unknown[], components as unknown[], { types: [media, localizations] })
    } catch (error) {
      expect(error).toBeInstanceOf(DefinitionError)
      expect(error instanceof DefinitionError && error.mistakes.length).toBeGreaterThan(0)
    }
  }

  it('are valid before the change', () => {
    expect(mistakesOf(sound.contentTypes, sound.components, { types: [media] })).toEqual([])
  })

  it('give a registry or a DefinitionError', () => {
    fc.assert(fc.property(anything, anything, attempt), { numRuns: runs(150, 3_000) })
    fc.assert(fc.property(fc.array(anything), fc.array(anything), attempt), { numRuns: runs(150, 3_000) })
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            info: fc.record({
              singularName: fc.constantFrom('a', 'b'),
              pluralName: fc.constantFrom('as', 'bs'),
            }),
            attributes: fc.dictionary(
              fc.oneof(words, fc.string()),
              fc.oneof(
                anything,
                fc.record(
                  { type: words, relation: words, target: words, mappedBy: words },
                  { requiredKeys: ['type'] },
                ),
              ),
            ),
          }),
        ),
        (contentTypes) => attempt(contentTypes, []),
      ),
      { numRuns: runs(250, 5_000) },
    )
  })

  it('give a registry or a DefinitionError after one change of a valid definition', () => {
    const paths = [...leaves(sound)]
    fc.assert(
      fc.property(fc.constantFrom(...paths), anything, (path, value) => {
        const spoilt = structuredClone(sound) as Record<string, unknown>
        const key = path.at(-1) ?? ''
        const holder = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, spoilt)
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
        attempt(spoilt.contentTypes, spoilt.components)
      }),
      { numRuns: runs(500, 10_000) },
    )
  })
})

/** All paths in plain data. */
function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key])
}
