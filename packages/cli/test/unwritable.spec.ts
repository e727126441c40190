/** A command that cannot write its file says why, before it does anything else. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'octavo-unwritable-')))
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  mkdirSync(path.join(folder, 'full.tar.gz'))
  writeFileSync(path.join(folder, 'note.txt'), '')
  writeFileSync(path.join(folder, 'urls.txt'), '/api/books\n')
  writeFileSync(
    path.join(folder, 'content/content-types/book.json'),
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string' } },
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

// The database is never opened, or the message would be of the database.
const database = ['--database', 'postgres://nobody@127.0.0.1:1/nothing']
const replay = ['replay', 'urls.txt', '--old', 'http://127.0.0.1:1', '--new', 'http://127.0.0.1:1']

describe.each<[string, number, (file: string) => readonly string[]]>([
  ['export', 1, (file) => ['export', file, '--content', 'content', ...database]],
  [
    'export --format strapi',
    1,
    (file) => ['export', file, '--format', 'strapi', '--content', 'content', ...database],
  ],
  ['openapi --out', 1, (file) => ['openapi', '--out', file, '--content', 'content', ...database]],
  ['types --out', 1, (file) => ['types', '--out', file, '--content', 'content']],
  ['replay --html', 2, (file) => [...replay, '--html', file]],
  ['replay --json', 2, (file) => [...replay, '--json', file]],
  ['replay --record', 2, (file) => [...replay, '--record', file]],
])('octavo %s', (_name, code, args) => {
  it.each<[string, () => string]>([
    ['gone/deep/x.tar.gz', () => `${folder}/gone/deep is not there; make the folder first`],
    ['note.txt/x.tar.gz', () => `${folder}/note.txt is a file, not a folder`],
    ['full.tar.gz', () => 'it is a folder; name a file in it'],
  ])('names what is wrong with %s', async (file, reason) => {
    const before = readdirSync(folder)
    expect(await command(folder, args(file))).toEqual({
      code,
      out: '',
      err: `octavo: ${file} cannot be written: ${reason()}\n`,
    })
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe.each<[string, (place: string) => readonly [string, readonly string[]]]>([
  ['type', (place) => [`${place}/content-types/book.json`, ['type', 'book', '--content', place]]],
  [
    'component',
    (place) => [`${place}/components/shared/seo.json`, ['component', 'shared.seo', '--content', place]],
  ],
  ['plugin', (place) => [`${place}/audit/package.json`, ['plugin', 'audit', '--dir', `${place}/audit`]]],
])('octavo generate %s', (_kind, of) => {
  // The system denies that /proc exists. The test would never end if the command tried again.
  it.runIf(process.platform === 'linux')('names a folder that the system does not make', async () => {
    const [file, args] = of('/proc/octavo')
    expect(await command(folder, ['generate', ...args])).toEqual({
      code: 1,
      out: '',
      err: `octavo: ${file} cannot be written: ENOENT: no such file or directory, mkdir '/proc/octavo'\n`,
    })
  })

  it.skipIf(process.getuid?.() === 0)('names a folder that can only be read', async () => {
    const place = mkdtempSync(path.join(folder, 'read-only-'))
    chmodSync(place, 0o500)
    const [file, args] = of(place)
    expect(await command(folder, ['generate', ...args])).toEqual({
      code: 1,
      out: '',
      err: `octavo: ${file} cannot be written: ${place} is not writable for the user of this process\n`,
    })
  })
})

describe('octavo export', () => {
  it('replaces no device', async () => {
    expect(await command(folder, ['export', '/dev/null', '--content', 'content', ...database])).toEqual({
      code: 1,
      out: '',
      err: 'octavo: /dev/null cannot be written: it is a device or a pipe; the standard output is -\n',
    })
  })
})

describe('a path that leads to nothing', () => {
  it.each<[string, readonly string[], string]>([
    [
      'a data file that is a folder',
      ['import', 'content', '--content', 'content', '--database', 'memory://'],
      'Nothing was imported: content is a folder; name a file in it.',
    ],
    [
      'a folder of content-types that is not there',
      ['check', 'contents'],
      'A mistake in the content-types:\n  contents: there is no such folder',
    ],
  ])('%s is named', async (_, args, message) => {
    const { code, err } = await command(folder, args)
    expect(code).toBe(1)
    expect(err).toContain(`octavo: ${message}\n`)
  })
})
