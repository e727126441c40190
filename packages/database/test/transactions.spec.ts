import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'
import { type Sql, sql } from '../src/sql/sql.ts'
import type { BatchedTransaction, Row, Store } from '../src/store/store.ts'

const limits = { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 }

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  // One connection, so that each transaction finds what the one before prepared on it.
  store = await openStore({ database: database.url, limits, logger: silentLogger, connections: 1 })
  await store.query('create table notes (id int primary key, body text)')
  await store.query(
    'create table parts (id int primary key, note int references notes deferrable initially deferred)',
  )
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})
beforeEach(async () => {
  await store.query('truncate notes, parts')
})

/** The warnings of this process: Node.js emits that of a deprecation once. */
const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

const note = (id: number, body = 'text'): Sql => sql`insert into notes values (${id}, ${body})`
const ids = async (): Promise<readonly number[]> =>
  (await store.query('select id from notes order by id')).map(([id]) => Number(id))
/** Sends a statement with those before it, and commits. */
async function commitWith(tx: BatchedTransaction, statement: Sql): Promise<readonly Row[]> {
  const rows: Row[] = []
  tx.send(statement, (row) => rows.push(row))
  await tx.commitSent()
  return rows
}
const last = (id: number): Sql => sql`select count(*) from notes where id > ${id}`

