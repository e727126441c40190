/** The generated column of `options.search` with `mode: 'fulltext'`, in the update of the schema. */

import type { Store } from '@octavo/database'
import { openStore, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FullTextSearch, TrigramSearch } from '../../src/content-type/definition/definition.ts'
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
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const update = (
  search: FullTextSearch | TrigramSearch | undefined,
  { name = 'title', renamedFrom, check }: { name?: string; renamedFrom?: string; check?: 'always' } = {},
) =>
  updateSchema(
    store,
    registryOf([
      {
        ...collection('book', { [name]: { type: 'string', ...(renamedFrom && { renamedFrom }) } }),
        options: { ...(search && { search }) },
      },
    ]),
    check && { check },
  )
const words = async () => (await store.query('select _search::text from books')).flat()
const objects = async () => {
  const rows = await store.query(
    `select attname from pg_attribute where attrelid = 'books'::regclass and attname = '_search' union all select indexname from pg_indexes where indexname like 'books_search%' order by 1`,
  )
  return rows.flat()
}

const german = { attributes: ['title'], mode: 'fulltext', language: 'german' } as const

describe('the column of a full-text search', () => {
  it('is made for existing rows, follows the definition, and is dropped with it', async () => {
    await update(undefined)
    await store.query(`insert into books (title) values ('Die Häuser')`)
    await update(german)
    expect(await words()).toEqual(["'haus':2"])
    expect(await objects()).toEqual(['_search', 'books_search_words'])
    for (const check of [undefined, 'always'] as const)
      expect(await update(german, { ...(check && { check }) })).toEqual({ statements: [], warnings: [] })

    await update({ attributes: ['title'], mode: 'fulltext', weights: { title: 'B' } })
    expect(await words()).toEqual(["'die':1B 'häuser':2B"])
    await update({ attributes: ['title'], mode: 'trigrams' })
    expect(await objects()).toEqual(['books_search_trigrams'])
    await update(german)
    expect(await objects()).toEqual(['_search', 'books_search_words'])
    expect((await update(undefined)).warnings).toEqual([])
    expect(await objects()).toEqual([])
  })

  it('follows a renamed attribute', async () => {
    await update(german)
    await update({ ...german, attributes: ['name'] }, { name: 'name', renamedFrom: 'title' })
    expect(await words()).toEqual(["'haus':2"])
    await store.query(`update books set name = 'Das Schiff'`)
    expect(await words()).toEqual(["'schiff':2"])
    await update(german, { renamedFrom: 'name' })
  })

  it('is made anew when it was dropped by hand', async () => {
    await update(german)
    const made = await words()
    await store.query('alter table books drop column _search')
    await update(german)
    expect(await words()).toEqual(made)
  })
})
