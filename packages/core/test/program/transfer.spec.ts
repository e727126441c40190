import { constants } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Store, Transaction } from '@octavo/database'
import { type Logger, openStore, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AttributeType, LinkType, SiblingsType } from '../../src/content-type/attribute-type.ts'
import type { AttributeDefinition } from '../../src/content-type/definition/definition.ts'
import { loadContentTypes } from '../../src/content-type/definition/load.ts'
import type { Registry } from '../../src/content-type/model.ts'
import type { SectionHandler } from '../../src/plugin/section.ts'
import { updateSchema } from '../../src/schema/update-schema.ts'
import type { DataEntry, DataFile } from '../../src/transfer/data-file.ts'
import { exportData } from '../../src/transfer/export.ts'
import { type ImportOptions, importData } from '../../src/transfer/import.ts'
import { ImportError, NotEmptyError } from '../../src/transfer/import-error.ts'
import { collection, registryOf } from '../support/registry.ts'

let database: TestDatabase
let store: Store
let registry: Registry
let warnings: string[]
let sections: Map<string, SectionHandler>
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({
    database: database.url,
    limits: { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 },
    logger: silentLogger,
  })
})
// One database for several tests: an embedded one takes seconds to start.
beforeEach(async () => {
  warnings = []
  sections = new Map()
  await store.query('drop schema public cascade')
  await store.query('create schema public')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const use = async (given: Registry): Promise<void> => {
  registry = given
  await updateSchema(store, registry)
}
const logger = (): Logger => ({ ...silentLogger, warn: (_fields, message) => void warnings.push(message) })
const load = (source: string | DataFile, options?: ImportOptions) =>
  importData({ store, registry, sections, logger: logger() }, source, options)
const loadEntries = (entries: Record<string, readonly DataEntry[]>) => load({ entries })
const save = async () => {
  const pieces: string[] = []
  await exportData({ store, registry, sections }, (text) => void pieces.push(text))
  return JSON.parse(pieces.join('')) as DataFile & { entries: Record<string, Record<string, unknown>[]> }
}
/** The only mistake, without the prefix of the message. */
const mistakes = async (work: Promise<unknown>): Promise<readonly string[]> => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ImportError)
  return (error as ImportError).mistakes // checked on the line before
}
const count = async (table: string) => Number((await store.query(`select count(*) from ${table}`))[0]?.[0])

const relation = (kind: string, name: string, other: object = {}): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...other,
})

/** Books with authors on both sides, a publisher, a chapter tree, and parts. */
const library = (types: readonly AttributeType[] = [], book: Record<string, AttributeDefinition> = {}) =>
  registryOf(
    [
      collection('author', {
        name: { type: 'string', unique: true },
        books: relation('manyToMany', 'book', { mappedBy: 'authors' }),
      }),
      collection('publisher', {
        name: { type: 'string' },
        books: relation('oneToMany', 'book', { mappedBy: 'publisher' }),
      }),
      collection('book', {
        title: { type: 'string' },
        year: { type: 'integer' },
        copies: { type: 'integer', default: 1 },
        authors: relation('manyToMany', 'author', { inversedBy: 'books' }),
        publisher: relation('manyToOne', 'publisher', { inversedBy: 'books' }),
        sequel: relation('oneToOne', 'book', { inversedBy: 'prequel' }),
        prequel: relation('oneToOne', 'book', { mappedBy: 'sequel' }),
        seo: { type: 'component', component: 'a.seo' },
        parts: { type: 'dynamiczone', components: ['a.seo', 'a.quote'] },
        ...book,
      }),
    ],
    [
      {
        uid: 'a.seo',
        attributes: {
          title: { type: 'string' },
          words: { type: 'component', component: 'a.word', repeatable: true },
        },
      },
      { uid: 'a.word', attributes: { word: { type: 'string' }, weight: { type: 'integer' } } },
      { uid: 'a.quote', attributes: { text: { type: 'text' }, by: relation('oneToOne', 'author') } },
    ],
    types,
  )
const book = 'api::book.book'
const author = 'api::author.author'
const publisher = 'api::publisher.publisher'

/** Siblings of which each has a locale of its own, and the attributes of a content-type that has them. */
const inLocales = {
  kind: 'siblings',
  name: 'localizations',
  column: 'locale_group',
  distinct: 'locale',
} as const
const localized = { localizations: { type: 'localizations' }, locale: { type: 'string', default: 'en' } }

