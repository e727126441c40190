import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../src/database.ts'
import { testEngine } from '../src/environment.ts'

async function withDatabase(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createTestDatabase()
  try {
    await work(database)
  } finally {
    await database.drop()
  }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  // A dropped database ends the sessions in it: the client would raise that as an unhandled error.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

describe.runIf(testEngine() === 'postgresql')('a test database on PostgreSQL', () => {
  it('is empty, and not the next one', async () => {
    await withDatabase(async (one) => {
      await query(one.url, 'create table book (id int)')
      await withDatabase(async (two) => {
        expect(two.engine).toBe('postgresql')
        expect(two.url).not.toBe(one.url)
        expect(
          await query(two.url, `select count(*)::int from pg_tables where schemaname = 'public'`),
        ).toEqual([0])
      })
    })
  })

  it('orders by code point and folds the case of any letter', async () => {
    await withDatabase(async ({ url }) => {
      expect(await query(url, `select w from unnest(array['é', 'b', 'a', 'B', 'É']) w order by w`)).toEqual([
        'B',
        'a',
        'b',
        'É',
        'é',
      ])
      expect(await query(url, `select lower('ÉMILE Ω'), 'É' ilike 'é'`)).toEqual(['émile ω', true])
    })
  })

  it('does not exist after drop, even with an open session; a second drop does nothing', async () => {
    const database = await createTestDatabase()
    const session = new Client({ connectionString: database.url })
    session.on('error', () => {})
    await session.connect()
    await database.drop()
    await database.drop()
    await expect(query(database.url, 'select 1')).rejects.toThrow('does not exist')
  })
})

describe.runIf(testEngine() === 'pglite')('a test database on PGlite', () => {
  it('is an address in memory', async () => {
    await withDatabase(async ({ url, engine }) => {
      expect([url, engine]).toEqual(['memory://', 'pglite'])
    })
  })
})
