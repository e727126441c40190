import { createOctavo, defineContentType, NotFoundError, type Octavo } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { param, sql, toStatement } from '@octavo/database'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'

const book = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string', required: true },
    slug: { type: 'uid', targetField: 'title', generate: true },
    form: { type: 'enumeration', enum: ['novel', 'drama'] },
    shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'books' },
  },
})
const shelf = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'shelf', pluralName: 'shelves' },
  attributes: {
    name: { type: 'string' },
    books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'shelf' },
  },
})

const probe = 'select 1 from books where id = $1::int8'
const events: string[] = []
const listening = definePlugin({
  name: 'listening',
  setup: (host) => {
    host.hook('entry:beforeCreate', ({ input }) => {
      events.push('before')
      if (input.title === 'refuse before') throw new Error('not this one')
    })
    host.hook('entry:afterCreate', async ({ id, entries, input }) => {
      const rows = await entries.run(sql`select 1 from books where id = ${param(id ?? null, 'int8')}`)
      events.push(`after ${rows.length}`)
      if (input.title === 'refuse after') throw new Error('not this one')
    })
    host.hook('entry:committed', ({ id }) => void events.push(`committed ${typeof id}`))
  },
})

let octavo: Octavo
let drop: () => Promise<void>
/** Statements and their row counts since the last reset. */
let statements: { text: string; rows: number }[] = []

beforeAll(async () => {
  const database = await createTestDatabase()
  octavo = await createOctavo({ contentTypes: [book, shelf], plugins: [listening], database: database.url })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
  const transaction = octavo.store.transaction.bind(octavo.store)
  octavo.store.transaction = (work) =>
    transaction((tx) =>
      work({
        ...tx,
        run: async (statement) => {
          const rows = await tx.run(statement)
          const { text } = toStatement(statement)
          // Without those of the plugin above, which runs one per entry.
          if (text !== probe) statements.push({ text, rows: rows.length })
          return rows
        },
        send: (statement, onRow) => {
          statements.push({ text: toStatement(statement).text, rows: 0 })
          tx.send(statement, onRow)
        },
      }),
    )
})
afterAll(() => drop())

describe('octavo.entries', () => {
  it('is typed by the definition', async () => {
    const books = octavo.entries(book)
    const { attributes } = await books.create({ title: 'Emma', form: 'novel' })
    expectTypeOf(attributes.title).toEqualTypeOf<string>()
    expectTypeOf(attributes.form).toEqualTypeOf<'novel' | 'drama' | null>()
    expect([attributes.title, attributes.form]).toEqual(['Emma', 'novel'])
    await expect(books.update(999, {})).rejects.toThrow(NotFoundError)
    expect(await books.findOne(999)).toBeUndefined()
  })

  it('generates a uid from its target field, with a number for duplicates', async () => {
    const books = octavo.entries('book')
    const made = [
      await books.create({ title: 'Les Misérables' }),
      await books.create({ title: 'Les misérables' }),
    ]
    expect(made.map(({ attributes }) => attributes.slug)).toEqual(['les-miserables', 'les-miserables-1'])
  })

  it('for an unknown type throws an error with the known types', () => {
    expect(() => octavo.entries('nothing')).toThrow(/no content-type "nothing"; there are .*book/)
  })

  it('refuses an empty list in filters, without which every entry would be found', async () => {
    const none: number[] = []
    const empty = { code: 'query/bad-filter', status: 400 }
    const { find } = octavo.entries('shelf')
    await expect(find({ filters: { id: { $in: none } } })).rejects.toMatchObject({
      ...empty,
      message: 'filters[id][$in]: the list has no elements.',
    })
    await expect(find({ filters: { $or: [] } })).rejects.toMatchObject(empty)
    await expect(find({ populate: { books: { filters: { id: none } } } })).rejects.toMatchObject({
      ...empty,
      message: 'populate[books][filters][id]: the list has no elements.',
    })
    // These hold for every entry.
    expect((await find({ filters: { $and: [], id: { $notIn: none } } })).data).toEqual([])
    await expect(find({ filters: { $or: [{ id: { $notIn: none } }, { id: 1 }] } })).rejects.toMatchObject(
      empty,
    )
    expect((await find({ fields: [], sort: [], populate: [] })).data).toEqual([])
  })

  it('refuses an object that is no value in filters, without which every entry would be found', async () => {
    const bad = { code: 'query/bad-value', status: 400 }
    const { find } = octavo.entries('shelf')
    await expect(find({ filters: { id: Promise.resolve(1) } })).rejects.toMatchObject({
      ...bad,
      message: 'filters[id]: expected a value, a list or a plain object, not "Promise".',
    })
    await expect(find({ filters: { id: { $in: new Set([1]) } } })).rejects.toMatchObject(bad)
    await expect(find({ populate: new Set(['books']) })).rejects.toMatchObject(bad)
  })

  it('populates what has an object without options', async () => {
    const { id: at } = await octavo.entries('shelf').create({ name: 'Plays' })
    const { id } = await octavo.entries('book').create({ title: 'Faust', shelf: at })
    const { findOne } = octavo.entries('book')
    const bare = await findOne(id, { populate: { shelf: {} } })
    expect(bare?.attributes.shelf).toMatchObject({ data: { attributes: { name: 'Plays' } } })
    const nested = await findOne(id, { populate: { shelf: { populate: { books: { fields: [] } } } } })
    expect(nested?.attributes.shelf).toMatchObject({ data: { attributes: { books: { data: [{ id }] } } } })
    await octavo.entries('book').delete(id)
    await octavo.entries('shelf').delete(at)
  })
})

