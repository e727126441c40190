/** Rows of tables by the names of their columns, as plugins read and write them. */
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'
import { defineOwnTable } from '../src/rows/own-table.ts'
import type { RowWhere } from '../src/rows/row-types.ts'
import { sql } from '../src/sql/sql.ts'
import type { Store } from '../src/store/store.ts'

const visits = defineOwnTable('octavo_visits', {
  columns: {
    page: { type: 'text' },
    views: { type: 'integer' },
    hidden: { type: 'boolean', nullable: true },
  },
})

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  store = await openStore({
    database: database.url,
    limits: { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 },
    logger: silentLogger,
  })
  await store.run(
    sql`create table "octavo_visits" ("id" serial primary key, "page" text not null, "views" int not null, "hidden" boolean)`,
  )
})
beforeEach(async () => {
  await store.rows(visits).delete({ where: {} })
  await store.rows(visits).insert([
    { page: 'start', views: 1, hidden: null },
    { page: 'about', views: 2, hidden: false },
    { page: 'draft', views: 3, hidden: true },
  ])
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

type Visit = Required<typeof visits>['row']

const pages = async (where: RowWhere<Visit>): Promise<readonly string[]> => {
  const rows = await store.rows(visits).find({ where, select: ['page'], orderBy: { views: 'asc' } })
  return rows.map(({ page }) => page)
}

describe('$or', () => {
  it('selects rows that satisfy at least one of its conditions', async () => {
    expect(await pages({ $or: [{ hidden: null }, { page: 'about' }] })).toEqual(['start', 'about'])
  })

  it('is joined with the other columns by AND', async () => {
    expect(await pages({ views: { $gt: 1 }, $or: [{ hidden: null }, { hidden: false }] })).toEqual(['about'])
  })

  it('joins the columns of each condition by AND', async () => {
    expect(
      await pages({
        $or: [
          { page: 'start', views: 2 },
          { page: 'draft', views: 3 },
        ],
      }),
    ).toEqual(['draft'])
  })

  it('selects no row for an empty list, and every row for an empty condition', async () => {
    expect(await pages({ $or: [] })).toEqual([])
    expect(await pages({ $or: [{}] })).toEqual(['start', 'about', 'draft'])
  })
})

describe('a list', () => {
  it('selects rows with one of its values, including rows without a value when it contains null', async () => {
    expect(await pages({ hidden: [false] })).toEqual(['about'])
    expect(await pages({ hidden: [false, null] })).toEqual(['start', 'about'])
  })
})

describe('update', () => {
  it('sets a column to SQL that uses its current value', async () => {
    const changed = await store.rows(visits).update({
      where: { page: 'about' },
      set: { views: (views) => sql`${views} + 10` },
      returning: ['views'],
    })
    expect(changed).toEqual([{ views: 12 }])
  })
})
