/** An attribute of a full-text search is renamed, on a table in use. */
import { type ContentTypeDefinition, createOctavo, type Octavo } from '@octavo/core'
import { openStore, type Store, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultLimits } from '../../src/limits.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

type Attributes = ContentTypeDefinition['attributes']

describe.skipIf(testEngine() === 'pglite')('the new name of an attribute of a full-text search', () => {
  let database: TestDatabase
  let store: Store
  let running: Octavo[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
    store = await openStore({ database: database.url, limits: defaultLimits, logger: silentLogger })
  })
  afterEach(async () => {
    for (const octavo of running) await octavo.close()
    running = []
    await store.close()
    await database.drop()
  })

  const start = async (attributes: Attributes, searched?: string): Promise<Octavo> => {
    const book: ContentTypeDefinition = {
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes,
      ...(searched && {
        options: { search: { mode: 'fulltext', language: 'simple', attributes: [searched] } },
      }),
    }
    const octavo = await createOctavo({ contentTypes: [book], database: database.url })
    running.push(octavo)
    return octavo
  }
  const title = { title: { type: 'string' } } as const

  it.each([
    ['at once', false],
    ['once the former version has ended', true],
  ])(
    'is written while no process makes the index, when the former name goes %s',
    async (_when, isRunning) => {
      const without = await start(title)
      const { id } = await without.entries('book').create({ title: 'sun' })
      await without.close()
      const former = await start(title, 'title')
      const note = async () =>
        String(await store.query(`select value from octavo_schema where key = 'words:books'`))
      await expect.poll(note, { timeout: 20_000 }).toContain('"title"')
      if (!isRunning) await former.close()

      // As another process does that makes the index of a large table.
      await store.session(async (run) => {
        await run(`select pg_advisory_lock(hashtext('octavo search'))`)
        const octavo = await start({ name: { type: 'string', renamedFrom: 'title' } }, 'name')
        await former.close()
        // As if a minute had passed, in which a process may start again.
        await store.query(`update octavo_processes set at = at - interval '2 minutes' where ended`)
        const columns = async () =>
          (
            await store.query(`select column_name from information_schema.columns where table_name = 'books'`)
          ).flat()
        await expect.poll(columns, { timeout: 20_000 }).not.toContain('title')
        // On a connection that has not written to the table before.
        await store.query(`update books set name = 'star'`)
        const books = octavo.entries('book')
        await books.update(id, { name: 'moon' })
        expect((await books.find({ _q: 'sun' })).pagination.total).toBe(0)
        expect((await books.find({ _q: 'moon' })).pagination.total).toBe(1)
      })
    },
  )
})
