import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConfigurationError } from '../src/error/configuration-error.ts'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'
import type { Store } from '../src/store/store.ts'

// The subject is time limits, whose ends a busy machine reaches late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const limits = { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 }
const open = (database: string, connections?: number) =>
  openStore({ database, limits, logger: silentLogger, ...(connections && { connections }) })

let database: TestDatabase
let store: Store
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
  it('has an engine and runs statements', async () => {
    expect(store.engine).toBe(testEngine())
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it.skipIf(testEngine() === 'pglite')('is opened with one connection', async () => {
    const name = `octavo-${randomUUID()}`
    const url = new URL(database.url)
    url.searchParams.set('application_name', name)
    const one = await open(url.href)
    const count = 'select count(*) from pg_stat_activity where application_name = $1'
    expect(await one.query(count, [name])).toEqual([['1']])
    await one.close()
  })

  it('returns rows as arrays of texts, without loss', async () => {
    const [row] = await store.query(
      `select 9007199254740993::int8 as x, 1.10::numeric as x, true, null, date '2024-02-29', '{"b": 1, "a":2}'::json`,
    )
    expect(row).toEqual(['9007199254740993', '1.10', 't', null, '2024-02-29', '{"b": 1, "a":2}'])
  })

  it('accepts every type of parameter', async () => {
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

  it('preserves the SQLSTATE of an error of a statement', async () => {
    await expect(store.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  })
})

describe('a transaction', () => {
  it('is committed when its work succeeds', async () => {
    const id = await store.transaction(async (tx) => {
      await tx.query('insert into notes values ($1, $2)', [1, 'kept'])
      return (await tx.query('select id from notes where id = 1'))[0]?.[0]
    })
    expect(id).toBe('1')
    expect(await store.query('select body from notes where id = 1')).toEqual([['kept']])
  })

  it('is rolled back when its work throws or a statement fails', async () => {
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

  it.each(['ENOENT', 'EACCES', 'EPIPE', 'ECONNREFUSED'])('throws %s of its work as it is', async (code) => {
    // A folder or another server that the work needs.
    const error = Object.assign(new Error('not there'), { code })
    await expect(store.transaction(() => Promise.reject(error))).rejects.toBe(error)
  })

  it('is isolated from concurrent transactions and statements', async () => {
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

describe('an unreachable database', () => {
  it('is a 503 with its cause for the log', async () => {
    await expect(open('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
      status: 503,
      code: 'database/unavailable',
      message: 'PostgreSQL at 127.0.0.1:1 does not answer: connection refused',
      cause: { cause: { code: 'ECONNREFUSED' } },
    })
  })
})

describe.runIf(testEngine() === 'postgresql')('a server that refuses the connection', () => {
  it.each([
    ['database', { pathname: '/nowhere_at_all' }],
    ['user', { username: 'nobody_at_all' }],
  ])('is named with its reason: the %s', async (_, change) => {
    const { url: made, drop } = await createTestDatabase()
    const url = Object.assign(new URL(made), change)
    const place = `${url.hostname}:${url.port || 5432}`
    await expect(open(url.href)).rejects.toThrow(
      new RegExp(`^PostgreSQL at ${place} refuses the connection: .*no(?:where|body)_at_all`),
    )
    await drop()
  })
})

describe('an invalid database URL', () => {
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
  it('cancels a statement after the timeout: 503 with the limit', async () => {
    const impatient = await openStore({
      database: database.url,
      limits: { ...limits, statementTime: 300 },
      logger: silentLogger,
    })
    try {
      await expect(impatient.execute({ text: 'select pg_sleep(60)', values: [] })).rejects.toMatchObject({
        status: 503,
        code: 'database/timeout',
        message: 'The database did not answer within 300 ms. Request fewer entries, or populate less.',
      })
      await expect(impatient.transaction((tx) => tx.query('select pg_sleep(60)'))).rejects.toMatchObject({
        code: 'database/timeout',
      })
    } finally {
      await impatient.close()
    }
  })

  it('ends a transaction that hangs longer than a write may take, and its locks', async () => {
    const patient = await openStore({
      database: database.url,
      limits: { ...limits, transactionTime: 20_000 },
      logger: silentLogger,
    })
    try {
      const hanging = patient.transaction(async (tx) => {
        const [[time, pid] = []] = await tx.query(
          `select current_setting('idle_in_transaction_session_timeout'), pg_backend_pid()`,
        )
        expect(time).toBe('30s')
        await tx.query('set local idle_in_transaction_session_timeout to 10')
        const ofBackend = 'select 1 from pg_stat_activity where pid = $1'
        while ((await store.query(ofBackend, [String(pid)])).length > 0);
        await tx.query('select 1')
      })
      await expect(hanging).rejects.toMatchObject({ status: 503, code: 'database/unavailable' })
      expect(await patient.query('select 1')).toEqual([['1']])
    } finally {
      await patient.close()
    }
  })

  it('can close a connection: the running request fails with 503, the next one succeeds', async () => {
    const end = store.query('select pg_terminate_backend(pg_backend_pid())')
    await expect(end).rejects.toMatchObject({ status: 503, code: 'database/unavailable' })
    const inTransaction = store.transaction((tx) => tx.query('select pg_terminate_backend(pg_backend_pid())'))
    await expect(inTransaction).rejects.toMatchObject({ status: 503, code: 'database/unavailable' })
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('reuses its connections', async () => {
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

describe('the folder of an embedded database', () => {
  const inFolder = async (use: (directory: string) => Promise<void>): Promise<void> => {
    const directory = await mkdtemp(join(tmpdir(), 'octavo-'))
    try {
      await use(directory)
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
  /** A folder with a database, made once, because it takes seconds. */
  let whole: string
  let parent: string
  let first: Store
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'octavo-'))
    whole = join(parent, 'deep', 'data')
    first = await open(`file:${whole}`)
    await first.query('create table t as select 42 as n')
  })
  afterAll(() => rm(parent, { recursive: true, force: true }))

  it('is created when missing, persistent, and serves one process at a time', async () => {
    await expect(open(`file:${whole}`)).rejects.toThrow(
      `The database in ${whole} is in use by process ${process.pid}`,
    )
    await first.close()

    const second = await open(`file:${whole}`)
    expect(await second.query('select n from t')).toEqual([['42']])
    await second.close()
  })

  it('is named in a sentence, with the remedies, when it is damaged', () =>
    inFolder(async (directory) => {
      for (const file of ['global/pg_control', 'pg_wal', 'base', 'PG_VERSION']) {
        const copy = join(directory, 'copy')
        await cp(whole, copy, { recursive: true })
        await rm(join(copy, file), { recursive: true })
        const error = await open(`file:${copy}`).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(error, file).toBeInstanceOf(ConfigurationError)
        expect(String(error)).toContain(`The database in ${copy} does not start: `)
        expect(String(error)).toContain('Restore the folder from a backup')
        await rm(copy, { recursive: true })
      }
    }))

  it('ends the process when its recovery fails', () =>
    inFolder(async (directory) => {
      const running = await open(`file:${whole}`)
      await running.query('create table if not exists cut_off as select 42 as n')
      // As after a power cut: the next start repairs it.
      await cp(whole, directory, { recursive: true })
      await running.close()
      await rm(join(directory, 'base'), { recursive: true })
      const index = new URL('../src/index.ts', import.meta.url).href
      const code = `
        const { openStore, silentLogger: logger } = await import(${JSON.stringify(index)})
        const opened = openStore({ database: ${JSON.stringify(`file:${directory}`)}, limits: ${JSON.stringify(limits)}, logger })
        console.log(await opened.then(() => 'opened', String))`
      // Its end is that of all of its timers.
      const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
      expect((await child).stdout).toContain(`The database in ${directory} does not start: `)
    }))

  it.runIf(process.platform === 'linux')('is not called damaged when a process may open too few files', () =>
    inFolder(async (directory) => {
      await cp(whole, directory, { recursive: true })
      const index = new URL('../src/index.ts', import.meta.url).href
      const code = `
        const { openStore, silentLogger: logger } = await import(${JSON.stringify(index)})
        const opened = openStore({ database: ${JSON.stringify(`file:${directory}`)}, limits: ${JSON.stringify(limits)}, logger })
        console.log(await opened.then(() => 'opened', String))
        process.exit()`
      const { stdout } = await promisify(execFile)('sh', [
        '-c',
        'ulimit -n 40; exec "$0" --input-type=module -e "$1"',
        process.execPath,
        code,
      ])
      expect(stdout).toContain(`The database in ${directory} does not start: `)
      expect(stdout).toContain('Its files are not damaged: the process may open too few.')
      const store = await open(`file:${directory}`)
      expect(await store.query('select n from t')).toEqual([['42']])
      await store.close()
    }),
  )

  it('is made anew when its first start was cut off, without files of others', () =>
    inFolder(async (directory) => {
      await cp(whole, directory, { recursive: true })
      // The state while the folder is made: a part of its files, and the note.
      await rm(join(directory, 'global'), { recursive: true })
      await writeFile(join(directory, 'notes.txt'), 'mine')
      await writeFile(join(directory, 'octavo.unfinished'), JSON.stringify(['notes.txt']))
      const again = await open(`file:${directory}`)
      await again.query('create table t as select 42 as n')
      await again.close()
      expect(await readFile(join(directory, 'notes.txt'), 'utf8')).toBe('mine')
    }))

  it.runIf(process.platform === 'linux')('has 400 files open at most, whatever its number of tables', () =>
    inFolder(async (directory) => {
      await cp(whole, directory, { recursive: true })
      const store = await open(`file:${directory}`)
      const tables = 'from generate_series(1, 250) as i'
      await store.query(
        `do $$ begin execute (select string_agg(format('create table m%s (id int primary key)', i), ';') ${tables}); end $$`,
      )
      await store.query(
        `do $$ begin execute (select string_agg(format('insert into m%s values (1)', i), ';') ${tables}); end $$`,
      )
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
      )
      const ofFolder = links.filter((target) => target.startsWith(`${directory}/`))
      await store.close()
      expect(ofFolder.length).toBeGreaterThan(100)
      expect(ofFolder.length).toBeLessThanOrEqual(400)
    }),
  )

  it('refuses an unknown durability, and one for PostgreSQL', async () => {
    await expect(
      openStore({ database: 'memory://', limits, logger: silentLogger, durability: 'none' as never }),
    ).rejects.toThrow(`durability must be 'full' or 'relaxed'`)
    await expect(
      openStore({ database: 'postgres://localhost/x', limits, logger: silentLogger, durability: 'relaxed' }),
    ).rejects.toThrow('synchronous_commit')
  })
})

describe('S-31: names of prepared statements', () => {
  const held = async (one: Store): Promise<readonly string[]> =>
    (await one.query('select statement from pg_prepared_statements')).map(([text]) => String(text))
  const onServer = testEngine() === 'postgresql'
  let one: Store
  beforeAll(async () => {
    one = await open(database.url, 1)
  })
  afterAll(() => one.close())
  const run = async (text: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await one.execute({ text, values: [] })
  }

  it('are given at the third use', async () => {
    await run('select 1 as twice', 2)
    await run('select 1 as thrice', 3)
    expect(await held(one)).toEqual(onServer ? ['select 1 as thrice'] : [])
  })

  it('are not used up by a thousand different requests: old ones are deallocated', async () => {
    for (let i = 0; i < 1_040; i++) await run(`select ${i} as many`, 3)
    await run('select 1 as typical', 4)
    const names = await held(one)
    expect(names.length).toBeLessThanOrEqual(251)
    if (onServer) expect(names).toContain('select 1 as typical')
    expect(names).not.toContain('select 0 as many')
    if (onServer) expect(one.connections()).toMatchObject({ named: 250 })
    expect(await one.execute({ text: 'select 0 as many', values: [] })).toEqual([['0']])
  })

  it('are not given to long texts, and their total size is bounded per connection', async () => {
    const long = `select 1 as long /* ${'x'.repeat(20_000)} */`
    await run(long, 4)
    expect(await held(one)).not.toContain(long)
    for (let i = 0; i < 60; i++) await run(`select ${i} as wide /* ${'x'.repeat(15_000)} */`, 3)
    expect((await held(one)).join('').length).toBeLessThan(550_000)
  })

  it('are reused for a text whose name was evicted', async () => {
    await run('select 1 as thrice', 4)
    expect(await held(one)).toEqual(onServer ? expect.arrayContaining(['select 1 as thrice']) : [])
  })

  it.runIf(onServer)('a connection that ran 5,000 statements without a name is replaced', async () => {
    const pid = async () => (await one.query('select pg_backend_pid()'))[0]?.[0]
    const before = await pid()
    for (let i = 0; i < 5_001; i++) await one.execute({ text: `select ${i} as other`, values: [] })
    expect(await pid()).not.toBe(before)
    expect(one.connections()).toMatchObject({ recycled: 1, open: 1 })
  })
})

describe.runIf(testEngine() === 'postgresql')('S-29: a statement whose client has disconnected', () => {
  const slow = { text: 'select pg_sleep(600)', values: [] }
  const long = { statementTime: 900_000, connectionTime: 15_000, queueTime: 10_000 }
  const withStore = async (
    connections: number,
    work: (store: Store) => Promise<void>,
    limits: typeof long = long,
  ): Promise<void> => {
    const own = await openStore({ database: database.url, limits, logger: silentLogger, connections })
    try {
      await work(own)
    } finally {
      await own.close()
    }
  }
  const busy = async (): Promise<number> => {
    const [row] = await store.query(
      `select count(*) from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active' and datname = current_database()`,
    )
    return Number(row?.[0])
  }
  const until = async (count: number): Promise<void> => {
    while ((await busy()) !== count) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  it('is cancelled, and the next one on its connection is not', async () => {
    await withStore(1, async (one) => {
      for (let i = 0; i < 5; i++) {
        const client = new AbortController()
        const left = one.execute(slow, { signal: client.signal })
        const refused = expect(left).rejects.toMatchObject({ code: 'database/abandoned', status: 499 })
        await until(1)
        client.abort()
        const next = one.execute({ text: 'select 7 from pg_sleep(0.05)', values: [] })
        await refused
        expect(await next).toEqual([['7']])
        await until(0)
      }
      expect(one.connections()).toMatchObject({ cancelled: 5 })
    })
  })

  it('is never started when the client disconnected while it waited for a connection', async () => {
    await withStore(1, async (one) => {
      const [first, second] = [new AbortController(), new AbortController()]
      const running = expect(one.execute(slow, { signal: first.signal })).rejects.toMatchObject({
        status: 499,
      })
      await until(1)
      const waiting = expect(one.execute(slow, { signal: second.signal })).rejects.toMatchObject({
        status: 499,
      })
      second.abort()
      first.abort()
      await Promise.all([running, waiting])
      await until(0)
    })
  })

  it('waits for one of a few slots when it is heavy, while light ones run', async () => {
    await withStore(4, async (all) => {
      const client = new AbortController()
      const heavy = Array.from({ length: 8 }, () =>
        all.execute(slow, { signal: client.signal, heavy: true }).catch((error: unknown) => error),
      )
      await until(1)
      expect(all.connections()).toMatchObject({ heavyWaiting: 7 })
      expect(await all.execute({ text: 'select 1', values: [] })).toEqual([['1']])
      client.abort()
      for (const error of await Promise.all(heavy)) expect(error).toMatchObject({ status: 499 })
      await until(0)
    })
  })

  it('is refused when it is heavy and gets no slot in time', async () => {
    await withStore(
      4,
      async (all) => {
        const client = new AbortController()
        const first = all.execute(slow, { signal: client.signal, heavy: true }).catch(() => {})
        await until(1)
        await expect(all.execute(slow, { heavy: true })).rejects.toMatchObject({
          status: 503,
          code: 'database/overloaded',
        })
        client.abort()
        await first
      },
      // Also the time for a connection to open.
      { ...long, connectionTime: 2_000 },
    )
  })
})
