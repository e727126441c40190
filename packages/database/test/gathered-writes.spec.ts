/** Transactions of one message that are sent to PostgreSQL together: each has its own answer, and happens as if it were alone. */
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPool } from '../src/pool/open-pool.ts'
import type { PostgresPool } from '../src/pool/postgres-pool.ts'
import type { Bindable } from '../src/sql/sql.ts'
import type { RawTransaction } from '../src/store/queryable.ts'
import type { Row } from '../src/store/store.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// The embedded engine has no messages.
describe.runIf(testEngine() === 'postgresql')('transactions of one turn with the same texts', () => {
  const connections = 20
  let database: TestDatabase
  let pool: PostgresPool
  beforeAll(async () => {
    database = await createTestDatabase()
    pool = await openPool({
      url: database.url,
      name: 'octavo-test',
      settings: ["set statement_timeout to '60s'"],
      connections,
      connectionTime: 60_000,
      queueTime: 60_000,
      // However slow the machine is.
      longestRound: Number.POSITIVE_INFINITY,
    })
    // A nap of 60 s lasts until its backend is ended.
    await pool.query(`
      create table notes (id int primary key check (id > 0), nap float8 not null);
      create function rest() returns trigger language plpgsql as 'begin perform pg_sleep(new.nap); return new; end';
      create trigger rest after insert on notes for each row execute function rest()`)
    await openAll()
    // Texts are sent alone until their time is known.
    await add(1)
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })
  beforeEach(async () => void (await pool.query('delete from notes')))

  /** Opens all connections, so that transactions which start together have theirs in one turn. */
  async function openAll(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let open = 0
    const hold = (): Promise<void> =>
      pool.transaction(async () => {
        open += 1
        if (open === connections) resolve()
        await promise
      })
    await Promise.all(Array.from({ length: connections }, hold))
  }
  /** Sends a statement with those before it, and commits. */
  async function commitWith(tx: RawTransaction, text: string, values: readonly Bindable[]) {
    const rows: Row[] = []
    tx.send(text, values, (row) => rows.push(row))
    await tx.commitSent()
    return rows
  }
  const inserted = 'insert into notes values ($1::int4, $2::float8)'
  const add = (id: number, nap = 0): Promise<unknown> =>
    pool.transaction(async (tx) => {
      tx.send(inserted, [id, nap])
      const [row] = await commitWith(tx, 'select id from notes where id = $1::int4', [id])
      return row?.[0]
    })
  const codeOf = (error: { readonly code?: string }): unknown => error.code
  const stored = async (): Promise<readonly unknown[]> =>
    (await pool.query('select id from notes order by id')).rows.map(([id]) => Number(id))

  it('are one transaction', async () => {
    const ids = Array.from({ length: 16 }, (_, i) => i + 1)
    expect(await Promise.all(ids.map((id) => add(id)))).toEqual(ids.map(String))
    const { rows } = await pool.query('select distinct xmin::text from notes')
    expect(rows.length).toBe(1)
  })

  it('have their own errors, and are committed exactly when they are answered, in any mixture', async () => {
    const some = fc.array(fc.integer({ min: -1, max: 12 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(some, async (ids) => {
        await pool.query('delete from notes')
        const outcomes = await Promise.all(ids.map((id) => add(id).catch(codeOf)))
        const valid = new Set(ids.filter((id) => id > 0))
        expect(await stored()).toEqual([...valid].sort((a, b) => a - b))
        for (const id of valid) {
          const ofId = outcomes.filter((_, i) => ids[i] === id)
          expect(ofId.filter((outcome) => outcome === String(id)).length).toBe(1)
          expect(ofId.filter((outcome) => outcome === '23505').length).toBe(ofId.length - 1)
        }
        expect(outcomes.filter((_, i) => (ids[i] ?? 0) <= 0).every((code) => code === '23514')).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('receive rows of statements before the last one once, also when the first attempt fails', async () => {
    const received: string[] = []
    const noted = (id: number): Promise<unknown> =>
      pool.transaction(async (tx) => {
        tx.send(`${inserted} returning id`, [id, 0], ([row]) => received.push(String(row)))
        return commitWith(tx, 'select $1::int4', [id])
      })
    await noted(100)
    const outcomes = await Promise.all([101, 102, -1, 103].map((id) => noted(id).catch(codeOf)))
    expect(outcomes).toEqual([[['101']], [['102']], '23514', [['103']]])
    expect(received.sort()).toEqual(['100', '101', '102', '103'])
  })

  it('are all refused when their connection ends before the commit', async () => {
    const outcomes = Promise.all([11, 12, 13].map((id) => add(id, id === 12 ? 60 : 0).catch(codeOf)))
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = '${inserted}' and state = 'active'`
    while ((await pool.query(end)).rows.length === 0);
    expect(await outcomes).toEqual(['57P01', '57P01', '57P01'])
    expect(await stored()).toEqual([])
    expect(await add(14)).toBe('14')
  })

  describe('that lock rows', () => {
    const counted = 'update counters set n = n + 1 where id = $1::int4'
    const count = (id: number): Promise<unknown> =>
      pool.transaction(async (tx) => {
        tx.shareAmong('', id)
        tx.send(counted, [id])
        await commitWith(tx, 'select $1::int4', [id])
      })
    beforeAll(async () => {
      await pool.query('create table counters (id int primary key, n int not null)')
      await pool.query('insert into counters select id, 0 from generate_series(1, 8) as id')
      await count(1)
    })
    beforeEach(async () => void (await pool.query('update counters set n = 0')))

    it('happen once each, in any order and by several messages at a time', async () => {
      const some = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(some, async (ids) => {
          await pool.query('update counters set n = 0')
          await Promise.all(ids.map(count))
          const { rows } = await pool.query('select id, n from counters order by id')
          const counts = rows.map(([id]) => ids.filter((one) => one === Number(id)).length)
          expect(rows.map(([, n]) => Number(n))).toEqual(counts)
        }),
        { numRuns: 30 },
      )
    })

    it('go on while somebody else holds the row of one of them', async () => {
      const [taken, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const locked = pool.transaction(async (tx) => {
        await tx.query('select 1 from counters where id = 2 for update')
        taken.resolve()
        await unlocked.promise
      })
      await taken.promise
      const blocked = count(2)
      await Promise.all([count(1), count(3), count(4)])
      unlocked.resolve()
      await Promise.all([locked, blocked])
      const { rows } = await pool.query('select n from counters where id < 5 order by id')
      expect(rows.flat()).toEqual(['1', '1', '1', '1'])
    })
  })

  it('wait for no other text: one with another table goes on while theirs is locked', async () => {
    await pool.query('create table others (id int)')
    const other = (): Promise<unknown> =>
      pool.transaction((tx) => commitWith(tx, 'insert into others values ($1::int4) returning id', [1]))
    await other()
    const [taken, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locked = pool.transaction(async (tx) => {
      await tx.query('lock table notes')
      taken.resolve()
      await unlocked.promise
    })
    await taken.promise
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and query = '${inserted}' and wait_event_type = 'Lock'`
    const blocked = [21, 22].map((id) => add(id))
    while ((await pool.query(waiting)).rows.length === 0);
    expect(await other()).toEqual([['1']])
    unlocked.resolve()
    await locked
    expect(await Promise.all(blocked)).toEqual(['21', '22'])
  })
})
