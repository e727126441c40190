import type { Store } from '@octavo/database'
import { openStore, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AttributeDefinition } from '../../src/content-type/definition/definition.ts'
import type { Registry } from '../../src/content-type/model.ts'
import { convertRelations } from '../../src/schema/convert-relations.ts'
import { Processes, processesTable } from '../../src/schema/processes.ts'
import { SchemaError } from '../../src/schema/schema-error.ts'
import { updateSchema } from '../../src/schema/update-schema.ts'
import { collection, registryOf } from '../support/registry.ts'

let database: TestDatabase
let store: Store
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
  await store.query('drop schema public cascade')
  await store.query('create schema public')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const relation = (kind: string, target: string): AttributeDefinition => ({
  type: 'relation',
  relation: kind,
  target,
})
const refusalsOf = async (registry: Registry, options?: Parameters<typeof updateSchema>[2]) => {
  const error = await updateSchema(store, registry, options).catch((error: unknown) => error)
  if (!(error instanceof SchemaError)) throw new Error('the update was not refused', { cause: error })
  return error.refusals
}
/** Runs the statements of a message in a transaction, as an operator does. */
const runAll = (sql: string) =>
  store.transaction(async (tx) => {
    const statements = sql.split(';').map((statement) => statement.trim())
    for (const statement of statements) if (!/^(begin|commit|)$/.test(statement)) await tx.query(statement)
  })

describe('a relation that leads to another content-type', () => {
  const people = ['author', 'editor'].map((name) => collection(name, { name: { type: 'string' } }))
  const books = (kind: string, target: string) =>
    registryOf([...people, collection('book', { writer: relation(kind, `api::${target}.${target}`) })])

  it.each([
    ['manyToOne', 'insert into books (writer_id) values (1)', 'books', 'writer_id'],
    [
      'manyToMany',
      'with b as (insert into books default values returning id) insert into books_writer_links (owner_id, target_id) select id, 1 from b',
      'books_writer_links',
      'target_id',
    ],
  ])('is refused while it has links, by a dry run as well: %s', async (kind, insert, table, column) => {
    await updateSchema(store, books(kind, 'author'))
    await store.query(`insert into authors (name) values ('Ada')`)
    // An entry with the same id, so that the database itself has no objection.
    await store.query(`insert into editors (name) values ('Bob')`)
    await runAll(insert)
    for (const dryRun of [true, false]) {
      const [refusal, ...others] = await refusalsOf(books(kind, 'editor'), { dryRun })
      expect(others).toEqual([])
      expect(refusal).toMatchObject({ table, column })
      expect(refusal?.reason).toContain('ids of "authors", and the relation leads to "editors" now')
    }
    const [refusal] = await refusalsOf(books(kind, 'editor'))
    await runAll(refusal?.sql ?? '')
    await updateSchema(store, books(kind, 'editor'))
    expect((await updateSchema(store, books(kind, 'editor'), { check: 'always' })).statements).toEqual([])
  })

  it.each([
    ['manyToOne', 'manyToMany', 'insert into books (writer_id) values (1)'],
    [
      'manyToMany',
      'manyToOne',
      'with b as (insert into books default values returning id) insert into books_writer_links (owner_id, target_id) select id, 1 from b',
    ],
  ])('is not given the links of another kind: %s to %s', async (before, after, insert) => {
    await updateSchema(store, books(before, 'author'))
    await store.query(`insert into authors (name) values ('Ada')`)
    await store.query(`insert into editors (name) values ('Bob')`)
    await runAll(insert)
    await updateSchema(store, books(after, 'editor'))
    expect(await convertRelations(store, books(after, 'editor'))).toEqual([])
    await updateSchema(store, books(after, 'author'))
    expect(await convertRelations(store, books(after, 'author'))).toHaveLength(1)
  })

  it('has the new target at once without links', async () => {
    await updateSchema(store, books('manyToOne', 'author'))
    await store.query('insert into books default values')
    const { statements } = await updateSchema(store, books('manyToOne', 'editor'))
    expect(statements.join('\n')).toContain('references "editors"')
  })
})

