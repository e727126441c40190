/** The log of a start that changes tables. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, createOctavo, silentLogger } from '@octavo/core'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// Each start of three compares tables, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let database: TestDatabase
let folder: string
let url: string
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-logged-changes-'))
  database = await createTestDatabase()
  // The embedded database of several starts is a folder.
  url = database.engine === 'pglite' ? `file:${folder}/database` : database.url
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

const note = (attributes: ContentTypeDefinition['attributes']): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes,
})

/** Starts and closes. @returns the lines of the log about changed tables */
async function changes(attributes: ContentTypeDefinition['attributes']): Promise<readonly unknown[]> {
  const lines: unknown[] = []
  const info = (fields: object, message: string) => {
    if ('statements' in fields) lines.push({ ...fields, message })
  }
  const octavo = await createOctavo({
    contentTypes: [note(attributes)],
    database: url,
    logger: { ...silentLogger, info },
  })
  await octavo.close()
  return lines
}

it('has the statements that changed the tables of a former start, and not those that made new ones', async () => {
  const text = { type: 'string' } as const
  expect(await changes({ text: { ...text, unique: true } })).toEqual([])
  expect(await changes({ text: { ...text, unique: true } })).toEqual([])
  expect(await changes({ text, pages: { type: 'integer' } })).toEqual([
    {
      message: 'The start changed the tables of the database',
      statements: [
        'alter table "notes" drop constraint "notes_text_unique"',
        'alter table "notes" add "pages" int4 null',
      ],
    },
  ])
})
