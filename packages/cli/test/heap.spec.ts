/** The memory of `octavo start`, on Linux, where a process can look it up. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Launched, launch, withPreparedDatabases } from './launch.ts'

// Each test starts a process, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
let database: TestDatabase
let server: Launched | undefined
beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-heap-'))
  await mkdir(path.join(folder, 'content-types'))
  const page = { kind: 'collectionType', info: { singularName: 'page', pluralName: 'pages' }, attributes: {} }
  await writeFile(path.join(folder, 'content-types/page.json'), JSON.stringify(page))
})
afterEach(async () => {
  await server?.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server of a project, with further options of Node.js. */
async function start(...options: readonly string[]): Promise<number> {
  const url = testEngine() === 'pglite' ? `file:${folder}/data` : database.url
  const args = ['start', '--content', folder, '--database', url, '--host', '127.0.0.1', '--port', '0']
  server = launch(folder, args, { NODE_OPTIONS: [withPreparedDatabases, ...options].join(' ') })
  await server.url()
  return server.child.pid ?? 0
}

/** A module, for `--import`. */
const module = (code: string): string => `--import=data:text/javascript,${encodeURIComponent(code)}`

describe.runIf(existsSync('/proc/self/environ'))('octavo start', () => {
  const listOf = async (pid: number, file: string): Promise<readonly string[]> =>
    (await readFile(`/proc/${pid}/${file}`, 'utf8')).split('\0')

  it('limits the space for young objects, and the heaps of malloc', async () => {
    const pid = await start()
    expect(
      (await listOf(pid, 'cmdline')).filter((word) => word.startsWith('--max-semi-space-size')),
    ).toHaveLength(1)
    expect(await listOf(pid, 'environ')).toContain('MALLOC_ARENA_MAX=2')
  })

  it('limits the heaps of malloc when the caller gives the limit for young objects', async () => {
    const pid = await start('--max-semi-space-size=32')
    expect((await listOf(pid, 'cmdline')).filter((word) => word.startsWith('--max-semi-space-size'))).toEqual(
      [],
    )
    expect(await listOf(pid, 'environ')).toContain('MALLOC_ARENA_MAX=2')
  })
})

it('A server that rests gives back the memory for young objects that its start took', async () => {
  const file = path.join(folder, 'young')
  await start(
    module(`
      import { renameSync, writeFileSync } from 'node:fs'
      import { getHeapSpaceStatistics } from 'node:v8'
      setInterval(() => {
        const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
        writeFileSync('${file}.new', String(young.physical_space_size))
        renameSync('${file}.new', '${file}')
      }, 200).unref()`),
  )
  const megabytes = async (): Promise<number> => Number(await readFile(file, 'utf8')) / 2 ** 20
  await vi.waitFor(async () => expect(await megabytes()).toBeLessThan(2), { timeout: 60_000, interval: 500 })
})

it('A start loads no library that only an upload, a progress bar or the code of a Strapi project needs', async () => {
  const file = path.join(folder, 'loaded')
  await start(
    module(`
      import { appendFileSync } from 'node:fs'
      import { registerHooks } from 'node:module'
      registerHooks({
        load(url, context, next) {
          appendFileSync('${file}', url + '\\n')
          return next(url, context)
        },
      })`),
  )
  const loaded = (await readFile(file, 'utf8')).split('\n')
  expect(loaded.filter((url) => /plugin-upload\/dist\/index\.js$/.test(url))).toHaveLength(1)
  expect(
    loaded.filter((url) => /\/node_modules\/(?:sanitize-html|file-type|cli-progress|oxc-parser)\//.test(url)),
  ).toEqual([])
})