describe('another collectionName', () => {
  /** Books with tags, of which the one with this `of` refers to the books. */
  const model = (collectionName: string, hasReference: boolean) =>
    registryOf([
      {
        ...collection('book', {
          title: { type: 'string', unique: true },
          tags: relation('manyToMany', 'api::tag.tag'),
        }),
        collectionName,
      },
      collection('tag', hasReference ? { of: relation('manyToOne', 'api::book.book') } : {}),
    ])
  const fill = async (hasReference: boolean) => {
    await updateSchema(store, model('books', hasReference))
    await store.query(`insert into books (title) values ('Emma')`)
    await store.query(
      hasReference ? 'insert into tags (of_id) values (1)' : 'insert into tags default values',
    )
    await store.query('insert into books_tags_links (owner_id, target_id) values (1, 1)')
  }
  const expectMoved = async (registry: Registry) => {
    const { warnings } = await updateSchema(store, registry)
    expect(warnings).toEqual([])
    expect(await store.query('select title from volumes')).toEqual([['Emma']])
    expect(await store.query('select owner_id, target_id from volumes_tags_links')).toEqual([['1', '1']])
    expect((await updateSchema(store, registry, { check: 'always' })).statements).toEqual([])
    await expect(store.query(`insert into volumes (title) values ('Emma')`)).rejects.toThrow(/unique/)
    await store.query('delete from volumes')
    expect(await store.query('select * from volumes_tags_links')).toEqual([])
  }

  it.each(['before', 'after'])('has its rows by the SQL of the warning, %s a start', async (when) => {
    await fill(false)
    const { warnings } = await updateSchema(store, model('volumes', false), { dryRun: when === 'before' })
    expect(warnings).toEqual([expect.stringMatching(/the table "books" has rows that nothing reads/)])
    await runAll(/begin;.*commit;/.exec(warnings.join())?.[0] ?? '')
    await expectMoved(model('volumes', false))
  })

  it('is refused with that SQL while other entries are linked to the rows', async () => {
    await fill(true)
    const [refusal, ...others] = await refusalsOf(model('volumes', true))
    expect(others).toEqual([])
    expect(refusal).toMatchObject({ table: 'tags', column: 'of_id' })
    await runAll(refusal?.sql ?? '')
    await expectMoved(model('volumes', true))
  })

  it('leaves a table alone that has rows of its own since', async () => {
    await fill(false)
    await updateSchema(store, model('volumes', false))
    await store.query(`insert into volumes (title) values ('Persuasion')`)
    const { warnings } = await updateSchema(store, model('volumes', false), { check: 'always' })
    expect(warnings).toEqual([expect.stringContaining('move the rows of "books" to "volumes"')])
  })
})

describe('parts that no attribute reads', () => {
  const box = { uid: 'parts.box', attributes: { name: { type: 'string' } } }
  const lid = { uid: 'parts.lid', attributes: { name: { type: 'string' } } }
  const books = (attribute: AttributeDefinition | undefined) =>
    registryOf([collection('book', attribute ? { box: attribute } : {})], [box, lid])
  const boxes: AttributeDefinition = { type: 'component', component: 'parts.box', repeatable: true }
  const left = 'the table "components_parts_box" has rows of "box" that no attribute reads (2)'

  it.each([
    ['the attribute was removed', undefined, left],
    ['it holds another component', { ...boxes, component: 'parts.lid' }, left],
    ['its zone lacks the component', { type: 'dynamiczone', components: ['parts.lid'] }, left],
    ['it is a text', { type: 'string' }, left],
    ['it holds one', { ...boxes, repeatable: false }, '"box" holds one value, and entries have several'],
  ] as const)('are named, also by a dry run: %s', async (_, attribute, sentence) => {
    await updateSchema(store, books(boxes))
    await store.query('insert into books default values')
    await store.query(
      `insert into components_parts_box (owner_type, owner_id, field, position) values ('api::book.book', 1, 'box', 1), ('api::book.book', 1, 'box', 2)`,
    )
    for (const dryRun of [true, false]) {
      const { warnings } = await updateSchema(store, books(attribute), { dryRun })
      expect(warnings).toEqual([expect.stringContaining(sentence)])
    }
    // A zone reads them as well.
    const zone = { type: 'dynamiczone', components: ['parts.box', 'parts.lid'] } as const
    expect((await updateSchema(store, books(zone))).warnings).toEqual([])
  })

  it('are named when the component is gone, too', async () => {
    await updateSchema(store, books(boxes))
    await store.query('insert into books default values')
    await store.query(
      `insert into components_parts_box (owner_type, owner_id, field) values ('api::book.book', 1, 'box'), ('api::book.book', 1, 'box')`,
    )
    const other = { type: 'component', component: 'parts.lid' } as const
    for (const attributes of [{}, { box: other }]) {
      const { warnings } = await updateSchema(store, registryOf([collection('book', attributes)], [lid]))
      expect(warnings).toEqual([expect.stringContaining(left)])
    }
    expect((await updateSchema(store, books(boxes))).warnings).toEqual([])
  })
})

describe('a content-type under another name, with the same table', () => {
  const box = { uid: 'parts.box', attributes: { name: { type: 'string' } } }
  const model = (name: string) =>
    registryOf(
      [
        {
          ...collection(name, { box: { type: 'component', component: 'parts.box' } }),
          collectionName: 'books',
        },
      ],
      [box],
    )

  it('is told which rows of components have the former name, with the SQL, until it has run', async () => {
    await updateSchema(store, model('book'))
    await store.query('insert into books default values')
    await store.query(
      `insert into components_parts_box (owner_type, owner_id, field) values ('api::book.book', 1, 'box')`,
    )
    let statement = ''
    for (const options of [{ dryRun: true }, {}, { check: 'always' }] as const) {
      const { warnings } = await updateSchema(store, model('volume'), options)
      expect(warnings).toEqual([expect.stringMatching(/^api::volume\.volume: .* rows of api::book\.book/)])
      statement = /update .*/.exec(warnings.join())?.[0] ?? ''
    }
    await runAll(statement)
    expect((await updateSchema(store, model('volume'), { check: 'always' })).warnings).toEqual([])
    expect(await store.query('select owner_type from components_parts_box')).toEqual([['api::volume.volume']])
    // Under the former name again it has no rows of its own.
    expect((await updateSchema(store, model('book'))).warnings).toEqual([
      expect.stringMatching(/^api::book\.book: .* rows of api::volume\.volume/),
    ])
  })
})

