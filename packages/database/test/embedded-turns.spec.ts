import { expect, it } from 'vitest'
import { chargedTo, chargeTo, openStore, type Store, silentLogger } from '../src/index.ts'

const limits = { statementTime: 60_000, connectionTime: 60_000, queueTime: 60_000 }

/**
 * Takes some milliseconds on any machine. Callers who differ by fractions of one take turns by arrival, so one `select 1` does not always make a
 * difference.
 */
const longStatement = 'select count(*) from generate_series(1, 50000)'

/** Takes the connection. @returns a function that gives it back */
async function hold(store: Store): Promise<() => Promise<void>> {
  const [taken, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = store.transaction(async (tx) => {
    await tx.query('select 1')
    taken.resolve()
    await freed.promise
  })
  await taken.promise
  return () => {
    freed.resolve()
    return holding
  }
}

/** Holds the connection, starts the work of each caller in turn, and returns the callers in the order in which it ends. */
async function inTurn(store: Store, callers: readonly string[], run: (caller: string) => Promise<unknown>) {
  const order: string[] = []
  const free = await hold(store)
  const all = callers.map(async (caller) => {
    await run(caller)
    order.push(caller)
  })
  await Promise.all([free(), ...all])
  return order
}

it('S-38: the embedded database runs first the statements of who has used the least time', async () => {
  const store = await openStore({ database: 'memory://', limits, logger: silentLogger })
  const read = (caller: string, text = 'select 1') => store.execute({ text, values: [] }, { caller })
  await read('user 1', longStatement)
  const order = await inTurn(store, ['user 1', 'user 1', 'user 2'], (caller) => read(caller))
  expect(order).toEqual(['user 2', 'user 1', 'user 1'])
  await store.close()
})

it('S-38: statements that name no caller are charged to the one whom they run for, others to the server', async () => {
  const store = await openStore({ database: 'memory://', limits, logger: silentLogger })
  const statements: readonly (() => Promise<unknown>)[] = [
    () => store.query(longStatement),
    () => store.execute({ text: longStatement, values: [] }),
    () => store.transaction((tx) => tx.query(longStatement)),
  ]
  for (const [number, statement] of statements.entries()) {
    const run = (caller: string) =>
      caller === 'server'
        ? chargedTo(undefined, statement)
        : chargedTo('address', async () => {
            await Promise.resolve()
            chargeTo(caller)
            return statement()
          })
    // Callers of its own for each way, so that no time depends on how long the statements before it took.
    const [known, unknown] = [`known ${number}`, `unknown ${number}`]
    await run(known)
    const order = await inTurn(store, [known, unknown, 'server'], run)
    expect(order).toEqual(['server', unknown, known])
  }
  await store.close()
})

it('S-38: the embedded database refuses callers who would wait too long, and never the server itself', async () => {
  const store = await openStore({
    database: 'memory://',
    limits: { ...limits, queueTime: 0.001 },
    logger: silentLogger,
  })
  const free = await hold(store)
  const own = Array.from({ length: 200 }, () => store.query('select 1'))
  const codes = Array.from({ length: 200 }, () =>
    store.execute({ text: 'select 1', values: [] }, { caller: 'user 1' }).then(
      () => 'answered',
      (error: unknown) => (error as { readonly code: string }).code, // an error of the store
    ),
  )
  expect(new Set(await Promise.all(codes))).toEqual(new Set(['database/queue-full']))
  await Promise.all([free(), ...own])
  await store.close()
})

it('the embedded database leaves the process its rounds during a transaction of many statements', async () => {
  const store = await openStore({ database: 'memory://', limits, logger: silentLogger })
  let rounds = 0
  const timer = setInterval(() => rounds++, 1)
  const during = await store.transaction(async (tx) => {
    for (let i = 0; i < 30; i++) await tx.query(longStatement)
    return rounds
  })
  clearInterval(timer)
  expect(during).toBeGreaterThan(1)
  await store.close()
})
