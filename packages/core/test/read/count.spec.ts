/** Totals: counted unless the page determines them, and optionally estimated above a bound. */
import { createOctavo, defineContentType, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const item = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'item', pluralName: 'items' },
  attributes: { n: { type: 'integer' } },
})
let database: TestDatabase
let octavo: Octavo
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [item],
    database: database.url,
    rest: { estimateCountAbove: 100 },
  })
  await octavo.store.query('insert into items (n) select n from generate_series(1, 1000) n')
  await octavo.store.query('analyze items')
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})
const pagination = async (page: object, most: number) =>
  (await octavo.entries('item').find({ pagination: page, filters: { n: { $lte: most } } })).pagination

describe('a total up to the bound', () => {
  it.each([
    ['of a page that is not full', { page: 2, pageSize: 6 }, 10],
    ['of a full last page', { page: 2, pageSize: 5 }, 10],
    ['of a page behind the end', { page: 9, pageSize: 5 }, 10],
    ['of a full page', { page: 1, pageSize: 5 }, 100],
    ['of an empty list', { page: 1, pageSize: 5 }, 0],
    ['of an empty list, behind its end', { page: 2, pageSize: 5 }, 0],
  ])('%s is exact', async (_, page, total) => {
    const pageCount = Math.ceil(total / page.pageSize)
    expect(await pagination(page, total)).toEqual({ ...page, pageCount, total })
  })
})

describe('a total above the bound', () => {
  it('is an estimate and marked as such', async () => {
    const { total = 0, ...rest } = await pagination({ page: 1, pageSize: 10 }, 600)
    expect(total).toBeGreaterThan(400)
    expect(total).toBeLessThan(800)
    expect(rest).toEqual({ page: 1, pageSize: 10, pageCount: Math.ceil(total / 10), estimated: true })
  })
  it('is an estimate with a start, and with a cursor', async () => {
    expect(await pagination({ start: 3 }, 600)).toMatchObject({ start: 3, limit: 25, estimated: true })
    expect(await pagination({ after: '', withCount: true }, 600)).toMatchObject({ estimated: true })
  })
  it('is exact when the page determines it', async () => {
    expect(await pagination({ start: 950, limit: 100 }, 1000)).toEqual({
      start: 950,
      limit: 100,
      total: 1000,
    })
  })
  it('is absent without withCount', async () => {
    expect(await pagination({ page: 1, withCount: false }, 600)).toEqual({ page: 1, pageSize: 25 })
  })
})
