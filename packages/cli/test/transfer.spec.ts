import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOctavo, silentLogger } from '@octavo/core'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch, withPreparedDatabases } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** The built command, in a process of its own: as it is installed. */
const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** A folder with a content-type. On PGlite each database is in it as well. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-transfer-'))
  await mkdir(path.join(folder, 'content', 'content-types'), { recursive: true })
  await writeFile(
    path.join(folder, 'content', 'content-types', 'book.json'),
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'book', pluralName: 'books' },
      attributes: { title: { type: 'string', required: true }, year: { type: 'integer' } },
    }),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function octavo(input: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args, '--content', './content'], {
    cwd: folder,
    env: {
      ...process.env,
      ...{ LOG_LEVEL: 'error', NODE_ENV: 'development', OCTAVO_JWT_SECRET: 'x'.repeat(40) },
      NODE_OPTIONS: withPreparedDatabases,
    },
    stdio: 'pipe',
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  // A command that ends without reading its input closes it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...output }
}

const drops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of drops) await drop()
})

/** An empty database, as an option of the command. A new folder takes seconds, so only runs on PGlite make them. */
async function emptyDatabase(name: string): Promise<readonly string[]> {
  if (testEngine() === 'pglite') return ['--database', `file:./${name}`]
  const { url, drop } = await createTestDatabase()
  drops.push(drop)
  return ['--database', url]
}

const emma = { id: 7, title: 'Emma', year: 1815 }
const middlemarch = { id: 9, title: 'Middlemarch', year: 1871 }
const books = (...list: readonly object[]) => JSON.stringify({ entries: { 'api::book.book': list } })

describe('octavo import - and export -', () => {
  it('are the standard input and output, which has only the data file', async () => {
    const there = await emptyDatabase('there')
    expect(await octavo(books(emma, middlemarch), 'import', '-', ...there)).toEqual({
      code: 0,
      out: '2 entries imported from the standard input\n',
      err: '',
    })
    const exported = await octavo('', 'export', '-', ...there)
    expect([exported.code, exported.err]).toEqual([0, ''])
    expect(JSON.parse(exported.out).entries['api::book.book']).toMatchObject([emma, middlemarch])

    const copy = await emptyDatabase('copy')
    expect(await octavo(exported.out, 'import', '-', ...copy)).toMatchObject({ code: 0, err: '' })
    await octavo('', 'export', 'copy.json', ...copy)
    expect(await readFile(path.join(folder, 'copy.json'), 'utf8')).toBe(exported.out)
  })
})

describe('The file of an export', () => {
  it.each([
    ['mode.json', []],
    ['mode.tar.gz', ['--format', 'strapi']],
  ])('is for who made it alone, and one that is there keeps its mode: %s', async (name, format) => {
    const database = await emptyDatabase(`database of ${name}`)
    const file = path.join(folder, name)
    const modes: number[] = []
    for (const mode of [undefined, 0o660]) {
      if (mode !== undefined) await chmod(file, mode)
      expect(await octavo('', 'export', name, ...format, ...database)).toMatchObject({ code: 0 })
      modes.push((await stat(file)).mode & 0o777)
    }
    expect(modes).toEqual([0o600, 0o660])
  })

  it.runIf(testEngine() === 'postgresql').each([
    ['stopped.json', 'SIGTERM', []],
    ['hung-up.json', 'SIGHUP', []],
    ['stopped.tar.gz', 'SIGINT', ['--format', 'strapi']],
  ] as const)('is as it was before when a signal stops the export: %s, %s', async (name, signal, format) => {
    const { url, drop } = await createTestDatabase()
    drops.push(drop)
    const database = ['--database', url]
    const another = await createOctavo({ contentTypes: {}, database: url, logger: silentLogger })
    await octavo(books(emma), 'import', '-', ...database)
    await writeFile(path.join(folder, name), 'before')
    const isStarted = async () => (await readdir(folder)).some((file) => file.startsWith(`${name}.`))
    const launched = await another.store.transaction(async (tx) => {
      await tx.query('lock table books in access exclusive mode')
      const waiting = launch(folder, ['export', name, ...format, ...database, '--content', './content'])
      await expect.poll(isStarted, { timeout: 60_000 }).toBe(true)
      waiting.child.kill(signal)
      return waiting
    })
    expect((await launched.ended).err).toContain(`${signal} stopped the export`)
    expect(launched.child.signalCode).toBe(signal)
    expect(await isStarted()).toBe(false)
    expect(await readFile(path.join(folder, name), 'utf8')).toBe('before')
    await another.close()
  })

  it.runIf(testEngine() === 'postgresql')('is the output, which a signal leaves incomplete', async () => {
    const { url, drop } = await createTestDatabase()
    drops.push(drop)
    const database = ['--database', url]
    const another = await createOctavo({ contentTypes: {}, database: url, logger: silentLogger })
    await octavo(books(emma), 'import', '-', ...database)
    const isWaiting = async () =>
      (await another.store.query('select 1 from pg_locks where not granted')).length
    let ended: Promise<Ended> | undefined
    await another.store.transaction(async (tx) => {
      await tx.query('lock table books in access exclusive mode')
      const launched = launch(folder, ['export', '-', ...database, '--content', './content'])
      ended = launched.ended
      await expect.poll(isWaiting, { timeout: 60_000 }).toBeGreaterThan(0)
      launched.child.kill('SIGTERM')
    })
    expect(await ended).toMatchObject({
      code: null,
      err: 'octavo: SIGTERM stopped the export: its output is not complete\n',
    })
    await another.close()
  })
})

