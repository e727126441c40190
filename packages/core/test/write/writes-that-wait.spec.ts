/** Writes that are sent together, as far as content-types matter; packages/database tests their messages. */
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'

const named = (singularName: string, attributes: object = {}) =>
  defineContentType({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    attributes: { name: { type: 'string' }, ...attributes },
  })
const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }
const state = unrestricted('writes pages')

describe.runIf(testEngine() === 'postgresql')('S-39: a write of one turn', () => {
  let own: TestDatabase
  let octavo: Octavo
  let authors: readonly number[]
  let pages: readonly number[]
  const create = async (of: number) =>
    (await octavo.entries('page', state).create({ name: 'page', author: of })).id
  const update = (id: number) => octavo.entries('page', state).update(id, { name: 'changed' })

  beforeAll(async () => {
    own = await createTestDatabase()
    octavo = await createOctavo({
      contentTypes: [named('author'), named('page', { author })],
      database: own.url,
      // Nothing ends the wait for the lock but its end.
      limits: { statementTime: 300_000, transactionTime: 300_000 },
    })
    const entries = octavo.entries('author', state)
    authors = [(await entries.create({ name: 'A' })).id, (await entries.create({ name: 'B' })).id]
    // Until the time of a create and of an update is known, and connections are open.
    for (let i = 0; i < 3; i++)
      pages = await Promise.all(Array.from({ length: 8 }, () => create(authors[1] as number)))
    for (let i = 0; i < 3; i++) await Promise.all(pages.map(update))
  })
  afterAll(async () => {
    await octavo?.close()
    await own?.drop()
  })

  /** Locks a row for as long as `others` take. `blocked` waits for it. */
  async function whileLocked(
    table: string,
    id: number,
    blocked: () => Promise<unknown>,
    others: () => readonly Promise<unknown>[],
  ): Promise<void> {
    const [taken, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locked = octavo.store.transaction(async (tx) => {
      await tx.query(`select 1 from ${table} where id = ${id} for update`)
      taken.resolve()
      await unlocked.promise
    })
    await taken.promise
    const waiting = blocked()
    await Promise.all(others())
    unlocked.resolve()
    await Promise.all([locked, waiting])
  }

  it('goes on while the row that only another create names is locked', async () => {
    const [locked, free] = authors as [number, number]
    await whileLocked(
      'authors',
      locked,
      () => create(locked),
      () => Array.from({ length: 7 }, () => create(free)),
    )
  })

  it('goes on while the entry that another update writes is locked', async () => {
    const [locked, ...free] = pages as [number, ...number[]]
    await whileLocked(
      'pages',
      locked,
      () => update(locked),
      () => free.map(update),
    )
  })
})
