/** Statements as they are sent to the database: any text, any number of parameters, and commands that copy. */
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'
import type { Store } from '../src/store/store.ts'

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  const limits = { statementTime: 60_000, connectionTime: 60_000, queueTime: 60_000 }
  // Few connections: one that is lost or out of step with its statements shows at once.
  store = await openStore({ database: database.url, limits, logger: silentLogger, connections: 2 })
  await store.query('create table copied (id int)')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const answers = async () => (await store.execute({ text: 'select 1', values: [] }))[0]?.[0]

describe('a statement', () => {
  it('arrives with its values, of any characters and lengths, named or not', async () => {
    // PostgreSQL stores no zero characters; a lone half of a surrogate pair has no UTF-8.
    const text = fc
      .oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 900, maxLength: 2_000, unit: 'grapheme' }),
      )
      .filter((value) => !value.includes('\0') && value.isWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { minLength: 1, maxLength: 5 }), async (values) => {
        const columns = values.map((_, i) => `$${i + 1}::text`).join(', ')
        const [row] = await store.execute({ text: `select ${columns}`, values })
        expect(row).toEqual(values)
      }),
      { numRuns: 40 },
    )
  })

  it('returns rows of any size, and the connection goes on', async () => {
    for (const size of [0, 65_500, 131_062, 131_063, 131_064, 131_065, 131_066, 5_000_000]) {
      const values = [size, 'ä']
      const rows = await store.execute({ text: 'select repeat($2, $1::int), $2::text', values })
      expect(rows).toEqual([['ä'.repeat(size), 'ä']])
      expect(await answers()).toBe('1')
    }
  })

  it('returns large rows between small ones', async () => {
    const sizes = [1, 200_000, 2, 3, 400_000, 70_000, 70_000, 4]
    const text = `select repeat('a', size) from unnest($1::int[]) as size`
    const rows = await store.execute({ text, values: [sizes] })
    expect(rows.map(([value]) => String(value).length)).toEqual(sizes)
  })

  it('has up to 65,535 parameters; more are refused, and the connection goes on', async () => {
    const textOf = (count: number) =>
      `select ${Array.from({ length: count }, (_, i) => `$${i + 1}::int`).join(' + ')}`
    const valuesOf = (count: number) => Array.from({ length: count }, () => 1)
    await expect(
      store.execute({ text: 'select 1', values: valuesOf(65_536), planned: true }),
    ).rejects.toThrow()
    expect(await store.execute({ text: textOf(1_000), values: valuesOf(1_000) })).toEqual([['1000']])
    for (let i = 0; i < 4; i++) expect(await answers()).toBe('1')
  })

  it('that is empty has no rows, and the connection goes on', async () => {
    for (let i = 0; i < 4; i++) {
      expect(await store.execute({ text: '', values: [] })).toEqual([])
      expect(await answers()).toBe('1')
    }
  })

  // PGlite has its own interface for copies.
  it.runIf(testEngine() === 'postgresql')(
    'that copies moves no data, and the connection goes on',
    async () => {
      for (let i = 0; i < 4; i++) {
        await expect(store.execute({ text: 'copy copied from stdin', values: [] })).rejects.toThrow()
        expect(await store.execute({ text: 'copy (select 1) to stdout', values: [] })).toEqual([])
        expect(await answers()).toBe('1')
      }
    },
  )

  it('that fails leaves the connection to the next one', async () => {
    for (let i = 0; i < 4; i++) {
      await expect(store.execute({ text: 'select 1 / 0', values: [] })).rejects.toThrow()
      expect(await answers()).toBe('1')
    }
  })
})

describe('statements that wait for a connection', () => {
  // The embedded database has no backends to end.
  it.runIf(testEngine() === 'postgresql')('do not fail with the connection of another one', async () => {
    const limits = { statementTime: 60_000, connectionTime: 60_000, queueTime: 60_000 }
    const single = await openStore({ database: database.url, limits, logger: silentLogger, connections: 1 })
    try {
      const ended = single.execute({ text: 'select pg_sleep(60)', values: [] })
      const waiting = Array.from({ length: 20 }, (_, i) =>
        single.execute({ text: 'select $1::int', values: [i] }).then(([row]) => Number(row?.[0])),
      )
      const outcome = expect(ended).rejects.toThrow()
      const all = Promise.allSettled(waiting)
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'select pg_sleep(60)%' and datname = current_database()`
      while ((await store.execute({ text: end, values: [] })).length === 0);
      await outcome
      expect((await all).map((result) => result.status)).toEqual(waiting.map(() => 'fulfilled'))
    } finally {
      await single.close()
    }
  })
})

describe('statements at the same time', () => {
  it('have their own rows, more of them than connections', async () => {
    const numbers = Array.from({ length: 150 }, (_, i) => i)
    const rows = await Promise.all(
      numbers.map((n) => store.execute({ text: 'select $1::int', values: [n] }, { group: `${n % 3}` })),
    )
    expect(rows.map((found) => Number(found[0]?.[0]))).toEqual(numbers)
  })
})