describe('An import', () => {
  it('preserves ids, including those of components, and new ids are higher', async () => {
    await use(library())
    await loadEntries({
      [book]: [{ id: 7, title: 'Emma', seo: { id: 40, title: 'E', words: [{ id: 9, word: 'a' }] } }],
    })
    expect(await store.query('select id from books')).toEqual([['7']])
    expect(await store.query(`insert into books (title) values ('next') returning id`)).toEqual([['8']])
    const word = `insert into ${registry.component('a.word').table} (owner_type, owner_id, field) values ('a.seo', 40, 'words') returning id`
    expect(await store.query(word)).toEqual([['10']])
  })

  it('takes over blocks of types that only their former system knows', async () => {
    await use(library([], { text: { type: 'blocks' } }))
    const table = { type: 'table', rows: [['a', 'b']] }
    const text = [{ type: 'paragraph', children: [{ type: 'text', text: 'Before' }] }, table]
    await loadEntries({ [book]: [{ id: 7, title: 'Emma', text }] })
    expect((await save()).entries[book]).toEqual([expect.objectContaining({ id: 7, text })])
    const heading = [{ type: 'heading', level: 9, children: [{ type: 'text', text: 'x' }] }, table]
    const [mistake] = await mistakes(loadEntries({ [book]: [{ id: 8, text: heading }] }))
    expect(mistake).toContain('[0].level a whole number from 1 to 6')
  })

  it('continues the ids after the highest, after each of several imports', async () => {
    await use(library())
    const nextId = async () =>
      Number((await store.query('insert into authors (name) values (null) returning id'))[0]?.[0])
    await loadEntries({ 'api::author.author': [{ id: 7, name: 'A' }] })
    await loadEntries({ 'api::author.author': [{ id: 3, name: 'B' }] })
    expect(await nextId()).toBe(8)
    await store.query('delete from authors where id = 8')
    await loadEntries({ 'api::author.author': [{ id: 4, name: 'C' }] })
    expect(await nextId()).toBe(9)
    await loadEntries({ 'api::author.author': [{ id: 20, name: 'D' }] })
    expect(await nextId()).toBe(21)
  })

  // The embedded database has one connection.
  it.skipIf(testEngine() === 'pglite')(
    'takes no id that another transaction takes meanwhile, nor the reverse',
    async () => {
      await use(library())
      const books = Array.from({ length: 3_000 }, (_, i) => ({
        id: i + 1,
        parts: [{ __component: 'a.seo' }],
      }))
      const others: Promise<unknown>[] = []
      const insert = (text: string) =>
        others.push(
          store.query(text).then(
            () => 'inserted',
            (error: unknown) => String(error),
          ),
        )
      await load(
        { entries: { [book]: books } },
        {
          onProgress: () => {
            insert('insert into books (title) values (null)')
            insert(
              `insert into ${registry.component('a.seo').table} (owner_type, owner_id, field) values ('a', 1, 'a')`,
            )
          },
        },
      )
      expect(new Set(await Promise.all(others))).toEqual(new Set(['inserted']))
      expect(await count('books')).toBe(3_000 + others.length / 2)
    },
  )

  it('preserves the order of both sides of a relation', async () => {
    await use(library())
    await loadEntries({
      [author]: [
        { id: 1, name: 'A', books: [3, 1, 2] },
        { id: 2, name: 'B', books: [1] },
      ],
      [publisher]: [{ id: 1, name: 'P', books: [2, 3, 1] }],
      [book]: [
        { id: 1, authors: [2, 1], publisher: 1 },
        { id: 2, authors: [1], publisher: 1 },
        { id: 3, authors: [1], publisher: 1 },
      ],
    })
    const { entries } = await save()
    expect(entries[author]?.map((entry) => entry.books)).toEqual([[3, 1, 2], [1]])
    expect(entries[publisher]?.map((entry) => entry.books)).toEqual([[2, 3, 1]])
    expect(entries[book]?.map((entry) => entry.authors)).toEqual([[2, 1], [1], [1]])
  })

  it('reads the list of an entry that many others name as often as that of any', async () => {
    await use(library())
    const readsOf = async (first: number, length: number): Promise<number> => {
      const ids = Array.from({ length }, (_, i) => first + i)
      let reads = 0
      const hub = {
        id: first,
        get books() {
          reads++
          return ids
        },
      }
      await loadEntries({ [publisher]: [hub], [book]: ids.map((id) => ({ id, publisher: first })) })
      return reads
    }
    expect(await readsOf(1, 100)).toBe(await readsOf(200, 2))
  })

  it.each([
    ['the owner', { books: undefined }, { authors: [2, 1] }, [2, 1]],
    ['the other side', { books: [1] }, { authors: undefined }, [1, 2]],
  ])(
    'takes a relation that only %s gives; the side that is left out gets the order of ids',
    async (_side, ofAuthor, ofBook, order) => {
      await use(library())
      const authors = [2, 1].map((id) => ({ id, name: `${id}`, ...ofAuthor }))
      await loadEntries({ [author]: authors, [book]: [{ id: 1, ...ofBook }] })
      const { entries } = await save()
      expect(entries[book]?.[0]?.authors).toEqual(order)
      expect(entries[author]?.map((entry) => entry.books)).toEqual([[1], [1]])
    },
  )

  it('accepts entries that refer to each other, in any order', async () => {
    await use(library())
    await loadEntries({
      [book]: [
        { id: 1, sequel: 2, prequel: null },
        { id: 2, sequel: null, prequel: 1 },
      ],
    })
    const { entries } = await save()
    expect(entries[book]).toMatchObject([
      { sequel: 2, prequel: null },
      { sequel: null, prequel: 1 },
    ])
  })

  it('distinguishes an absent value (default) from null', async () => {
    await use(library())
    await loadEntries({ [book]: [{ id: 1 }, { id: 2, copies: null }] })
    expect(await store.query('select id, copies from books order by id')).toEqual([
      ['1', '1'],
      ['2', null],
    ])
    expect(await store.query('select count(created_at) from books')).toEqual([['2']])
  })

  it('gives ids to components without one', async () => {
    await use(library())
    await loadEntries({
      [book]: [
        { id: 1, seo: { title: 'a' }, parts: [{ __component: 'a.seo', id: 4 }, { __component: 'a.seo' }] },
      ],
    })
    const ids = (await store.query(`select id from ${registry.component('a.seo').table} order by id`)).flat()
    expect(ids).toEqual(['4', '5', '6'])
  })

  it('reports its progress', async () => {
    await use(library())
    const progress: unknown[] = []
    const books = Array.from({ length: 1200 }, (_, i) => ({ id: i + 1, seo: { title: 'x'.repeat(9_000) } }))
    await load(
      { entries: { [author]: [{ id: 1 }], [book]: books } },
      { onProgress: (...of) => void progress.push(of) },
    )
    expect(progress.at(-1)).toEqual([1201, 1201, book])
    expect(await count(registry.component('a.seo').table)).toBe(1200)
  })

  it('skips data without a handler, with one warning that counts it', async () => {
    await use(library())
    const entry = { id: 1, locale: 'en', cover: 3, seo: { id: 1, image: 4 } }
    const { leftOut } = await load({
      locales: [{ id: 1 }, { id: 2 }],
      entries: { [book]: [entry, { id: 2, locale: 'fr' }], 'api::gone.gone': [{ id: 1 }] },
    })
    expect(leftOut).toEqual({
      'entries of api::gone.gone': 1,
      'attribute locale of api::book.book': 2,
      'attribute cover of api::book.book': 1,
      'attribute image of a.seo': 1,
      'section locales': 2,
    })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('attribute locale of api::book.book (2)')
  })

  it('passes a section to its handler, in the same transaction', async () => {
    await use(library())
    sections.set('authors', {
      import: async (items, tx) =>
        void (await tx.query(`insert into authors (id, name) values (5, $1)`, [String(items[0])])),
      export: async (tx) => (await tx.query('select name from authors')).flat(),
    })
    // The book refers to an author from the section.
    await load({ entries: { [book]: [{ id: 1, authors: [5] }] }, authors: ['Austen'] })
    expect((await save()).authors).toEqual(['Austen'])

    sections.set('authors', {
      import: () => Promise.reject(new Error('authors[0] is no author')),
      export: async () => [],
    })
    await expect(load({ entries: { [book]: [{ id: 2 }] }, authors: [7] })).rejects.toThrow(
      'authors[0] is no author',
    )
    expect(await count('books')).toBe(1)
  })

  it.each([
    ['an error', () => Promise.reject(new Error('authors[0] is no author')), 'authors[0] is no author.'],
    [
      'a unique key',
      (_: readonly unknown[], tx: Transaction) =>
        tx.query(`insert into authors (id, name) values (1, 'a'), (1, 'b')`),
      'section "authors": Key (id)=(1) already exists.',
    ],
    [
      'a value',
      (_: readonly unknown[], tx: Transaction) => tx.query(`insert into authors (id) values (99999999999)`),
      'section "authors": integer out of range.',
    ],
  ])('reports what a handler or the database refuses as a mistake of the data: %s', async (_, work, text) => {
    await use(library())
    sections.set('authors', { import: async (...args) => void (await work(...args)), export: async () => [] })
    expect(await mistakes(load({ authors: [7] }))).toEqual([text])
  })

  it('does not report a mistake of a plugin as one of the data', async () => {
    await use(library())
    sections.set('authors', {
      import: async () => void (undefined as never as Date).getTime(),
      export: async () => [],
    })
    await expect(load({ authors: [7] })).rejects.toBeInstanceOf(TypeError)
  })

  it('has no time limit of requests in its transaction, nor has an export', async () => {
    await use(library())
    const limits: unknown[] = []
    const note = async (tx: Transaction): Promise<void> => {
      const settings = ['statement_timeout', 'idle_in_transaction_session_timeout']
      for (const setting of settings)
        limits.push(...(await tx.query('select current_setting($1)', [setting])).flat())
    }
    sections.set('authors', {
      import: (_, tx) => note(tx),
      export: async (tx) => {
        await note(tx)
        return []
      },
    })
    await load({ authors: [] })
    await save()
    expect(limits).toEqual(['0', '0', '0', '0'])
  })

  it('preserves every digit of a decimal', async () => {
    const prices = [
      '999999999999999999.99',
      '-123456789012345678.91',
      '12345678901234.56',
      '1234567890123.45',
      '0.1',
    ]
    await use(library([], { price: { type: 'decimal' } }))
    await store.query('insert into books (price) select unnest($1::numeric[])', [`{${prices.join()}}`])
    const saved = await save()
    expect(saved.entries[book]?.map(({ price }) => price)).toEqual([
      ...prices.slice(0, 3),
      1234567890123.45,
      0.1,
    ])
    await store.query('delete from books')
    await load(saved)
    expect(await store.query('select trim_scale(price)::text from books order by id')).toEqual(
      prices.map((price) => [price]),
    )
  })

  it('hashes a password, and preserves the hash of an export', async () => {
    await use(library([], { secret: { type: 'password' } }))
    await loadEntries({
      [book]: [
        { id: 1, secret: 'open sesame' },
        { id: 2, secret: null },
      ],
    })
    const { entries } = await save()
    expect(entries[book]).toMatchObject([
      { secret: expect.stringMatching(/^\$2[aby]\$\d\d\$.{53}$/) },
      { secret: null },
    ])
    await store.query('delete from books')
    await loadEntries(entries)
    expect((await save()).entries[book]).toEqual(entries[book])
  })

  it('refuses a password that bcrypt would cut, and shows no password', async () => {
    await use(library([], { secret: { type: 'password' } }))
    const secret = `${'é'.repeat(36)}x`
    const entries = [
      { id: 1, secret },
      { id: 2, secret: 31415926 },
    ]
    const [long, number] = await mistakes(loadEntries({ [book]: entries }))
    expect(long).toBe(
      `entries["${book}"][0] (id 1), attributes "secret": expected a password of at most 72 bytes.`,
    )
    expect(number).toMatch(
      /^entries\["api::book\.book"\]\[1\] \(id 2\), attributes "secret": expected [^0-9]+\.$/,
    )
    await loadEntries({ [book]: [{ id: 1, secret: secret.slice(0, -1) }] })
  })

  it('adds an entry to the siblings in the database, by any one of them', async () => {
    const siblings: SiblingsType = { kind: 'siblings', name: 'localizations', column: 'locale_group' }
    await use(library([siblings], { localizations: { type: 'localizations' } }))
    const add = (id: number, localizations: readonly number[]) =>
      loadEntries({ [book]: [{ id, localizations }] })
    await loadEntries({ [book]: [{ id: 1 }, { id: 9 }] })
    await add(2, [1])
    await add(3, [2])
    const { entries } = await save()
    expect(entries[book]?.map(({ localizations }) => localizations)).toEqual([[2, 3], [1, 3], [1, 2], []])
    expect(await mistakes(add(4, [2, 9]))).toEqual([
      `entries["${book}"][0] (id 4), attributes "localizations": names entries of the database that do not belong together.`,
    ])
  })

  it('refuses siblings that do not differ, in the file and in the database', async () => {
    await use(library([inLocales], localized))
    const entry = (id: number, locale: string | undefined, ...localizations: number[]) => ({
      id,
      ...(locale !== undefined && { locale }),
      localizations,
    })
    const wrong = [entry(1, undefined, 2, 3), entry(2, 'fr', 1, 3), entry(3, 'en', 1, 2), entry(4, 'en')]
    expect(await mistakes(loadEntries({ [book]: wrong }))).toEqual([
      `entries["${book}"][2] (id 3), attributes "locale": its "localizations" have one for each value, and entries["${book}"][0] (id 1) has "en" too.`,
    ])
    expect(await count('books')).toBe(0)
    await loadEntries({ [book]: [entry(1, 'en', 2), entry(2, 'fr', 1), entry(9, 'en')] })
    // By either entry of the group, and by two entries that do not know of each other.
    expect(await mistakes(loadEntries({ [book]: [entry(3, 'en', 2)] }))).toEqual([
      `entries["${book}"][0] (id 3), attributes "locale": its "localizations" have one for each value, and ${book} 1 of the database has "en" too.`,
    ])
    expect(await mistakes(loadEntries({ [book]: [entry(3, 'de', 2), entry(4, 'de', 1)] }))).toEqual([
      `entries["${book}"][1] (id 4), attributes "locale": its "localizations" have one for each value, and entries["${book}"][0] (id 3) has "de" too.`,
    ])
    await loadEntries({ [book]: [entry(3, 'de', 2)] })
    expect(await count('books')).toBe(4)
  })

  it('refuses a further entry of a single type in one locale', async () => {
    const single = { ...collection('about', localized), kind: 'singleType' } as const
    await use(registryOf([single], [], [inLocales]))
    const about = 'api::about.about'
    await loadEntries({
      [about]: [
        { id: 1, localizations: [2] },
        { id: 2, locale: 'fr', localizations: [1] },
      ],
    })
    expect(
      await mistakes(
        loadEntries({
          [about]: [
            { id: 3, locale: 'de' },
            { id: 4, locale: 'fr' },
          ],
        }),
      ),
    ).toEqual([
      `entries["${about}"][1] (id 4), attributes "locale": a single type has one entry for each value, and ${about} 2 of the database has "fr" too.`,
    ])
  })

  it('and an export have attributes whose names are longer than those of PostgreSQL', async () => {
    const long = 'a'.repeat(63)
    await use(
      library([], {
        [`${long}1`]: { type: 'string' },
        [`${long}2`]: { type: 'integer' },
        [`${long}3`]: relation('manyToOne', 'author'),
      }),
    )
    const entries = {
      [author]: [{ id: 1 }],
      [book]: [{ id: 2, [`${long}1`]: 'x', [`${long}2`]: 5, [`${long}3`]: 1 }],
    }
    await loadEntries(entries)
    expect((await save()).entries).toMatchObject(entries)
  })

  it('links files and siblings of any plugin', async () => {
    const media: LinkType = {
      kind: 'link',
      name: 'media',
      target: author,
      table: 'files_related',
      column: 'file_id',
      many: ({ multiple }) => multiple === true,
      filterable: false,
      empty: 'null',
      check: () => [],
    }
    const siblings: SiblingsType = { kind: 'siblings', name: 'localizations', column: 'locale_group' }
    await use(
      library([media, siblings], {
        cover: { type: 'media' },
        gallery: { type: 'media', multiple: true },
        localizations: { type: 'localizations' },
      }),
    )
    const authors = [1, 2].map((id) => ({ id, name: `${id}` }))
    await loadEntries({
      [author]: authors,
      [book]: [
        { id: 3, cover: 2, gallery: [2, 1, 2], localizations: [4, 5] },
        { id: 4, cover: null, gallery: null, localizations: [3, 5] },
        { id: 5, localizations: [3, 4] },
        { id: 6, localizations: [] },
      ],
    })
    const { entries } = await save()
    expect(entries[book]).toMatchObject([
      { cover: 2, gallery: [2, 1, 2], localizations: [4, 5] },
      { cover: null, gallery: null, localizations: [3, 5] },
      { localizations: [3, 4] },
      { localizations: [] },
    ])
    expect((await store.query('select locale_group from books order by id')).flat()).toEqual([
      '3',
      '3',
      '3',
      '6',
    ])
    const wrong = [
      { id: 7, localizations: [8] },
      { id: 8, localizations: [] },
    ]
    expect(await mistakes(loadEntries({ [book]: wrong }))).toEqual([
      'entries["api::book.book"][0] (id 7), attributes "localizations": names 8, but entries["api::book.book"][1] (id 8), attributes "localizations", does not name the same.',
    ])
  })
})

