import type { ClientBase } from 'pg'
import { expect, it } from 'vitest'
import { Pooler } from './pooler.ts'

/** A connection through a pooler that does not keep track of names. */
function pooledClient(failing: () => boolean): ClientBase {
  const query = async (statement: string | { readonly text: string }) => {
    if (typeof statement === 'string' && statement.includes('pg_backend_pid')) return { rows: [{ pid: 2 }] }
    if (typeof statement === 'string' && statement.includes('pg_prepared_statements')) return { rows: [{}] }
    if (failing()) throw new Error('Connection terminated unexpectedly')
    return { rows: [] }
  }
  const submit = (query: { handleReadyForQuery: () => void }): void => query.handleReadyForQuery()
  return {
    processID: 1,
    query: (given: object | string) =>
      typeof given === 'object' && 'submit' in given ? submit(given as never) : query(given as never),
  } as never
}

it('A failed look at a pooler is repeated for the next connection', async () => {
  const pooler = new Pooler(undefined)
  let isAway = true
  await expect(pooler.accepts(pooledClient(() => isAway))).rejects.toThrow('terminated')
  isAway = false
  const client = pooledClient(() => isAway)
  expect(await pooler.accepts(client)).toBe(true)
  expect(pooler.mayName(client)).toBe(false)
})
