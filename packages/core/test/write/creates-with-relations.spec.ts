/** Creates that are sent together, as far as content-types matter; packages/database tests their messages. */
import { createOctavo, defineContentType, unrestricted } from '@octavo/core'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { it } from 'vitest'

it.runIf(testEngine() === 'postgresql')(
  'S-39: a create goes on while the row that only another one names is locked',
  async () => {
    const named = (singularName: string, attributes: object = {}) =>
      defineContentType({
        kind: 'collectionType',
        info: { singularName, pluralName: `${singularName}s` },
        attributes: { name: { type: 'string' }, ...attributes },
      })
    const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }
    const own = await createTestDatabase()
    const octavo = await createOctavo({
      contentTypes: [named('author'), named('page', { author })],
      database: own.url,
      // Nothing ends the wait for the lock but its end.
      limits: { statementTime: 300_000, transactionTime: 300_000 },
    })
    const state = unrestricted('writes pages')
    const authors = octavo.entries('author', state)
    const ids = [(await authors.create({ name: 'A' })).id, (await authors.create({ name: 'B' })).id]
    const pages = octavo.entries('page', state)
    const create = (of: number | undefined) => pages.create({ name: 'page', author: of })
    // Until its time is known, and connections are open.
    for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 8 }, () => create(ids[1])))
    const [taken, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locked = octavo.store.transaction(async (tx) => {
      await tx.query(`select 1 from authors where id = ${ids[0]} for update`)
      taken.resolve()
      await unlocked.promise
    })
    await taken.promise
    const blocked = create(ids[0])
    await Promise.all(Array.from({ length: 7 }, () => create(ids[1])))
    unlocked.resolve()
    await Promise.all([locked, blocked])
    await octavo.close()
    await own.drop()
  },
)