describe('An import rejects, with the entry in the message:', () => {
  const cases: Record<string, { given: Record<string, readonly DataEntry[]>; says: string[] }> = {
    'a value of another type': {
      given: { [book]: [{ id: 13, year: 'soon' }] },
      says: ['entries["api::book.book"][0] (id 13), attributes "year": expected a whole number, not "soon".'],
    },
    'a value in a component': {
      given: { [book]: [{ id: 1, seo: { words: [{ word: 'a' }, { weight: 'x' }] } }] },
      says: [
        'entries["api::book.book"][0] (id 1), attributes "seo.words[1].weight": expected a whole number, not "x".',
      ],
    },
    'several mistakes at once': {
      given: {
        [book]: [
          { id: 1, year: [] },
          { id: 2, seo: [] },
          { id: 3, parts: {} },
        ],
      },
      says: [
        'entries["api::book.book"][0] (id 1), attributes "year": expected a whole number, not [].',
        'entries["api::book.book"][1] (id 2), attributes "seo": expected an object or null.',
        'entries["api::book.book"][2] (id 3), attributes "parts": expected a list.',
      ],
    },
    'a component that the zone does not list': {
      given: { [book]: [{ id: 1, parts: [{ __component: 'a.word' }] }] },
      says: [
        'entries["api::book.book"][0] (id 1), attributes "parts[0].__component": expected a.seo, a.quote, not "a.word".',
      ],
    },
    'entries without an id': {
      given: { [book]: [{ title: 'a' }, { id: '2' }, 5 as never] },
      says: [
        'entries["api::book.book"][0], "id": expected a whole number of at least 1.',
        'entries["api::book.book"][1], "id": expected a whole number of at least 1.',
        'entries["api::book.book"][2]: expected an object.',
      ],
    },
    'an id that occurs twice': {
      given: { [book]: [{ id: 1 }, { id: 1 }] },
      says: ['entries["api::book.book"][1] (id 1): entries["api::book.book"][0] has the same id.'],
    },
    'a value that must be unique and is not': {
      given: {
        [author]: [
          { id: 1, name: 'Q' },
          { id: 2, name: 'R' },
          { id: 3, name: 'Q' },
        ],
      },
      says: ['entries["api::author.author"][2] (id 3), table "authors": name "Q" is there already.'],
    },
    'sides that disagree: the owner names who does not name it': {
      given: { [author]: [{ id: 1, books: [] }], [book]: [{ id: 5, authors: [1] }] },
      says: [
        'entries["api::book.book"][0] (id 5), attributes "authors": names 1, but entries["api::author.author"][0] (id 1), attributes "books", does not name 5.',
      ],
    },
    'sides that disagree: the other side names who does not name it': {
      given: { [publisher]: [{ id: 1, books: [5] }], [book]: [{ id: 5, publisher: null }] },
      says: [
        'entries["api::publisher.publisher"][0] (id 1), attributes "books": names 5, but entries["api::book.book"][0] (id 5), attributes "publisher", does not name 1.',
      ],
    },
    'two that claim one': {
      given: {
        [publisher]: [
          { id: 1, books: [5] },
          { id: 2, books: [5] },
        ],
        [book]: [{ id: 5 }],
      },
      says: [
        'entries["api::publisher.publisher"][0] (id 1) and entries["api::publisher.publisher"][1] (id 2), attributes "books": both name 5, which can have only one.',
      ],
    },
    'an id that there is not': {
      given: { [book]: [{ id: 5, authors: [9], parts: [{ __component: 'a.quote', by: 8 }] }] },
      says: [
        'entries["api::book.book"][0] (id 5), attributes "authors": there is no api::author.author with id 9.',
        'entries["api::book.book"][0] (id 5), attributes "parts[0].by": there is no api::author.author with id 8.',
      ],
    },
    'an id that there is not, on the other side': {
      given: { [publisher]: [{ id: 1, books: [5] }] },
      says: [
        'entries["api::publisher.publisher"][0] (id 1), attributes "books": there is no api::book.book with id 5 in the file.',
      ],
    },
    'a list where one is meant, and the reverse': {
      given: { [book]: [{ id: 1, publisher: [1], authors: 1 }] },
      says: [
        'entries["api::book.book"][0] (id 1), attributes "authors": expected a list of ids, not 1.',
        'entries["api::book.book"][0] (id 1), attributes "publisher": expected an id or null, not [1].',
      ],
    },
    'one that is named twice': {
      given: { [author]: [{ id: 1, name: 'A' }], [book]: [{ id: 1, authors: [1, 1] }] },
      says: ['entries["api::book.book"][0] (id 1), attributes "authors": names 1 twice.'],
    },
  }

  it('each of many mistakes', async () => {
    await use(library())
    for (const [what, { given, says }] of Object.entries(cases)) {
      expect(await mistakes(loadEntries(given)), what).toEqual(says)
      expect(await count('books'), what).toBe(0)
    }
  })

  it('a file of which an entry is wrong, by the name of the file', async () => {
    await use(library())
    const folder = await mkdtemp(join(tmpdir(), 'octavo-import-'))
    const file = join(folder, 'books.json')
    await writeFile(file, JSON.stringify({ entries: { [book]: [{ id: 1, year: 'x' }] } }))
    await expect(load(file)).rejects.toThrow(
      `Nothing was imported from ${file}: entries["${book}"][0] (id 1), attributes "year": `,
    )
    await rm(folder, { recursive: true })
  })

  it('a file in another encoding, whose letters would be lost', async () => {
    await use(library())
    const folder = await mkdtemp(join(tmpdir(), 'octavo-import-'))
    const file = join(folder, 'books.json')
    const text = JSON.stringify({ entries: { [book]: [{ id: 1, title: 'Café' }] } }, null, 1)
    const line = text.slice(0, text.indexOf('Café')).split('\n').length
    for (const [bytes, at] of [
      [Buffer.from(text, 'latin1'), line],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), 1],
      [gzipSync(text), 1],
    ] as const) {
      await writeFile(file, bytes)
      expect(await mistakes(load(file))).toEqual([
        `${file}, line ${at}: expected text in UTF-8, neither compressed nor in another encoding.`,
      ])
    }
    await rm(folder, { recursive: true })
  })

  it('a file that is cut short and longer than a text of JavaScript can be', async () => {
    await use(library())
    const folder = await mkdtemp(join(tmpdir(), 'octavo-import-'))
    const file = join(folder, 'books.json')
    await writeFile(file, '}')
    await truncate(file, constants.MAX_STRING_LENGTH + 1)
    expect(await mistakes(load(file))).toEqual([
      `${file} is no JSON, or is cut short; it is too large for the place to be found.`,
    ])
    await rm(folder, { recursive: true })
  })

  it('two owners of one target, in the file and in the database', async () => {
    await use(library())
    const two = [{ id: 1, sequel: 3 }, { id: 2, sequel: 3 }, { id: 3 }]
    expect(await mistakes(loadEntries({ [book]: two }))).toEqual([
      `entries["${book}"][1] (id 2), attributes "sequel": names 3, as entries["${book}"][0] (id 1) does; only one entry can name it.`,
    ])
    expect(await count('books')).toBe(0)
    await loadEntries({ [book]: [{ id: 1, sequel: 3 }, { id: 3 }] })
    expect(await mistakes(loadEntries({ [book]: [{ id: 4 }, { id: 5, sequel: 3 }] }))).toEqual([
      `entries["${book}"][1] (id 5), attributes "sequel": names 3, as ${book} 1 of the database does; only one entry can name it.`,
    ])
    await loadEntries({ [book]: [{ id: 5, sequel: 1 }] })
  })

  it('a second entry of a single type, which nobody would see', async () => {
    await use(registryOf([{ ...collection('about', { title: { type: 'string' } }), kind: 'singleType' }]))
    const about = 'api::about.about'
    await loadEntries({ [about]: [{ id: 1 }] })
    expect(await mistakes(loadEntries({ [about]: [{ id: 2 }] }))).toEqual([
      `entries["${about}"][0] (id 2): a single type has one entry, and the database has ${about} 1.`,
    ])
    expect(await count('abouts')).toBe(1)
  })

  it('an entry that exists in the database', async () => {
    await use(library())
    await loadEntries({ [book]: [{ id: 3 }] })
    expect(await mistakes(loadEntries({ [book]: [{ id: 2 }, { id: 3 }] }))).toEqual([
      'entries["api::book.book"][1] (id 3): the database has this entry already.',
    ])
    // Entries of the database can be referred to.
    await loadEntries({ [book]: [{ id: 4, sequel: 3 }] })
  })

  it('data with twenty mistakes, and stops there', async () => {
    await use(library())
    const error = loadEntries({ [book]: Array.from({ length: 500 }, (_, i) => ({ id: i + 1, year: 'x' })) })
    await expect(error).rejects.toThrow(/and maybe more$/)
    expect(await mistakes(error)).toHaveLength(20)
  })

  it('a database with entries, with the option for an empty one', async () => {
    await use(library())
    await load({ entries: { [author]: [{ id: 1, name: 'A' }] } }, { onlyIntoEmpty: true })
    const again = load({ entries: { [book]: [{ id: 1 }] } }, { onlyIntoEmpty: true })
    await expect(again).rejects.toThrow(NotEmptyError)
    await expect(again).rejects.toThrow('the database is not empty: there are entries of api::author.author.')
    expect(await count('books')).toBe(0)
  })

  it('data without an outline', async () => {
    await use(library())
    expect(await mistakes(load([] as never))).toEqual([
      'the data must be an object: { "entries": { "<uid>": [ … ] }, … }.',
    ])
    expect(await mistakes(load({ entries: { [book]: {} }, files: 1 } as never))).toEqual([
      'entries["api::book.book"] must be a list.',
      'section "files" must be a list.',
    ])
    const directory = await mkdtemp(join(tmpdir(), 'octavo-'))
    try {
      const file = join(directory, 'broken.json')
      await writeFile(file, '{\n  "entries": {\n    "a": [1,, 2]\n  }\n}')
      expect(await mistakes(load(file))).toEqual([`${file}, line 3, column 13: expected a value.`])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

const demo = fileURLToPath(new URL('../../../../apps/demo/', import.meta.url))
const conformance = fileURLToPath(new URL('../../../../conformance/', import.meta.url))

describe.each([
  ['the demo', `${demo}content`, `${demo}data/library.json`],
  ['the recorded reference', `${conformance}schemas`, `${conformance}seed.json`],
])('Imported data of %s', (_name, schemas, file) => {
  it('is exported unchanged, also in a second round trip', async () => {
    const { contentTypes, components } = loadContentTypes(schemas)
    await use(registryOf(contentTypes, components))
    const given = JSON.parse(readFileSync(file, 'utf8'))
    await load(file)
    const saved = await save()
    for (const [uid, list] of Object.entries<DataEntry[]>(given.entries)) {
      // Entries are exported by id; their order in the file may differ.
      const expected = list.map((entry) => handled(uid, entry)).sort((a, b) => Number(a.id) - Number(b.id))
      expect(saved.entries[uid]).toMatchObject(expected)
    }

    const second = await createTestDatabase()
    const other = await openStore({
      database: second.url,
      limits: { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 },
      logger: silentLogger,
    })
    try {
      await updateSchema(other, registry)
      await importData({ store: other, registry, sections, logger: logger() }, saved)
      const pieces: string[] = []
      await exportData({ store: other, registry, sections }, (text) => void pieces.push(text))
      expect(JSON.parse(pieces.join(''))).toEqual(saved)
    } finally {
      await other.close()
      await second.drop()
    }
  })

  /** The entry without the attributes of absent plugins. */
  function handled(uid: string, entry: DataEntry): DataEntry {
    const kept = Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'id' || name === '__component') return [[name, value]]
      const attribute = registry.model(uid).attributes.get(name)
      if (!attribute) return []
      if (attribute.kind === 'scalar' || attribute.kind === 'relation' || value === null)
        return [[name, value]]
      const item = (of: DataEntry) =>
        handled(attribute.kind === 'component' ? attribute.component : String(of.__component), of)
      return [[name, Array.isArray(value) ? value.map(item) : item(value as DataEntry)]]
    })
    return Object.fromEntries(kept)
  }
})
