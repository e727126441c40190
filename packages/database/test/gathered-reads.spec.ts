/** Reads that are sent to PostgreSQL in one message: each has its own answer. */
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPool } from '../src/pool/open-pool.ts'
import type { PostgresPool } from '../src/pool/postgres-pool.ts'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// The embedded engine has no messages.
describe.runIf(testEngine() === 'postgresql')('reads of one turn with the same text', () => {
  let database: TestDatabase
  let pool: PostgresPool
  beforeAll(async () => {
    database = await createTestDatabase()
    const times = { connectionTime: 60_000, queueTime: 60_000 }
    pool = await openPool({
      url: database.url,
      name: 'octavo-test',
      settings: ["set statement_timeout to '60s'"],
      connections: 2,
      // However slow the machine is.
      longestRound: Number.POSITIVE_INFINITY,
      ...times,
    })
    // A text is sent alone until its time is known.
    for (const [name, text] of Object.entries(texts))
      await pool.execute({ text, values: [name === 'ended' ? 0 : 1] })
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  // now() is the start of the transaction, which the statements of one message share.
  const texts = {
    time: 'select now()::text, $1::int',
    once: 'select gen_random_uuid()::text, $1::int',
    division: 'select 6 / $1::int',
    many: 'select n, $1::int from generate_series(1, 3) n',
    // Waits while another session has the lock.
    waits: 'select $1::int, pg_advisory_xact_lock_shared(27)',
    // Short when it is run for the first time, so that later ones are sent together.
    ended: 'select $1::int, pg_sleep($1::float8) as "ended"',
  }
  const read = (text: string, value: number, signal?: AbortSignal) =>
    pool.execute({ text, values: [value] }, { signal })

  it('are one message', async () => {
    const rows = await Promise.all(Array.from({ length: 16 }, (_, i) => read(texts.time, i)))
    expect(rows.map(([row]) => row?.[1])).toEqual(rows.map((_, i) => String(i)))
    expect(new Set(rows.map(([row]) => row?.[0])).size).toBe(1)
  })

  it('are one statement when they have the same values, and never that of an earlier turn', async () => {
    const turn = async (): Promise<readonly unknown[]> => {
      const rows = await Promise.all([1, 2, 1].map((value) => read(texts.once, value)))
      expect(rows.map(([row]) => row?.[1])).toEqual(['1', '2', '1'])
      return rows.map(([row]) => row?.[0])
    }
    const [first, second, third] = await turn()
    expect([third === first, second === first]).toEqual([true, false])
    const [later] = await turn()
    expect(later).not.toBe(first)
  })

  it('have their own rows and errors, in any mixture', async () => {
    const one = fc.tuple(fc.constantFrom('division', 'many'), fc.integer({ min: 0, max: 3 }), fc.boolean())
    const expected = (kind: string, value: number): unknown => {
      if (kind === 'many') return ['1', '2', '3'].map((n) => [n, String(value)])
      return value === 0 ? '22012' : [[String(6 / value)]]
    }
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 40 }), async (reads) => {
        const outcomes = reads.map(([kind, value, leaves]) => {
          const client = new AbortController()
          const outcome = read(texts[kind], value, client.signal).catch(
            (error: { code: string }) => error.code,
          )
          if (leaves) client.abort()
          return outcome
        })
        const found = await Promise.all(outcomes)
        for (const [i, [kind, value, leaves]] of reads.entries()) {
          const answers = [expected(kind, value), ...(leaves ? ['database/abandoned'] : [])]
          expect(answers).toContainEqual(found[i])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('go on when one client leaves, and are cancelled when all have', async () => {
    const other = new Client({ connectionString: database.url })
    await other.connect()
    const isRunning = async (): Promise<boolean> => {
      const running = `select 1 from pg_stat_activity where datname = current_database() and query = '${texts.waits}' and state = 'active'`
      return (await other.query(running)).rows.length > 0
    }
    const start = async () => {
      await other.query('select pg_advisory_lock(27)')
      const clients = [new AbortController(), new AbortController()]
      const reads = clients.map(({ signal }) => read(texts.waits, 1, signal).catch((error: unknown) => error))
      while (!(await isRunning()));
      return { clients, reads }
    }
    const going = await start()
    going.clients[0]?.abort()
    expect(await going.reads[0]).toMatchObject({ code: 'database/abandoned' })
    await other.query('select pg_advisory_unlock(27)')
    expect(await going.reads[1]).toEqual([['1', '']])

    const left = await start()
    for (const client of left.clients) client.abort()
    for (const cancelled of left.reads) expect(await cancelled).toMatchObject({ status: 499 })
    while (await isRunning());
    expect(pool.figures.cancelled).toBeGreaterThan(0)
    await other.end()
  })

  it('are sent alone when they are planned anew, with rows and errors of their own and no setting left', async () => {
    const values = [0, 1, 2, 0, 3, 6, 0, 1]
    const found = await Promise.all(
      values.map((value) =>
        pool
          .execute({ text: texts.division, values: [value], planned: true })
          .catch((error: { code: string }) => error.code),
      ),
    )
    expect(found).toEqual(values.map((value) => (value === 0 ? '22012' : [[String(6 / value)]])))
    const modes = Array.from({ length: 4 }, () => pool.query('show plan_cache_mode'))
    for (const { rows } of await Promise.all(modes)) expect(rows).toEqual([['auto']])
  })

  it('fail together when their connection ends', async () => {
    const ended = Array.from({ length: 3 }, () => read(texts.ended, 60))
    const failures = Promise.allSettled(ended)
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = '${texts.ended}' and state = 'active'`
    while ((await pool.query(end)).rows.length === 0);
    for (const outcome of await failures)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '57P01' } })
    expect(await read(texts.division, 3)).toEqual([['2']])
  })
})
