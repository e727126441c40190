import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../src/logger.ts'
import { openStore } from '../src/open-store.ts'
import type { Store } from '../src/store/store.ts'

const limits = { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 }

let database: TestDatabase
let store: Store
/** Of another process; the embedded database is open in one. */
let other: Store
beforeAll(async () => {
  database = await createTestDatabase()
  const open = () => openStore({ database: database.url, limits, logger: silentLogger, connections: 1 })
  store = await open()
  other = testEngine() === 'pglite' ? store : await open()
})
afterAll(async () => {
  await other?.close()
  await store?.close()
  await database?.drop()
})

/** Work that has begun, and ends when it is let go. */
function begin(at: Store, name: string) {
  const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = at.alone(name, async () => {
    begun.resolve()
    await goesOn.promise
  })
  return { begun: begun.promise, done, letGo: goesOn.resolve }
}

describe('work of a name', () => {
  it('waits for other work of it, in both processes, and not for that of another name', async () => {
    const first = begin(store, 'a')
    await first.begun
    const order: string[] = []
    const next = [store, other].map((at, i) => at.alone('a', async () => void order.push(`next ${i}`)))
    await other.alone('b', async () => void order.push('b'))
    // With one connection in the pool: the work holds no transaction.
    await store.transaction((tx) => tx.query('select 1'))
    expect(order).toEqual(['b'])
    first.letGo()
    await Promise.all([first.done, ...next])
    expect(order.toSorted()).toEqual(['b', 'next 0', 'next 1'])
  })

  it('has the work of its name that it runs itself as a part, until it ends', async () => {
    let left: Promise<void> | undefined
    const goesOn = Promise.withResolvers<void>()
    const order: string[] = []
    await store.alone('a', async () => {
      await store.alone('a', async () => void order.push('part'))
      left = goesOn.promise.then(() => store.alone('a', async () => void order.push('left behind')))
    })
    const later = begin(store, 'a')
    await later.begun
    goesOn.resolve()
    await store.ping()
    order.push('later')
    later.letGo()
    await left
    expect(order).toEqual(['part', 'later', 'left behind'])
  })

  it('has work of other names as a part too, while as much runs as may run at once', async () => {
    const all = Array.from({ length: 6 }, (_, i) => `around ${i}`)
    const begun: string[] = []
    const many = Promise.withResolvers<void>()
    await Promise.all(
      all.map((name) =>
        store.alone(name, async () => {
          if (begun.push(name) === 4) many.resolve()
          await many.promise
          await store.alone(`inside ${name}`, async () => {})
        }),
      ),
    )
    expect(begun.toSorted()).toEqual(all)
  })

  it('lets the next begin when it fails', async () => {
    const failing = store.alone('a', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await other.alone('a', async () => 'done')).toBe('done')
  })

  it.skipIf(testEngine() === 'pglite')('lets the next begin when its process has ended', async () => {
    const first = begin(store, 'a')
    await first.begun
    const next = other.alone('a', async () => 'done')
    const own = '(select oid from pg_database where datname = current_database())'
    const holders = `pg_locks where locktype = 'advisory' and granted and database = ${own}`
    await other.query(`select pg_terminate_backend(pid) from ${holders}`)
    expect(await next).toBe('done')
    first.letGo()
    await first.done
  })

  it('of many names runs, a few at once', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `many ${i}`)
    let [running, most] = [0, 0]
    await Promise.all(
      names.map((name) =>
        store.alone(name, async () => {
          running += 1
          most = Math.max(most, running)
          await store.ping()
          running -= 1
        }),
      ),
    )
    expect(most).toBeLessThanOrEqual(4)
  })
})
