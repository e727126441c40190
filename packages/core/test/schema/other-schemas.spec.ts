/** A database that has other schemas, and users with few rights. */
import { randomUUID } from 'node:crypto'
import {
  type ContentTypeDefinition,
  createOctavo,
  type Logger,
  type Octavo,
  silentLogger,
} from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const text = { type: 'string' } as const
const note = (attributes: ContentTypeDefinition['attributes']): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    ...attributes,
    related: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
  },
})

// The embedded database has one user, and its address has no options.
describe.runIf(testEngine() === 'postgresql')('a database with other schemas', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  const start = (
    attributes: ContentTypeDefinition['attributes'],
    url = database.url,
    logger: Logger = silentLogger,
  ) => createOctavo({ contentTypes: [note(attributes)], database: url, logger })
  /** Starts, writes a note and closes. @returns all notes */
  const use = async (attributes: ContentTypeDefinition['attributes'], url?: string) => {
    const octavo = await start(attributes, url)
    try {
      await octavo.store.query('insert into notes default values')
      return (await octavo.store.query('select * from notes order by id')).length
    } finally {
      await octavo.close()
    }
  }
  const run = async (...statements: readonly string[]) => {
    const octavo = await createOctavo({ database: database.url })
    return runOn(octavo, statements)
  }
  const runOn = async (octavo: Pick<Octavo, 'store' | 'close'>, statements: readonly string[]) => {
    const rows: unknown[] = []
    for (const statement of statements) rows.push(...(await octavo.store.query(statement)))
    await octavo.close()
    return rows
  }
  const withPath = (path: string): string => {
    const url = new URL(database.url)
    url.searchParams.set('options', `-c search_path=${path}`)
    return url.href
  }

  it('leaves tables of the same names in another schema alone', async () => {
    await run('create schema archive', 'create table archive.notes (text integer)')
    await use({ text })
    await use({ text, more: text })
    await use({ text, more: text, other: { ...text, unique: true } })
    expect(
      await run(`select count(*) from information_schema.columns where table_schema = 'archive'`),
    ).toEqual([['1']])
  })

  it.each(['cms', 'cms,public'])(
    'has its tables in the first schema of the search path: %s',
    async (path) => {
      await run('create schema cms')
      // Another project, with the same definitions.
      await use({ text })
      const warnings: string[] = []
      const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) }
      await (await start({ text }, withPath(path), logger)).close()
      expect(warnings).toEqual(
        path === 'cms'
          ? []
          : [expect.stringContaining('The schema "cms" gets tables of its own, and "public"')],
      )
      await use({ text, more: { ...text, unique: true } }, withPath(path))
      await use({ words: { ...text, renamedFrom: 'text' }, year: { type: 'integer' } }, withPath(path))
      await use({ text })
      expect(await run('select count(*) from cms.notes', 'select count(*) from public.notes')).toEqual([
        ['2'],
        ['2'],
      ])
    },
  )

  it('says what a search path without a schema lacks', async () => {
    await expect(start({ text }, withPath('nowhere'))).rejects.toThrow('no schema of the search_path exists')
  })

  it('says which right its user lacks, and serves a user who may read and write rows only', async () => {
    const owner = await start({ text })
    const user = `u${randomUUID().replaceAll('-', '')}`
    await runOn(owner, [
      `create role ${user} login password 'secret'`,
      'revoke create on schema public from public',
      `grant select, insert, update, delete on all tables in schema public to ${user}`,
      `grant usage on all sequences in schema public to ${user}`,
    ])
    const url = new URL(database.url)
    url.username = user
    url.password = 'secret'
    await use({ text }, url.href)
    await expect(start({ text, more: text }, url.href)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/permission denied for schema public.*has the right "create"/),
    })
    await run(`drop owned by ${user}`, `drop role ${user}`)
  })
})
