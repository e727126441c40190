/** Creates that fail at their commit, among others that are sent in the same message. */
import { createOctavo, defineContentType, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
})

// The embedded database runs one transaction after the other.
describe.skipIf(testEngine() === 'pglite')('a deferred trigger of the database that refuses a row', () => {
  let database: TestDatabase
  let octavo: Octavo
  beforeAll(async () => {
    database = await createTestDatabase()
    octavo = await createOctavo({ contentTypes: [note], database: database.url })
    await octavo.store.query(
      `create function refuse() returns trigger language plpgsql as $$ begin if new.text like 'bad%' then raise exception 'refused' using errcode = 'P0001'; end if; return null; end $$`,
    )
    await octavo.store.query(
      'create constraint trigger refuse after insert on notes deferrable initially deferred for each row execute function refuse()',
    )
  })
  afterAll(async () => {
    await octavo.close()
    await database.drop()
  })

  const create = (text: string): Promise<string> =>
    octavo
      .entries('note')
      .create({ text })
      .then(
        () => 'created',
        (error: Error & { readonly code?: string }) => error.code ?? error.message,
      )

  it('fails its own create, and none of its neighbours', async () => {
    // Writes are sent together once it is known how long they take.
    for (let i = 0; i < 20; i++) await create(`first ${i}`)
    for (let round = 0; round < 5; round++) {
      const texts = Array.from({ length: 40 }, (_, i) => `${i % 10 === 3 ? 'bad' : 'good'} ${round} ${i}`)
      const outcomes = await Promise.all(texts.map(create))
      expect(outcomes).toEqual(texts.map((text) => (text.startsWith('bad') ? 'entry/invalid' : 'created')))
    }
    const counts = await octavo.store.query(
      `select count(*), count(distinct text) from notes where text like 'good%' or text like 'bad%'`,
    )
    expect(counts).toEqual([['180', '180']])
  })
})
