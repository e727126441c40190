import { expect, it } from 'vitest'
import { openStore, silentLogger } from '../src/index.ts'

it('S-38: the embedded database runs first the statements of who has used the least time', async () => {
  const limits = { statementTime: 60_000, connectionTime: 60_000, queueTime: 60_000 }
  const store = await openStore({ database: 'memory://', limits, logger: silentLogger })
  const order: string[] = []
  const read = async (caller: string): Promise<void> => {
    await store.execute({ text: 'select 1', values: [] }, { caller })
    order.push(caller)
  }
  await read('user 1')
  const [taken, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = store.transaction(async (tx) => {
    await tx.query('select 1')
    taken.resolve()
    await freed.promise
  })
  await taken.promise
  const reads = ['user 1', 'user 1', 'user 2'].map(read)
  freed.resolve()
  await Promise.all([holding, ...reads])
  expect(order).toEqual(['user 1', 'user 2', 'user 1', 'user 1'])
  await store.close()
})
