/** The memory of `octavo start`, on Linux, where a process can look it up. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Launched, launch, withPreparedDatabases } from './launch.ts'

// Processes are started, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let database: TestDatabase
/** The server that the tests look at, which writes down the modules that it loads and its memory for young objects. */
let server: Launched
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-heap-'))
  await mkdir(path.join(folder, 'content-types'))
  const page = { kind: 'collectionType', info: { singularName: 'page', pluralName: 'pages' }, attributes: {} }
  await writeFile(path.join(folder, 'content-types/page.json'), JSON.stringify(page))
  server = await start(
    module(`
      import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
      import { registerHooks } from 'node:module'
      import { getHeapSpaceStatistics } from 'node:v8'
      registerHooks({
        load(url, context, next) {
          appendFileSync('${folder}/loaded', url + '\\n')
          return next(url, context)
        },
      })
      setInterval(() => {
        const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
        writeFileSync('${folder}/young.new', String(young.physical_space_size))
        renameSync('${folder}/young.new', '${folder}/young')
      }, 200).unref()`),
  )
})
afterAll(async () => {
  await server?.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server of a project, with further options of Node.js. */
async function start(...options: readonly string[]): Promise<Launched> {
  const url = testEngine() === 'pglite' ? `file:${folder}/data` : database.url
  const args = ['start', '--content', folder, '--database', url, '--host', '127.0.0.1', '--port', '0']
  const started = launch(folder, args, { NODE_OPTIONS: [withPreparedDatabases, ...options].join(' ') })
  await started.url()
  return started
}

/** A module, for `--import`. */
function module(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

it('A start loads no library that only an upload, a progress bar or the code of a Strapi project needs', async () => {
  const loaded = (await readFile(path.join(folder, 'loaded'), 'utf8')).split('\n')
  expect(loaded.filter((url) => /plugin-upload\/dist\/index\.js$/.test(url))).toHaveLength(1)
  expect(
    loaded.filter((url) => /\/node_modules\/(?:sanitize-html|file-type|cli-progress|oxc-parser)\//.test(url)),
  ).toEqual([])
})

it('A server that rests gives back the memory for young objects that its start took', async () => {
  const megabytes = async (): Promise<number> =>
    Number(await readFile(path.join(folder, 'young'), 'utf8')) / 2 ** 20
  await vi.waitFor(async () => expect(await megabytes()).toBeLessThan(2), { timeout: 60_000, interval: 500 })
})

describe.runIf(existsSync('/proc/self/environ'))('octavo start', () => {
  const listOf = async ({ child }: Launched, file: string): Promise<readonly string[]> =>
    (await readFile(`/proc/${child.pid}/${file}`, 'utf8')).split('\0')
  const limits = async (of: Launched): Promise<readonly string[]> =>
    (await listOf(of, 'cmdline')).filter((word) => word.startsWith('--max-semi-space-size'))

  it('limits the space for young objects, and the heaps of malloc', async () => {
    expect(await limits(server)).toHaveLength(1)
    expect(await listOf(server, 'environ')).toContain('MALLOC_ARENA_MAX=2')
  })

  it('limits the heaps of malloc when the caller gives the limit for young objects', async () => {
    // Its folder, on the embedded database, is for one process at a time.
    await server.stop()
    server = await start('--max-semi-space-size=32')
    expect(await limits(server)).toEqual([])
    expect(await listOf(server, 'environ')).toContain('MALLOC_ARENA_MAX=2')
  })
})
