/** Relations whose kind changed: their links move to the storage of the new kind. */

import type { Store } from '@octavo/database'
import { openStore, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultLimits } from '../../src/limits.ts'
import { convertRelations } from '../../src/schema/convert-relations.ts'
import { updateSchema } from '../../src/schema/update-schema.ts'
import { collection, registryOf } from '../support/registry.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({ database: database.url, limits: defaultLimits, logger: silentLogger })
})
// One database for several tests: an embedded one takes seconds to start.
beforeEach(async () => {
  await store.query('drop schema public cascade')
  await store.query('create schema public')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

type Kind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'

const opposites = { oneToOne: 'oneToOne', manyToOne: 'oneToMany', manyToMany: 'manyToMany' } as const

/** Books with a relation `tag` of this kind, two-way where books own it. */
function books(relation: Kind) {
  const tag = { type: 'relation', relation, target: 'api::tag.tag' } as const
  if (relation === 'oneToMany') return registryOf([collection('tag', {}), collection('book', { tag })])
  const inverse = {
    type: 'relation',
    relation: opposites[relation],
    target: 'api::book.book',
    mappedBy: 'tag',
  } as const
  return registryOf([
    collection('tag', { book: inverse }),
    collection('book', { tag: { ...tag, inversedBy: 'book' } }),
  ])
}

/** Pairs of a book and a tag. */
type Links = readonly (readonly [number, number])[]

/** Makes the tables for a kind, with three books and three tags, and links in its storage. */
async function fill(kind: 'manyToOne' | 'manyToMany', links: Links): Promise<void> {
  await updateSchema(store, books(kind))
  await store.query('delete from books')
  await store.query('delete from tags')
  await store.query('insert into tags (id) values (1), (2), (3)')
  await store.query('insert into books (id) values (1), (2), (3)')
  for (const [book, tag] of links)
    await store.query(
      kind === 'manyToOne'
        ? 'update books set tag_id = $2 where id = $1'
        : 'insert into books_tag_links (owner_id, target_id, position) values ($1, $2, 1)',
      [book, tag],
    )
}

const inColumn = async () =>
  pairs(await store.query('select id, tag_id from books where tag_id is not null order by 1'))
const inTable = async () =>
  pairs(await store.query('select owner_id, target_id from books_tag_links order by 1, 2'))
const pairs = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(Number))

/** Updates the schema as a start does, then runs the command. */
async function convertTo(kind: Kind, settings = {}) {
  const { warnings } = await updateSchema(store, books(kind))
  return { warnings, conversions: await convertRelations(store, books(kind), settings) }
}

describe('A relation that becomes', () => {
  it('many-to-many takes the links of its key along, and back', async () => {
    const links: Links = [
      [1, 2],
      [3, 2],
    ]
    await fill('manyToOne', links)
    const { warnings, conversions } = await convertTo('manyToMany')
    expect(warnings).toEqual([expect.stringContaining('octavo convert-relations')])
    expect(conversions).toEqual([{ attribute: 'api::book.book.tag', to: 'links', links: 2, conflicts: [] }])
    expect([await inColumn(), await inTable()]).toEqual([[], links])
    expect((await convertTo('manyToMany')).conversions).toEqual([])
    const back = await convertTo('manyToOne')
    expect(back.conversions).toEqual([
      { attribute: 'api::book.book.tag', to: 'key', links: 2, conflicts: [] },
    ])
    expect([await inColumn(), await inTable()]).toEqual([links, []])
    expect((await updateSchema(store, books('manyToOne'), { check: 'always' })).warnings).toEqual([])
  })

  it('many-to-one is not converted while an entry has several links, and names the entry', async () => {
    const links: Links = [
      [1, 1],
      [2, 1],
      [2, 3],
    ]
    await fill('manyToMany', links)
    const { conversions } = await convertTo('manyToOne')
    expect(conversions).toEqual([
      {
        attribute: 'api::book.book.tag',
        to: 'key',
        links: 3,
        conflicts: [{ id: 2, reason: 'is linked to several: 1, 3' }],
      },
    ])
    expect([await inColumn(), await inTable()]).toEqual([[], links])
  })

  it('many-to-one is not converted while an entry has another link since', async () => {
    await fill('manyToMany', [
      [1, 1],
      [2, 2],
    ])
    await updateSchema(store, books('manyToOne'))
    await store.query('update books set tag_id = 3 where id = 1')
    const { conversions } = await convertTo('manyToOne')
    expect(conversions[0]?.conflicts).toEqual([{ id: 1, reason: 'has another link since: 3' }])
    expect(await inTable()).toHaveLength(2)
  })

  it('one-to-one is not converted from links while two entries share a target', async () => {
    await fill('manyToMany', [
      [1, 2],
      [3, 2],
    ])
    const { conversions } = await convertTo('oneToOne')
    expect(conversions[0]?.conflicts).toEqual([{ id: 2, reason: 'is linked from several: 1, 3' }])
    expect(await inTable()).toHaveLength(2)
  })

  it('one-to-one from many-to-one has its links already; shared targets are warned about, with their ids', async () => {
    await fill('manyToOne', [
      [1, 2],
      [3, 2],
      [2, 1],
    ])
    const { warnings, conversions } = await convertTo('oneToOne')
    expect(conversions).toEqual([])
    expect(warnings).toEqual([
      'api::book.book.tag is a one-to-one relation, and several entries are linked to the same api::tag.tag: 2 (of the entries 1, 3). The links stay; change all but one of each.',
    ])
    expect(await inColumn()).toHaveLength(3)
  })

  it('another kind is reported by a dry run, which moves nothing', async () => {
    await fill('manyToOne', [[1, 2]])
    const { conversions } = await convertTo('manyToMany', { dryRun: true })
    expect(conversions).toMatchObject([{ to: 'links', links: 1 }])
    expect([await inColumn(), await inTable()]).toEqual([[[1, 2]], []])
  })

  it('another kind loses no link, whatever the links are', async () => {
    const link = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    const distinct = fc.uniqueArray(link, { selector: ([book, tag]) => `${book} ${tag}`, maxLength: 5 })
    const kinds = fc.constantFrom<Kind>('oneToOne', 'manyToOne', 'oneToMany', 'manyToMany')
    await fc.assert(
      fc.asyncProperty(distinct, fc.array(kinds, { minLength: 1, maxLength: 3 }), async (links, path) => {
        await fill('manyToMany', links)
        for (const kind of path) await convertTo(kind)
        const table = await inTable()
        const column = await updateSchema(store, books('manyToOne')).then(inColumn)
        const all = [...new Set([...table, ...column].map(String))].sort()
        expect(all).toEqual(links.map(String).sort())
      }),
      { numRuns: 8 },
    )
  })
})

describe('A relation whose other side stores the links now', () => {
  const relation = (relation: Kind, target: string, keys: object) =>
    ({ type: 'relation', relation, target: `api::${target}.${target}`, ...keys }) as const
  const twoWay = (book: Kind, tag: Kind, owner: 'book' | 'tag') =>
    registryOf([
      collection('tag', {
        book: relation(tag, 'book', { [owner === 'tag' ? 'inversedBy' : 'mappedBy']: 'tag' }),
      }),
      collection('book', {
        tag: relation(book, 'tag', { [owner === 'book' ? 'inversedBy' : 'mappedBy']: 'book' }),
      }),
    ])
  const shapes = {
    'one-to-one': ['oneToOne', 'oneToOne'],
    'many-to-many': ['manyToMany', 'manyToMany'],
    'many-to-one': ['manyToOne', 'oneToMany'],
    'one-to-many': ['oneToMany', 'manyToOne'],
  } as const
  const ownerOf = (shape: keyof typeof shapes, side: 'book' | 'tag') =>
    shape === 'many-to-one' ? 'book' : shape === 'one-to-many' ? 'tag' : side
  /** Pairs of a book and a tag, wherever they are stored. */
  const allLinks = async (): Promise<Links> => {
    const all: (readonly unknown[])[] = []
    for (const [table, column, select] of [
      ['books', 'tag_id', 'select id, tag_id from books where tag_id is not null'],
      ['tags', 'book_id', 'select book_id, id from tags where book_id is not null'],
      ['books_tag_links', 'owner_id', 'select owner_id, target_id from books_tag_links'],
      ['tags_book_links', 'owner_id', 'select target_id, owner_id from tags_book_links'],
    ] as const) {
      const found = await store.query(
        'select 1 from information_schema.columns where table_schema = current_schema() and table_name = $1 and column_name = $2',
        [table, column],
      )
      if (found.length > 0) all.push(...(await store.query(select)))
    }
    return pairs(all)
      .sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
      .map(([book = 0, tag = 0]) => [book, tag] as const)
  }
  const moves = (Object.keys(shapes) as (keyof typeof shapes)[]).flatMap((from) =>
    (Object.keys(shapes) as (keyof typeof shapes)[]).map((to) => [from, to] as const),
  )
  it.each(moves)('has the links, from %s of the books to %s of the tags, and back', async (from, to) => {
    const [[book, tag], [laterBook, laterTag]] = [shapes[from], shapes[to]]
    const before = twoWay(book, tag, ownerOf(from, 'book'))
    const after = twoWay(laterBook, laterTag, ownerOf(to, 'tag'))
    await updateSchema(store, before)
    await store.query('insert into books (id) values (1), (2), (3)')
    await store.query('insert into tags (id) values (1), (2), (3)')
    const links: Links = [
      [1, 2],
      [3, 1],
    ]
    const owner = ownerOf(from, 'book')
    for (const [book, tag] of links)
      await store.query(
        from === 'many-to-many'
          ? 'insert into books_tag_links (owner_id, target_id, position, inverse_position) values ($1, $2, 1, 1)'
          : owner === 'book'
            ? 'update books set tag_id = $2 where id = $1'
            : 'update tags set book_id = $1 where id = $2',
        [book, tag],
      )
    for (const registry of [after, before]) {
      await updateSchema(store, registry)
      await convertRelations(store, registry)
      expect(await allLinks()).toEqual(links)
      // Nothing is left where nothing reads it.
      expect((await updateSchema(store, registry, { check: 'always' })).warnings).toEqual([])
    }
  })

  it('is not converted while an entry would have two links', async () => {
    await updateSchema(store, twoWay('oneToMany', 'manyToOne', 'tag'))
    await store.query('insert into books (id) values (1)')
    await store.query('insert into tags (id, book_id) values (1, 1), (2, 1)')
    const now = twoWay('manyToOne', 'oneToMany', 'book')
    await updateSchema(store, now)
    expect(await convertRelations(store, now)).toEqual([
      {
        attribute: 'api::book.book.tag',
        to: 'key',
        links: 2,
        conflicts: [{ id: 1, reason: 'is linked to several: 1, 2' }],
      },
    ])
    expect(await allLinks()).toHaveLength(2)
  })
})