describe('the statements of a transaction', () => {
  it('of `send` run before the next one, in their order', async () => {
    const rows = await store.transaction(async (tx) => {
      tx.send(note(1, 'a'))
      tx.send(sql`update notes set body = body || ${'b'} where id = ${1}`)
      return tx.run(sql`select body from notes where id = ${1}`)
    })
    expect(rows).toEqual([{ body: 'ab' }])
  })

  it('of `send` run before the commit, and before a statement without values', async () => {
    await store.transaction(async (tx) => tx.send(note(1)))
    await store.transaction(async (tx) => {
      tx.send(note(2))
      expect(await tx.query('select id from notes order by 1')).toEqual([['1'], ['2']])
      tx.send(note(3))
      await tx.flush()
      tx.send(note(4))
    })
    expect(await ids()).toEqual([1, 2, 3, 4])
  })

  it('that failed undo the transaction, which is an error also when theirs was ignored', async () => {
    const ignored = store.transaction(async (tx) => {
      await tx.run(note(1))
      await tx.run(note(1)).catch(() => {})
    })
    await expect(ignored).rejects.toThrow('its error was ignored, so nothing was written')
    expect(await ids()).toEqual([])
  })

  it('that failed after a savepoint are undone alone', async () => {
    await store.transaction(async (tx) => {
      await tx.run(note(1))
      await tx.query('savepoint attempt')
      await tx.run(note(1)).catch(() => tx.query('rollback to attempt'))
    })
    expect(await ids()).toEqual([1])
  })

  it('that are started together run in their order', async () => {
    const found = await store.transaction((tx) =>
      Promise.all([
        tx.run(sql`insert into notes values (${1}, 'a') returning id`),
        tx.run(sql`select count(*) as n from notes where id < ${9}`),
        tx.query('select id from notes'),
        tx.run(sql`insert into notes values (${2}, 'b') returning id, body`),
      ]),
    )
    expect(found).toEqual([[{ id: '1' }], [{ n: '1' }], [['1']], [{ id: '2', body: 'b' }]])
  })

  it('that are started together run one at a time: pg 9 refuses others', async () => {
    const failed = store.transaction((tx) => Promise.all([1, 2, 3, 1, 4, 5].map((id) => tx.run(note(id)))))
    await expect(failed).rejects.toMatchObject({ code: '23505' })
    expect(await ids()).toEqual([])
    const texts = [...'abcdef'].map((name) => `select '${name}'`)
    const found = await store.transaction((tx) => Promise.all(texts.map((text) => tx.query(text))))
    expect(found.flat(2).join('')).toBe('abcdef')
    await nextTurn() // in which warnings are emitted
    expect(warnings).toEqual([])
  })

  it('that are started together are prepared under as many names as others', async () => {
    const shapes = Array.from({ length: 300 }, (_, i) => `select $1::int4 as "n${i}"`)
    for (let i = 0; i < 3; i++)
      await store.transaction((tx) => Promise.all(shapes.map((text) => tx.query(text, [i]))))
    await store.transaction((tx) => tx.query('select $1::int4', [1]))
    const [row] = await store.query(`select count(*) from pg_prepared_statements where name like 'octavo_%'`)
    expect(Number(row?.[0])).toBeLessThanOrEqual(252) // `begin` and `commit` besides
  }, 120_000)

  it.each([1, 2, 3, 4, 5])(
    'are undone when one of `send` fails, and the connection goes on (%i)',
    async () => {
      const failed = store.transaction(async (tx) => {
        tx.send(note(1))
        tx.send(note(1))
        tx.send(sql`insert into notes select ${2}::int4, ${'never prepared'}`)
        await tx.run(sql`select id from notes where id = ${1}`)
      })
      await expect(failed).rejects.toMatchObject({ code: '23505' })
      const atCommit = store.transaction(async (tx) => {
        tx.send(note(3))
        tx.send(sql`insert into nowhere values (${1})`)
      })
      await expect(atCommit).rejects.toMatchObject({ code: '42P01' })
      expect(await ids()).toEqual([])
      await store.transaction(async (tx) =>
        tx.send(sql`insert into notes select ${2}::int4, ${'never prepared'}`),
      )
      expect(await ids()).toEqual([2])
    },
  )

  it('are undone when the work throws, those of `send` too', async () => {
    const failed = store.transaction(async (tx) => {
      await tx.run(note(1))
      tx.send(note(2))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    const unused = store.transaction(async () => {
      throw new Error('never')
    })
    await expect(unused).rejects.toThrow('never')
    expect(await ids()).toEqual([])
  })

  it('see one time, that of the transaction', async () => {
    const times = await store.transaction(async (tx) => {
      const [first] = await tx.run(sql`select now() as now, ${1}::int4 as x`)
      const [second] = await tx.run(sql`select now() as now, ${2}::int4 as x`)
      return [first?.now, second?.now]
    })
    expect(times[0]).toBe(times[1])
  })
})

describe('a statement after the end of its transaction', () => {
  const late: Readonly<Record<string, (tx: BatchedTransaction) => Promise<unknown>>> = {
    run: (tx) => tx.run(note(7)),
    query: (tx) => tx.query(`insert into notes values (7, 'late')`),
    send: async (tx) => tx.send(note(7)),
    flush: (tx) => tx.flush(),
    commitSent: (tx) => commitWith(tx, note(7)),
  }
  const ends: Readonly<Record<string, (tx: BatchedTransaction) => Promise<unknown>>> = {
    'was committed': (tx) => tx.run(note(1)),
    'was undone': async (tx) => {
      await tx.run(note(1))
      throw new Error('no')
    },
    'ran no statement': async () => {},
  }
  it.each(
    Object.entries(ends).flatMap(([end, work]) =>
      Object.entries(late).map(([name, statement]) => ({ end, work, name, statement })),
    ),
  )('that $end is refused ($name): the connection belongs to others', async ({ work, statement }) => {
    let ended: BatchedTransaction | undefined
    await store
      .transaction((tx) => {
        ended = tx
        return work(tx)
      })
      .catch(() => {})
    const before = await ids()
    await expect(ended && statement(ended)).rejects.toThrow('the transaction has ended')
    expect(await ids()).toEqual(before)
  })
})

describe('commitSent', () => {
  it.each([1, 2, 3, 4])('passes on the rows of the last statement and commits (%i)', async () => {
    const rows = await store.transaction(async (tx) => {
      tx.send(note(1))
      await tx.run(note(2))
      tx.send(note(3))
      return commitWith(tx, last(1))
    })
    expect(rows).toEqual([['2']])
    expect(await ids()).toEqual([1, 2, 3])
  })

  it('may be the only statement, and others may follow on their own', async () => {
    const rows = await store.transaction(async (tx) => {
      const first = await commitWith(tx, last(0))
      return [...first, ...(await tx.query('select count(*) from notes where id > $1', [7]))]
    })
    expect(rows).toEqual([['0'], ['0']])
  })

  it('commits nothing when its statement, an earlier one or the commit fails', async () => {
    const fails: readonly (readonly [string, Parameters<Store['transaction']>[0]])[] = [
      [
        '22012',
        async (tx) => {
          tx.send(note(1))
          await commitWith(tx, sql`select 1 / ${0}::int4`)
        },
      ],
      [
        '23505',
        async (tx) => {
          tx.send(note(1))
          tx.send(note(1))
          await commitWith(tx, last(0))
        },
      ],
      [
        '23503',
        async (tx) => {
          tx.send(note(1))
          tx.send(sql`insert into parts values (${1}, ${99})`)
          await commitWith(tx, last(0))
        },
      ],
    ]
    for (const [code, work] of fails) {
      await expect(store.transaction(work)).rejects.toMatchObject({ code })
      expect(await ids()).toEqual([])
    }
    await store.transaction(async (tx) => tx.send(note(5)))
    expect(await ids()).toEqual([5])
  })
})

describe('the time of a transaction between two statements', () => {
  let own: TestDatabase
  let impatient: Store
  beforeAll(async () => {
    own = await createTestDatabase()
    const brief = { ...limits, transactionTime: 50 }
    impatient = await openStore({ database: own.url, limits: brief, logger: silentLogger, connections: 1 })
    await impatient.query('create table notes (id int primary key, body text)')
  })
  afterAll(async () => {
    await impatient?.close()
    await own?.drop()
  })
  const count = async (): Promise<unknown> => (await impatient.query('select count(*) from notes'))[0]?.[0]

  it('is limited: longer work is undone, and its later statements are refused', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const later: unknown[] = []
    const hanging = impatient.transaction(async (tx) => {
      await tx.run(note(1))
      await promise
      await tx.run(note(2)).catch((error: unknown) => later.push(error))
    })
    await expect(hanging).rejects.toMatchObject({ status: 503, code: 'database/idle-transaction' })
    expect(await count()).toBe('0')
    resolve()
    await nextTurn()
    expect(later).toEqual([expect.objectContaining({ message: expect.stringContaining('has ended') })])
  })

  it('has no limit that the transaction has lifted', async () => {
    await impatient.transaction(async (tx) => {
      await tx.liftTimeLimits()
      await setTimeout(200)
      await tx.run(note(1))
    })
    expect(await count()).toBe('1')
  })
})