describe('the message of an import', () => {
  it('counts entries, sections, and omitted keys', async () => {
    const file = {
      locales: [{ id: 1, code: 'en', name: 'English', isDefault: true }],
      users: [
        { id: 5, username: 'eva', email: 'eva@example.org', shoeSize: 40 },
        { id: 6, username: 'tom', email: 'tom@example.org', shoeSize: 41 },
      ],
      menus: [{ id: 1 }, { id: 2 }],
      entries: { 'api::book.book': [{ ...emma, colour: 'red' }], 'api::gone.gone': [{ id: 1 }] },
    }
    const database = await emptyDatabase('counts')
    const { code, out } = await octavo(JSON.stringify(file), 'import', '-', ...database)
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      '1 entry, locales (1), users (2) imported from the standard input',
      expect.stringMatching(/^Left out: /),
      expect.stringMatching(/^Left out: /),
      expect.stringMatching(/^Left out: /),
      expect.stringMatching(/^Left out: /),
      '',
    ])
    for (const line of [
      'Left out: "shoeSize" in section users (2)',
      'Left out: section menus (2)',
      'Left out: attribute colour of api::book.book (1)',
      'Left out: entries of api::gone.gone (1)',
    ])
      expect(out).toContain(line)
  })
})

describe('an import of something that is no data file fails', () => {
  let refused: readonly string[]
  beforeAll(async () => {
    refused = await emptyDatabase('refused')
  })

  it.each<[string, string, RegExp]>([
    [
      'an object of other keys',
      '{"name":"site","version":"1.0.0"}',
      /this is no data file: it has none of "entries", .*"users"/,
    ],
    ['a list', '[{"id":1}]', /the data must be an object/],
    ['text', 'title;year\nEmma;1815', /the standard input, line 1, column 1: expected /],
    ['a mark, and text', '\ufeff{"entries": 1\n1}', /the standard input, line 2, column 1: expected /],
    ['nothing', '', /the standard input, line 1, column 1: expected /],
    ['an entry that is wrong', books({ id: 1, title: 'Emma', year: 'soon' }), /id 1.*year/s],
  ])(
    '%s, without a stack',
    async (_what, input, message) => {
      const { code, out, err } = await octavo(input, 'import', '-', ...refused)
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(message)])
      expect(err).not.toMatch(/^\s+at /m)
    },
    60_000,
  )

  it('a file that does not exist', async () => {
    const { code, err } = await octavo('', 'import', 'nowhere.json', ...refused)
    expect([code, err]).toEqual([1, expect.stringContaining('nowhere.json')])
    expect(err).not.toMatch(/^\s+at /m)
  })
})