describe('octavo.transaction', () => {
  const total = async () => (await octavo.entries('book').find()).pagination
  it('commits all writes, or none', async () => {
    const before = await total()
    const failing = octavo.transaction(async (tx) => {
      const { id } = await tx.entries(book).create({ title: 'One' })
      expect((await tx.entries(book).findOne(id))?.attributes.title).toBe('One')
      throw new RangeError('enough')
    })
    await expect(failing).rejects.toThrow('enough')
    expect(await total()).toEqual(before)
    await octavo.transaction(async (tx) => {
      await tx.entries('book').create({ title: 'Two' })
      await tx.entries('book').create({ title: 'Three' })
    })
    expect(await total()).not.toEqual(before)
  })
})

describe('Hooks of writes', () => {
  it('run before and after the rows in the transaction, and after the commit', async () => {
    events.length = 0
    await octavo.entries('book').create({ title: 'Heard' })
    expect(events).toEqual(['before', 'after 1', 'committed number'])
  })

  it.each(['refuse before', 'refuse after'])('that throw roll back the transaction: %s', async (title) => {
    events.length = 0
    await expect(octavo.entries('book').create({ title })).rejects.toThrow(
      /Plugin "listening" in entry:(before|after)Create: not this one/,
    )
    expect(events).not.toContain('committed number')
    expect((await octavo.entries('book').find({ filters: { title } })).data).toEqual([])
  })
})

describe('octavo.bulk', () => {
  it('writes ten thousand entries with one statement per thousand', async () => {
    statements = []
    const before = process.memoryUsage().heapUsed
    const create = Array.from({ length: 10_000 }, (_, i) => ({ name: `shelf ${i}` }))
    const { created } = await octavo.bulk({
      type: octavo.registry.contentType('api::shelf.shelf'),
      create,
      state: {},
    })
    expect([created.length, new Set(created).size]).toEqual([10_000, 10_000])
    expect(statements.filter(({ text }) => text.startsWith('insert'))).toHaveLength(10)
    expect(statements.length).toBeLessThanOrEqual(30)
    // Generous: it detects quadratic growth and is not a measurement.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 2 ** 20)
    expect((await octavo.entries('shelf').find({ pagination: { pageSize: 1 } })).pagination).toMatchObject({
      total: 10_000,
    })
  })

  it('is rolled back as a whole', async () => {
    const type = octavo.registry.contentType('api::book.book')
    const create = [{ title: 'Good' }, { title: 5 }, {}]
    await expect(octavo.bulk({ type, create, state: {} })).rejects.toMatchObject({
      details: { errors: [{ path: ['create', '1', 'title'] }, { path: ['create', '2', 'title'] }] },
    })
    expect((await octavo.entries('book').find({ filters: { title: 'Good' } })).data).toEqual([])
  })
})

describe('A parent of four thousand', () => {
  it('gets another child without reading the existing ones', async () => {
    const shelves = octavo.entries('shelf')
    const books = octavo.entries('book')
    const { id } = await shelves.create({ name: 'long' })
    const type = octavo.registry.contentType('api::book.book')
    await octavo.bulk({
      type,
      create: Array.from({ length: 4_000 }, (_, i) => ({ title: `b${i}`, shelf: id })),
      state: {},
    })
    const first = await books.create({ title: 'first' })
    statements = []
    await books.update(first.id, { shelf: id })
    await shelves.update(id, { books: { connect: [first.id] } })
    const touched = statements.filter(({ text }) => !text.includes('row_to_json'))
    expect(Math.max(...touched.map(({ rows }) => rows))).toBeLessThanOrEqual(1)
    const { attributes } = (await shelves.findOne(id, {
      populate: { books: { count: true } },
    })) as unknown as {
      attributes: { books: { data: { attributes: { count: number } } } }
    }
    expect(attributes.books.data.attributes.count).toBe(4_001)
    const last = (await shelves.findOne(id, {
      populate: { books: { start: 4_000, fields: ['title'] } },
    })) as unknown as { attributes: { books: { data: { id: number }[] } } }
    expect(last.attributes.books.data.map((one) => one.id)).toEqual([first.id])
  })
})
