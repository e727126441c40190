/**
 * Replays the recorded exchanges of the reference server, `conformance/`, against Octavo, with their runner.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataFile, importData, loadContentTypes } from '@octavo/core'
import type { HookName, Plugin } from '@octavo/core/plugin'
import { changes } from '@octavo/plugin-changes'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { webhooks } from '@octavo/plugin-webhooks'
import { createServer } from '@octavo/server'
import { createTestDatabase, runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { changesNothing } from './changes-nothing.ts'

// Hundreds of recorded exchanges are sent, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const recorded = fileURLToPath(new URL('../../../conformance/', import.meta.url))

interface Report {
  readonly groups: Readonly<Record<string, { readonly total: number; readonly agree: number }>>
  readonly failures: readonly {
    readonly id: string
    readonly request: string
    readonly diffs: readonly string[]
  }[]
}

const files = (folder: string): Plugin => upload({ provider: localDisk({ folder }) })

/** Responses depend neither on the order of the plugins nor on further ones. */
const plugged: Readonly<Record<string, (folder: string) => readonly Plugin[]>> = {
  'plugins in one order': (folder) => [i18n(), draftPublish(), usersPermissions(), files(folder)],
  'with a plugin on every hook that changes nothing': (folder) => [
    changesNothing(),
    i18n(),
    draftPublish(),
    usersPermissions(),
    files(folder),
  ],
  'plugins in the other, with all others': (folder) => [
    openapi(),
    pages(),
    changes(),
    // Nothing listens there: every delivery fails.
    webhooks({
      webhooks: [
        {
          name: 'nobody',
          url: 'http://127.0.0.1:9',
          secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
          privateAddresses: true,
        },
      ],
    }),
    files(folder),
    usersPermissions(),
    draftPublish(),
    i18n(),
  ],
}

/** A server with all plugins gets all exchanges. The others get those of one group, with their number, and each night all. */
const chosen: Readonly<Record<string, readonly [group: string, count: number]>> =
  runs(0, 1) === 1
    ? {}
    : {
        'plugins in one order': ['populate', 64],
        'with a plugin on every hook that changes nothing': ['write', 142],
      }

it('A plugin on every hook has a handler on each hook of a server', async () => {
  const database = await createTestDatabase()
  const server = await createServer({ plugins: [changesNothing()], database: database.url })
  const { hooks } = server.octavo
  const names = [...hooks.table.keys()] as HookName[] // of the tables of core and server
  await server.close()
  await database.drop()
  expect(names.filter((name) => !hooks.has(name))).toEqual([])
})

const each = Object.entries(plugged)
describe.each(each)('The recorded exchanges of the reference server, %s', (name, plugins) => {
  let report: Report
  let stop: () => Promise<void>

  beforeAll(async () => {
    const database = await createTestDatabase()
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
    const server = await createServer({
      ...loadContentTypes(`${recorded}schemas`),
      plugins: plugins(folder),
      database: database.url,
      rateLimit: false,
    })
    // The data of the recording, as an export.
    await importData(server.octavo, JSON.parse(await readFile(`${recorded}seed.json`, 'utf8')) as DataFile)
    const { url } = await server.listen(0)
    stop = async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true })
    }
    report = await replay(url, chosen[name]?.[0])
  })
  afterAll(() => stop())

  it('are all there', () => {
    const total = Object.values(report.groups).reduce((sum, group) => sum + group.total, 0)
    expect(total).toBe(chosen[name]?.[1] ?? 612)
  })

  it('get equal responses', () => {
    expect(
      report.failures.map(
        ({ id, request, diffs }) => `${id} ${request}\n  ${diffs.slice(0, 3).join('\n  ')}`,
      ),
    ).toEqual([])
  })
})

/**
 * The runner exits with 1 when an exchange differs, which is not an error here. It writes to a file, since it exits without
 * waiting for the reader of a pipe.
 */
async function replay(url: string, group?: string): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-conformance-'))
  const file = await open(path.join(folder, 'report.json'), 'w+')
  try {
    const only = group === undefined ? [] : ['--group', group]
    const arguments_ = [`${recorded}run.mjs`, 'diff', '--base', url, ...only, '--json']
    const runner = spawn(process.execPath, arguments_, { stdio: ['ignore', file.fd, 'inherit'] })
    const [code] = await once(runner, 'exit')
    if (code !== 0 && code !== 1) throw new Error(`The runner failed with ${code}`)
    // A line of JSON, then a line of counts.
    const [report = ''] = (await readFile(path.join(folder, 'report.json'), 'utf8')).split('\n')
    return JSON.parse(report) as Report
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
}
