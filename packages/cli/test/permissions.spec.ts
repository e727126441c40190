/** `octavo permissions ...` and `octavo start --public-read`: who may read a new server's content. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { program } from '../src/program/program.ts'
import { type Launched, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const page = 'api::page.page'

let folder: string
let database: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-permissions-'))
  await mkdir(join(folder, 'content', 'content-types'), { recursive: true })
  for (const name of ['page', 'note']) {
    const type = {
      kind: 'collectionType',
      info: { singularName: name, pluralName: `${name}s` },
      attributes: { title: { type: 'string' } },
    }
    await writeFile(join(folder, 'content', 'content-types', `${name}.json`), JSON.stringify(type))
  }
  const made = await createTestDatabase()
  drop = made.drop
  // The embedded engine in memory ends with its process; these tests start several.
  database = testEngine() === 'pglite' ? `file:${join(folder, 'database')}` : made.url
})
afterAll(async () => {
  await drop?.()
  await rm(folder, { recursive: true, force: true })
})

const place = () => ['--content', join(folder, 'content'), '--database', database]

/** Runs `octavo permissions ...` and gives the lines that it prints. */
async function permissions(...args: readonly string[]): Promise<readonly string[]> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    await program().parseAsync(['node', 'octavo', 'permissions', ...args, ...place()])
    return log.mock.calls.map(([line]) => String(line))
  } finally {
    log.mockRestore()
  }
}

const launched = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Launched =>
  launch(folder, ['start', '--port', '0', '--host', '127.0.0.1', '--drain', '0', ...args, ...place()], {
    OCTAVO_PUBLIC_READ: '',
    LOG_LEVEL: 'warn',
    ...variables,
  })

/** Starts a server in a process of its own and waits for its address. `log` is its standard error up to now. */
async function start(...args: readonly string[]) {
  const { url, output, stop } = launched(args)
  return { url: await url(), log: () => output.err, stop }
}

const status = async (url: string, path: string, method = 'GET'): Promise<number> => {
  const body = JSON.stringify({ data: { title: 'x' } })
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(`${url}/api/${path}`, { method, ...(method === 'POST' && { body, headers }) })).status
}

describe('a server whose roles have no permissions for content', () => {
  it('logs the command that allows everybody to read it', async () => {
    const server = await start()
    try {
      expect(await status(server.url, 'pages')).toBe(403)
      expect(server.log()).toContain("octavo permissions grant public 'api::*.find*'")
    } finally {
      await server.stop()
    }
  })
})

describe('octavo start --public-read', () => {
  it('allows everybody to read all content of this process, and stores no permission', async () => {
    const open = await start('--public-read')
    try {
      expect([await status(open.url, 'pages'), await status(open.url, 'notes')]).toEqual([200, 200])
      expect(await status(open.url, 'pages', 'POST')).toBe(403)
      expect(open.log()).toContain('Everybody may read all content, because of --public-read')
    } finally {
      await open.stop()
    }
    expect((await permissions('list')).join('\n')).not.toContain('api::')
  })

  it('is refused in production', async () => {
    const { ended } = launched(['--public-read'], {
      NODE_ENV: 'production',
      OCTAVO_JWT_SECRET: 'x'.repeat(32),
    })
    const { code, err } = await ended
    expect(code).toBe(1)
    expect(err).toContain('--public-read) is for trying things out, and is refused')
  })
})

describe('octavo permissions', () => {
  it('grants, lists and revokes actions by their names and by patterns', async () => {
    expect(await permissions('grant', 'public', `${page}.find,findOne`)).toEqual([
      `public may now do ${page}.find`,
      `public may now do ${page}.findOne`,
    ])
    expect(await permissions('grant', 'public', 'api::*.find*')).toEqual([
      'public may now do api::note.note.find',
      'public may now do api::note.note.findOne',
    ])
    expect(await permissions('grant', 'public', `${page}.find`)).toEqual([
      'public may do all of that already',
    ])
    expect(await permissions('list')).toContainEqual(
      expect.stringMatching(/^public +api::page\.page +find, findOne$/),
    )

    const server = await start()
    try {
      expect([await status(server.url, 'pages'), await status(server.url, 'notes')]).toEqual([200, 200])
      expect(await status(server.url, 'pages', 'POST')).toBe(403)
      expect(server.log()).not.toContain('octavo permissions grant')
    } finally {
      await server.stop()
    }

    expect(await permissions('revoke', 'public', 'api::page.*', 'api::note.note.findOne')).toEqual([
      'public may no longer do api::note.note.findOne',
      `public may no longer do ${page}.find`,
      `public may no longer do ${page}.findOne`,
    ])
    const content = (await permissions('list')).filter((line) => line.includes('api::'))
    expect(content).toEqual([expect.stringMatching(/^public +api::note\.note +find$/)])
  })
})

describe('octavo permissions with a mistake', () => {
  let before: readonly string[]
  beforeAll(async () => {
    before = await permissions('list')
  })

  it.each([
    [['grant', 'publik', `${page}.find`], 'there is no role "publik"; did you mean "public"?'],
    [['grant', 'everybody', `${page}.find`], 'there is no role "everybody"; there are authenticated, public'],
    [['grant', 'public', `${page}.fnd`], `there is no action "${page}.fnd"; did you mean "${page}.find"?`],
    [['grant', 'public', 'api::pagee.pagee.find'], `did you mean "${page}.find"?`],
    [['grant', 'public', 'api::pagee.*'], 'no action matches "api::pagee.*"; did you mean "api::page.*"?'],
    [['grant', 'public', `${page}.fin`, 'api::note.note.find'], `did you mean "${page}.find"?`],
    [['grant', 'public'], 'octavo permissions grant takes a role and actions'],
    [['revoke', 'public', `${page}.delete`], 'the database grants "public" no such action'],
  ])('is refused: %j', async (args, message) => {
    await expect(permissions(...args)).rejects.toThrow(message)
  })

  it('changes nothing', async () => {
    expect(await permissions('list')).toEqual(before)
  })
})
