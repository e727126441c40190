import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createOctavo } from '@octavo/core'
import { octavoOptions } from '@octavo/server'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  copyFiles,
  importStrapi,
  type Outline,
  openSource,
  type Source,
  toDefinitions,
  verifyImport,
} from '../src/index.ts'
import { emptySite, fixture, type Site } from './fixture.ts'
import { pluginsOf } from './plugins.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let source: Source
let outline: Outline
let site: Site
beforeAll(async () => {
  source = await openSource(fixture('export.tar.gz'))
  outline = await source.outline()
  site = await emptySite(source)
  await importStrapi(site.server.octavo, source, outline)
})
afterAll(() => site.close())

const differing = async (): Promise<string[]> =>
  (await verifyImport(site.server.octavo, source, outline))
    .filter(({ agrees }) => !agrees)
    .map(({ uid }) => uid)

describe('The checksums of both sides', () => {
  it('agree after an import', async () => {
    expect(await differing()).toEqual([])
  })

  it('agree after a start that completes the users', async () => {
    await site.server.octavo.store.query(`update "up_users" set "username_look" = 'reader' where "id" = 1`)
    expect(await differing()).toEqual([])
  })

  it.each([
    [
      'one row is changed',
      `update "articles" set "title" = "title" || '.' where "id" = 4`,
      `update "articles" set "title" = left("title", -1) where "id" = 4`,
      ['api::article.article'],
    ],
    [
      'one time is later by a millisecond',
      `update "articles" set "updated_at" = "updated_at" + interval '1 millisecond' where "id" = 4`,
      `update "articles" set "updated_at" = "updated_at" - interval '1 millisecond' where "id" = 4`,
      ['api::article.article'],
    ],
    [
      'the order of one list is another',
      `update "articles_related_links" set "position" = -"position"`,
      `update "articles_related_links" set "position" = -"position"`,
      ['api::article.article'],
    ],
    [
      'one component is changed',
      `update "components_shared_keywords" set "word" = "word" || '.' where "id" = 3`,
      `update "components_shared_keywords" set "word" = left("word", -1) where "id" = 3`,
      ['api::article.article'],
    ],
    [
      'a file is in another place',
      `update "files_related" set "position" = -"position" where "field" = 'images'`,
      `update "files_related" set "position" = -"position" where "field" = 'images'`,
      ['blocks.gallery'],
    ],
    [
      'a user has another password',
      `update "up_users" set "password" = "password" || 'x' where "id" = 1`,
      `update "up_users" set "password" = left("password", -1) where "id" = 1`,
      ['plugin::users-permissions.user'],
    ],
  ])('disagree when %s', async (_, change, back, expected) => {
    const { store } = site.server.octavo
    const related = await site.server.octavo.registry
      .contentType('api::article.article')
      .attributes.get('related')
    const table = related?.kind === 'relation' && related.storage.kind === 'join' ? related.storage.table : ''
    const named = (sql: string): string => sql.replace('articles_related_links', table)
    await store.query(named(change))
    expect(await differing()).toEqual(expected)
    await store.query(named(back))
    expect(await differing()).toEqual([])
  })
})

describe('An import that is killed', () => {
  it('leaves an empty database for the next import', async () => {
    const made = await createTestDatabase()
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-killed-'))
    // A database in memory ends with its process.
    const database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
    try {
      const program = fileURLToPath(new URL('killed-import.ts', import.meta.url))
      const child = spawn(process.execPath, [program, database, fixture('export.tar.gz')], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      const [, signal] = await once(child, 'exit')
      expect(signal).toBe('SIGKILL')
      // Temporary files have values of the source, such as unique ones.
      expect((await readdir(folder)).filter((name) => name.startsWith('octavo-strapi-'))).toEqual([])
      const definitions = toDefinitions(outline.schemas)
      const octavo = await createOctavo(
        octavoOptions({
          contentTypes: definitions.contentTypes,
          components: definitions.components,
          plugins: pluginsOf(definitions, folder),
          database,
        }),
      )
      try {
        const counts = await octavo.store.query(
          'select (select count(*) from "articles") + (select count(*) from "files") + (select count(*) from "up_users")',
        )
        expect(Number(counts[0]?.[0])).toBe(0)
        expect((await importStrapi(octavo, source, outline)).entries).toBe(149)
      } finally {
        await octavo.close()
      }
    } finally {
      await made.drop()
      await rm(folder, { recursive: true })
    }
  })
})

describe('The files', () => {
  it('are copied with all formats, and an interrupted copy can be continued', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-files-'))
    try {
      expect(await copyFiles(source, folder)).toEqual({
        wanted: 25,
        copied: 25,
        there: 0,
        missing: [],
        missingCount: 0,
        // The sizes of the rows of this project are made up.
        shorter: expect.arrayContaining(['picture_1.png']),
        shorterCount: 25,
        elsewhere: 0,
      })
      expect(await readdir(folder)).toHaveLength(25)
      expect((await readFile(path.join(folder, 'picture_4.svg'), 'utf8')).startsWith('<svg')).toBe(true)
      await rm(path.join(folder, 'picture_1.png'))
      await truncate(path.join(folder, 'picture_2.png'), 10)
      expect(await copyFiles(source, folder)).toMatchObject({ copied: 2, there: 23 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are copied by two imports at once, into the same folder', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-files-'))
    try {
      await Promise.all([copyFiles(source, folder), copyFiles(source, folder)])
      expect(await copyFiles(source, folder)).toMatchObject({ copied: 0, there: 25 })
      expect(await readdir(folder)).toHaveLength(25)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('are not there in part when one cannot be copied, on a full disk for example', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-files-'))
    async function* half(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(10)
      throw new Error('no space is left')
    }
    const broken: Pick<Source, 'entities' | 'files'> = {
      entities: () => source.entities(),
      async *files() {
        yield { name: 'picture_1.png', size: 20, open: () => Readable.from(half()) }
      },
    }
    await expect(copyFiles(broken as Source, folder)).rejects.toThrow('no space is left')
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })
})
