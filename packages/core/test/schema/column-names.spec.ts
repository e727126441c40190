/** Attributes with a `columnName`: two attributes whose names give one column. */
import {
  type AttributeDefinition,
  type ContentTypeDefinition,
  createOctavo,
  type Octavo,
  silentLogger,
} from '@octavo/core'
import { openStore, type Store, sql } from '@octavo/database'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/limits.ts'

const type = (
  singularName: string,
  attributes: Readonly<Record<string, AttributeDefinition>>,
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
})
const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } as const
const writer = type('author', { name: { type: 'string' } })

describe.skipIf(testEngine() === 'pglite')('the column of an attribute with a columnName', () => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await createTestDatabase()
    store = await openStore({ database: database.url, limits: defaultLimits, logger: silentLogger })
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })

  async function started<T>(
    attributes: Readonly<Record<string, AttributeDefinition>>,
    work: (octavo: Octavo) => Promise<T>,
  ): Promise<T> {
    const contentTypes = [writer, type('book', attributes)]
    const octavo = await createOctavo({ contentTypes, database: database.url, logger: silentLogger })
    try {
      return await work(octavo)
    } finally {
      await octavo.close()
    }
  }
  const stored = () => store.query(`select "id", "author_number", "author_id" from "books" order by "id"`)

  it('is beside that of a relation whose key has the other name', async () => {
    const attributes = { author, authorId: { type: 'integer', columnName: 'author_number' } } as const
    await started(attributes, async (octavo) => {
      const { id: ada } = await octavo.entries('author').create({ name: 'Ada' })
      const books = octavo.entries('book')
      const { id } = await books.create({ author: ada, authorId: 77 })
      await books.update(id, { authorId: 78 })
      expect(await stored()).toEqual([[String(id), '78', String(ada)]])
      const { data } = await books.find({
        filters: { authorId: 78, author: { name: 'Ada' } },
        populate: { author: true },
        sort: 'authorId',
      })
      expect(data).toMatchObject([{ id, attributes: { authorId: 78, author: { data: { id: ada } } } }])
    })
  })

  it('has the values of the former column, and leaves it to a relation of a later start', async () => {
    const number = { type: 'integer', columnName: 'author_number' } as const
    const id = await started({ authorId: { type: 'integer' } }, async (octavo) => {
      return (await octavo.entries('book').create({ authorId: 77 })).id
    })
    await started({ authorId: number }, async (octavo) => {
      expect((await octavo.entries('book').findOne(id))?.attributes.authorId).toBe(77)
    })
    await started({ authorId: number, author }, async (octavo) => {
      expect(await stored()).toEqual([[String(id), '77', null]])
      expect((await octavo.entries('book').findOne(id))?.attributes.authorId).toBe(77)
    })
  })

  it('is made beside a relation that is there, whose keys stay', async () => {
    const ada = await started({ author }, async (octavo) => {
      const { id } = await octavo.entries('author').create({ name: 'Ada' })
      await octavo.entries('book').create({ author: id })
      return id
    })
    await started({ author, authorId: { type: 'integer', columnName: 'author_number' } }, async () => {
      expect(await stored()).toEqual([['1', null, String(ada)]])
    })
  })

  it('is renamed from the column of the former name of the attribute', async () => {
    await started({ code: { type: 'integer' } }, (octavo) => octavo.entries('book').create({ code: 77 }))
    const authorId = { type: 'integer', columnName: 'author_number', renamedFrom: 'code' } as const
    await started({ author, authorId }, async (octavo) => {
      expect((await octavo.entries('book').find()).data).toMatchObject([{ attributes: { authorId: 77 } }])
    })
    const [row] = await store.run(sql`select count(*) as "n" from books where author_number = 77`)
    expect(row?.n).toBe('1')
  })
})
