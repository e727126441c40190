/** A process that was killed may leave a statement that goes on for minutes: a command that waits for its lock says so. */
import { type ContentTypeDefinition, createOctavo, importData, type Logger, silentLogger } from '@octavo/core'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { describe, expect, it, vi } from 'vitest'

const typeOf = (attributes: ContentTypeDefinition['attributes']): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes,
})
const note = (attributes: ContentTypeDefinition['attributes']) =>
  typeOf({ text: { type: 'string' }, ...attributes })

const waiting = { timeout: 20_000 }

/** The embedded database belongs to one process. */
describe.runIf(testEngine() === 'postgresql')('While another process changes the database', () => {
  it('a start and an import that wait for it say so', async () => {
    const database = await createTestDatabase()
    const lines: string[] = []
    const logger: Logger = { ...silentLogger, info: (_fields, message) => void lines.push(String(message)) }
    const first = await createOctavo({ contentTypes: [note({})], database: database.url, logger })
    expect(lines).toEqual([])

    const { started } = await first.store.transaction(async (tx) => {
      await tx.lock('schema')
      const starting = createOctavo({
        contentTypes: [note({ year: { type: 'integer' } })],
        database: database.url,
        logger,
      })
      await vi.waitFor(
        () => expect(lines).toContainEqual(expect.stringContaining('The start waits')),
        waiting,
      )
      return { started: starting }
    })
    await (await started).close()

    const { imported } = await first.store.transaction(async (tx) => {
      await tx.lock('import')
      const importing = importData(first, { entries: { 'api::note.note': [{ id: 1, text: 'a' }] } })
      await vi.waitFor(
        () => expect(lines).toContainEqual(expect.stringContaining('The import waits')),
        waiting,
      )
      return { imported: importing }
    })
    expect((await imported).entries).toBe(1)
    await first.close()
    await database.drop()
  })

  it.each([
    ['an attribute is added', { text: { type: 'string' }, year: { type: 'integer' } }],
    ['an attribute is renamed', { words: { type: 'string', renamedFrom: 'text' } }],
  ] as const)('requests go on while a start waits for a long transaction: %s', async (_, attributes) => {
    const database = await createTestDatabase()
    const lines: string[] = []
    const logger: Logger = { ...silentLogger, info: (_fields, message) => void lines.push(String(message)) }
    const first = await createOctavo({ contentTypes: [note({})], database: database.url })
    const readers = await createOctavo({ contentTypes: [note({})], database: database.url })
    // As a backup does.
    const { started } = await first.store.transaction(async (tx) => {
      await tx.query('select * from notes')
      const starting = createOctavo({ contentTypes: [typeOf(attributes)], database: database.url, logger })
      await vi.waitFor(
        () => expect(lines).toContainEqual(expect.stringContaining('The start waits for transactions')),
        waiting,
      )
      await readers.entries('note').create({ text: 'a' })
      expect((await readers.entries('note').find()).data).toHaveLength(1)
      return { started: starting }
    })
    const later = await started
    expect(await later.store.query('select * from notes')).toHaveLength(1)
    for (const octavo of [first, readers, later]) await octavo.close()
    await database.drop()
  })
})