/** The embedded database has one process. */
describe.runIf(testEngine() === 'postgresql')('the old name of an attribute', () => {
  const books = (attributes: Record<string, AttributeDefinition>) =>
    registryOf([collection('book', attributes), collection('author', {})])
  const update = (registry: Registry) =>
    updateSchema(store, registry, {
      check: 'always',
      tables: [processesTable],
      processes: new Processes(store, 'own', silentLogger),
    })

  it.each([
    ['title', 'select title from books', { title: { type: 'string' } }],
    [
      'writers',
      'select target_id from books_writers_links',
      { writers: relation('manyToMany', 'api::author.author') },
    ],
  ] as const)(
    'stays while a view of others uses it, and the start names the view: %s',
    async (name, query, before) => {
      await update(books(before))
      await store.query(
        `insert into octavo_processes (id, fingerprint, at, ended) values ('1', 'other', now(), false)`,
      )
      const after = books({
        fresh: { ...Object.values(before)[0], renamedFrom: name } as AttributeDefinition,
      })
      expect((await update(after)).warnings).toEqual([])
      await store.query(`create view report as ${query}`)
      await store.query('delete from octavo_processes')
      for (const _ of [1, 2]) {
        const { statements, warnings } = await update(after)
        expect(statements).toEqual([])
        expect(warnings).toEqual([expect.stringMatching(/others use it: .*view report/)])
      }
      const further = books({
        last: { ...Object.values(before)[0], renamedFrom: 'fresh' } as AttributeDefinition,
      })
      const refusals = await refusalsOf(further, { tables: [processesTable] })
      expect(refusals).toMatchObject([{ reason: expect.stringContaining('view report depends on') }])
      await store.query('drop view report')
      expect((await update(after)).warnings).toEqual([])
      await expect(store.query(query)).rejects.toThrow('does not exist')
    },
  )
})

it.each([
  ['view', 'create view books as select 1 as id'],
  ['materialized view', 'create materialized view books as select 1 as id'],
  ['sequence', 'create sequence books'],
  ['type', 'create type books as (id integer)'],
])('a %s with the name of a table is not taken for one', async (kind, made) => {
  await store.query(made)
  const books = registryOf([collection('book', { title: { type: 'string' } })])
  for (const dryRun of [true, false]) {
    const refusals = await refusalsOf(books, { dryRun })
    expect(refusals).toMatchObject([
      { table: 'books', reason: expect.stringContaining(`a ${kind} of this name`) },
    ])
  }
  await runAll((await refusalsOf(books))[0]?.sql ?? '')
  await updateSchema(store, books)
  await store.query(`insert into books (title) values ('a')`)
})

it('a collection that becomes a single type says how many entries remain', async () => {
  const model = (kind: 'collectionType' | 'singleType') =>
    registryOf([{ ...collection('book', { title: { type: 'string' } }), kind }])
  await updateSchema(store, model('collectionType'))
  await store.query(`insert into books (title) values ('a')`)
  expect((await updateSchema(store, model('singleType'))).warnings).toEqual([])
  await updateSchema(store, model('collectionType'))
  await store.query(`insert into books (title) values ('b')`)
  for (const dryRun of [true, false])
    expect((await updateSchema(store, model('singleType'), { dryRun })).warnings).toEqual([
      expect.stringMatching(/^api::book\.book: .* the table "books" has 2 entries/),
    ])
})

it('tables may have indexes whose names would be one', async () => {
  const unique = { type: 'string', unique: true } as const
  const model = (...names: readonly string[]) =>
    registryOf(
      [
        { ...collection('article', { tags_slug: unique }), collectionName: 'article' },
        { ...collection('tag', { slug: unique }), collectionName: 'article_tags' },
        { ...collection('name', {}), collectionName: 'article_tags_slug_unique' },
      ].filter(({ info }) => names.includes(info.singularName)),
    )
  for (const names of [['article'], ['tag', 'article'], ['article', 'tag', 'name']]) {
    await updateSchema(store, model(...names))
    expect((await updateSchema(store, model(...names), { check: 'always' })).statements).toEqual([])
    for (const [table, column] of [
      ['article', 'tags_slug'],
      ['article_tags', 'slug'],
    ] as const) {
      if (names.length === 1 && table === 'article_tags') continue
      await store.query(`delete from ${table}`)
      await store.query(`insert into ${table} (${column}) values ('a')`)
      await expect(store.query(`insert into ${table} (${column}) values ('a')`)).rejects.toThrow(/unique/)
    }
  }
})
