import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { type OpenedStore, openStore } from '../src/store/open-store.ts'

const limits = { statementTime: 300, connectionTime: 15_000 }
const open = (database: string, connections?: number) =>
  openStore({ database, limits, logger: silentLogger, ...(connections && { connections }) })

let database: TestDatabase
let store: OpenedStore
beforeAll(async () => {
  database = await createTestDatabase()
  store = await open(database.url)
  await store.query('create table notes (id int primary key, body text unique)')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

describe('the store', () => {
  it('says which engine it is and answers', async () => {
    expect(store.engine).toBe(testEngine())
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('gives rows as arrays of what PostgreSQL wrote, without a loss', async () => {
    const [row] = await store.query(
      `select 9007199254740993::int8 as x, 1.10::numeric as x, true, null, date '2024-02-29', '{"b": 1, "a":2}'::json`,
    )
    expect(row).toEqual(['9007199254740993', '1.10', 't', null, '2024-02-29', '{"b": 1, "a":2}'])
  })

  it('takes every kind of parameter', async () => {
    const values = ['a\'"\\', 7, 1.5, true, null, new Date(0), ['a,"b"\\', null, '', 'NULL'], [1, 2]]
    const [row] = await store.query(
      'select $1::text, $2::int, $3::float8, $4::bool, $5::text, $6::timestamptz, array_to_json($7::text[]), $8::int[]',
      values,
    )
    expect(row).toEqual([
      'a\'"\\',
      '7',
      '1.5',
      't',
      null,
      '1970-01-01 00:00:00+00',
      '["a,\\"b\\"\\\\",null,"","NULL"]',
      '{1,2}',
    ])
  })

  it('reads and writes time in UTC and ISO', async () => {
    const [row] = await store.query(
      `select '2024-07-01 12:00'::timestamptz at time zone 'UTC', current_setting('TimeZone')`,
    )
    expect(row).toEqual(['2024-07-01 12:00:00', 'UTC'])
  })

  it('runs the same statement many times', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => store.execute({ text: 'select $1::int * 2', values: [n] })),
    )
    expect(answers.flat(2)).toEqual(['2', '4', '6', '8', '10', '12'])
  })

  it('keeps the SQLSTATE of an error that is not about the connection', async () => {
    await expect(store.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  })
})

describe('a transaction', () => {
  it('is kept when its work succeeds', async () => {
    const id = await store.transaction(async (tx) => {
      await tx.query('insert into notes values ($1, $2)', [1, 'kept'])
      return (await tx.query('select id from notes where id = 1'))[0]?.[0]
    })
    expect(id).toBe('1')
    expect(await store.query('select body from notes where id = 1')).toEqual([['kept']])
  })

  it('is undone when its work throws, and so is one whose statement failed', async () => {
    const refuse = store.transaction(async (tx) => {
      await tx.query('insert into notes values (2, null)')
      throw new Error('no')
    })
    await expect(refuse).rejects.toThrow('no')
    const fail = store.transaction(async (tx) => {
      await tx.query('insert into notes values (2, null)')
      await tx.query(`insert into notes values (3, 'kept')`)
    })
    await expect(fail).rejects.toMatchObject({ code: '23505' })
    expect(await store.query('select id from notes where id > 1')).toEqual([])
  })

  it('does not mix with others that run at the same time, nor with what is outside', async () => {
    const insert = (id: number, keep: boolean) =>
      store.transaction(async (tx) => {
        await tx.query('insert into notes values ($1, null)', [id])
        await tx.query('select 1')
        if (!keep) throw new Error('no')
      })
    const work = [
      insert(10, true),
      insert(11, false),
      insert(12, true),
      store.query('select 1'),
      insert(13, false),
    ]
    await Promise.allSettled(work)
    expect(await store.query('select id from notes where id >= 10 order by 1')).toEqual([['10'], ['12']])
  })
})

describe('a database that does not answer', () => {
  it('is a 503 with its reason for the log', async () => {
    await expect(open('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
      status: 503,
      code: 'database/unavailable',
      message: 'The database does not answer.',
      cause: { code: 'ECONNREFUSED' },
    })
  })
})

describe('a database address that is none', () => {
  it.each(['', 'mysql://me:secret@host/db', 'postgres://', 'file:', 'sqlite.db'])(
    '"%s" is refused with the three forms',
    async (url) => {
      const refused = open(url)
      await expect(refused).rejects.toThrow(/memory:\/\/.*file:\.\/directory.*postgres:\/\//)
      await expect(refused).rejects.not.toThrow(/secret/)
    },
  )
})

describe.runIf(testEngine() === 'postgresql')('a PostgreSQL server', () => {
  it('cancels a statement that takes too long: 503 with the bound', async () => {
    await expect(store.execute({ text: 'select pg_sleep(5)', values: [] })).rejects.toMatchObject({
      status: 503,
      code: 'database/timeout',
      message: 'The database did not answer within 300 ms; ask for less.',
    })
    await expect(store.transaction((tx) => tx.query('select pg_sleep(5)'))).rejects.toMatchObject({
      code: 'database/timeout',
    })
  })

  it('may end a connection: that request gets a 503, the next one an answer', async () => {
    const end = store.query('select pg_terminate_backend(pg_backend_pid())')
    await expect(end).rejects.toMatchObject({ status: 503, code: 'database/unavailable' })
    const inTransaction = store.transaction((tx) => tx.query('select pg_terminate_backend(pg_backend_pid())'))
    await expect(inTransaction).rejects.toMatchObject({ status: 503, code: 'database/unavailable' })
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('prepares what came twice, and at most 500 texts', async () => {
    const single = await open(database.url, 1)
    const run = (text: string) => single.execute({ text, values: [] })
    const prepared = async () =>
      Number((await single.query('select count(*) from pg_prepared_statements'))[0]?.[0])
    await run('select 1')
    expect(await prepared()).toBe(0)
    await run('select 1')
    await run('select 1')
    expect(await prepared()).toBe(1)
    for (let i = 0; i < 600; i++) {
      await run(`select 1 as c${i}`)
      await run(`select 1 as c${i}`)
    }
    expect(await prepared()).toBe(500)
    await single.close()
  })

  it('gets its connections back', async () => {
    const single = await open(database.url, 1)
    await single.transaction((tx) => tx.query('select 1'))
    await single.transaction((tx) => tx.query('select 1 / 0')).catch(() => {})
    await single.close()
    const [[open_] = []] = await store.query(
      `select count(*) from pg_stat_activity where datname = current_database()`,
    )
    expect(Number(open_)).toBeLessThanOrEqual(10)
  })
})

describe('an embedded database in a directory', () => {
  it('is made when missing, kept, and serves one process at a time', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'octavo-'))
    const directory = join(parent, 'deep', 'data')
    try {
      const first = await open(`file:${directory}`)
      await first.query('create table t as select 42 as n')
      await expect(open(`file:${directory}`)).rejects.toThrow(
        `The database in ${directory} is in use by process ${process.pid}`,
      )
      await first.close()
      expect(existsSync(`${directory}.lock`)).toBe(false)

      const second = await open(`file:${directory}`)
      expect(await second.query('select n from t')).toEqual([['42']])
      await second.close()
    } finally {
      await rm(parent, { recursive: true, force: true })
    }
  })
})
