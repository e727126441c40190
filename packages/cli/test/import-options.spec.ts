import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  type CopiedFiles,
  contentFiles,
  copyFiles,
  openSource,
  toDefinitions,
  userSchemaPath,
} from '@octavo/import-strapi'
import { createTestDatabase, type DumpDatabase, restoreDump, serverUrl, testEngine } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeAllWhole } from '../src/write-whole.ts'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../import-strapi/test/fixture/${name}`, import.meta.url))

interface Report {
  readonly entries: number
  readonly comparisons: readonly { readonly uid: string; readonly agrees: boolean }[]
  readonly files: CopiedFiles
  readonly plan: { readonly leftBehind: object; readonly notes: readonly string[] }
}

/** A new folder and a new database for each import. */
let folder: string
let database: string
let drop: () => Promise<void>
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-options-'))
  const made = await createTestDatabase()
  drop = made.drop
  database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
})
afterEach(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]) =>
  command(folder, ['import', 'strapi', ...args, '--database', database])

async function imported(...args: readonly string[]): Promise<Report> {
  const { code, out, err } = await run(...args, '--json')
  expect(err).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out)
}

describe('octavo import strapi, from an archive', () => {
  it('says how its definitions are mended when they are wrong', async () => {
    const archive = path.join(folder, 'wrong.tar')
    const tar = gunzipSync(await readFile(fixture('export.tar.gz'))).toString('latin1')
    // Of the same length, so that the tar remains one.
    const wrong = tar.replace(/("attributes":\{"title":\{)"type":"string"/, '$1"type":"strnig"')
    expect(wrong).not.toBe(tar)
    await writeFile(archive, Buffer.from(wrong, 'latin1'))
    const { code, err } = await run(archive)
    expect([code, err]).toEqual([
      1,
      `octavo: A mistake in the content-types:
  the schema of api::article.article: attributes.title.type: there is no attribute type "strnig"; did you mean "string"?
The content-types are those of ${archive}. Mend the project and export it again, or give its mended files with --content ../old.
`,
    ])
    expect(await readdir(folder)).toEqual(['wrong.tar'])
  })

  it('decrypts it with --key, and reports figures of both sides with --json', async () => {
    const report = await imported(fixture('export.tar.gz.enc'), '--key', 'a key of the fixture')
    expect(report).toMatchObject({ entries: 149, files: { wanted: 25, copied: 25, there: 0, missing: [] } })
    expect(report.comparisons.length).toBeGreaterThan(8)
    expect(report.comparisons.filter(({ agrees }) => !agrees)).toEqual([])
  })

  it('writes a configuration that names the extensions of --content', async () => {
    const { schemas } = await (await openSource(fixture('export.tar.gz'))).outline()
    const extension = { path: userSchemaPath, text: '{ "attributes": { "city": { "type": "string" } } }' }
    await writeAllWhole(path.join(folder, 'old'), [...contentFiles(toDefinitions(schemas)), extension])
    await imported(fixture('export.tar.gz'), '--content', 'old')
    const configuration = await readFile(path.join(folder, 'octavo.config.ts'), 'utf8')
    expect(configuration).toContain(`user: "old/${userSchemaPath}",`)
    expect(configuration).toContain('upload(),')
  })

  it('says before the import that the configuration cannot be written', async () => {
    await writeFile(path.join(folder, 'octavo.config.ts'), '')
    await mkdir(path.join(folder, 'octavo.config.imported.ts'))
    const { code, err } = await run(fixture('export.tar.gz'))
    expect([code, err]).toEqual([
      1,
      'octavo: octavo.config.imported.ts cannot be written: it is a folder; name a file in it\n',
    ])
    await rm(path.join(folder, 'octavo.config.imported.ts'), { recursive: true })
    expect(await imported(fixture('export.tar.gz'))).toMatchObject({ entries: 149 })
  })

  it('copies only the files that are missing or incomplete', async () => {
    const media = path.join(folder, 'files')
    await copyFiles(await openSource(fixture('export.tar.gz')), media)
    await rm(path.join(media, 'picture_1.png'))
    await truncate(path.join(media, 'picture_2.png'), 10)
    const { files } = await imported(fixture('export.tar.gz'), '--media', 'files')
    expect(files).toMatchObject({ wanted: 25, copied: 2, there: 23 })
  })

  it('draws a progress bar on a terminal, and none elsewhere', async () => {
    const plain = await command(folder, ['import', 'strapi', fixture('export.tar.gz'), '--dry-run'])
    expect(plain.err).toBe('')
    const terminal = path.join(folder, 'terminal.mjs')
    await writeFile(terminal, 'process.stderr.isTTY = true')
    const options = { NODE_OPTIONS: `--import=${terminal}` }
    const { code, err } = await launch(
      folder,
      ['import', 'strapi', fixture('export.tar.gz'), '--database', database],
      options,
    ).ended
    expect(code).toBe(0)
    expect(err).toContain('entries checked')
    expect(err).toMatch(/\d+\/\d+ entries written/)
  })
})

// The source is a PostgreSQL server, whatever the engine of the target.
describe.runIf(serverUrl())('octavo import strapi, from a database', () => {
  let source: DumpDatabase | undefined
  beforeAll(async () => {
    source = await restoreDump(fixture('database.sql.gz'), 'old')
  })
  afterAll(() => source?.drop())

  const createdAt = async (): Promise<unknown> => {
    const server = launch(folder, [
      ...['start', '--content', 'content', '--database', database],
      ...['--public-read', '--port', '0', '--host', '127.0.0.1', '--drain', '0'],
    ])
    try {
      const answer = await fetch(`${await server.url()}/api/articles/4`)
      const { data } = (await answer.json()) as { data: { attributes: { createdAt: string } } }
      return data.attributes.createdAt
    } finally {
      await server.stop()
    }
  }

  it('reads the tables of --schema, the files of --uploads, and times in UTC', async () => {
    const uploads = path.join(folder, 'old')
    await copyFiles(await openSource(fixture('export.tar.gz')), uploads)
    const report = await imported(source?.url ?? '', '--schema', 'old', '--uploads', uploads)
    expect(report).toMatchObject({ entries: 149, files: { wanted: 25, copied: 25, missing: [] } })
    expect(report.plan.leftBehind).toMatchObject({ 'transfer tokens': 0 })
    // The command line has editors on: administrators come.
    expect(report.plan.leftBehind).not.toHaveProperty('roles of administrators')
    expect(report.plan.notes).toEqual([expect.stringContaining('the rules of 10 components')])
    expect(await readdir(path.join(folder, 'public', 'uploads'))).toEqual(
      expect.arrayContaining(await readdir(uploads)),
    )
    expect(await createdAt()).toBe('2024-01-01T12:00:04.148Z')
  })

  it('reads times in the zone of --time-zone, and names files without --uploads', async () => {
    const { files } = await imported(source?.url ?? '', '--schema', 'old', '--time-zone', 'Europe/Paris')
    expect(files).toMatchObject({ wanted: 25, copied: 0, missingCount: 25 })
    expect(await createdAt()).toBe('2024-01-01T11:00:04.148Z')
  })

  it.each([
    ['a schema without tables', ['--schema', 'elsewhere'], 'has no table strapi_core_store_settings'],
    ['a time zone that does not exist', ['--schema', 'old', '--time-zone', 'Mars/Base'], 'Mars/Base'],
    ['an offset as a time zone', ['--schema', 'old', '--time-zone', '+02:00'], 'such as Europe/Paris'],
    ['a folder of files that does not exist', ['--schema', 'old', '--uploads', './gone'], 'gone'],
  ])('refuses %s in one line', async (_, args, message) => {
    const { code, err } = await run(source?.url ?? '', ...args)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain(message)
    expect(code).toBe(1)
  })
})
