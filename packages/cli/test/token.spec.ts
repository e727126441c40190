import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadContentTypes } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { program } from '../src/program/program.ts'

// The embedded database and processes of their own take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let database: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-token-'))
  await mkdir(join(folder, 'content-types'))
  const made = await createTestDatabase()
  drop = made.drop
  // A database in memory ends with the command that opened it.
  database = testEngine() === 'pglite' ? `file:${folder}/data` : made.url
  const page = {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { title: { type: 'string' } },
  }
  await writeFile(join(folder, 'content-types', 'page.json'), JSON.stringify(page))
})
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})

/** Runs `octavo token ...` and gives the lines that it prints. */
async function token(...args: readonly string[]): Promise<readonly string[]> {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  try {
    const place = ['--content', folder, '--database', database]
    await program().parseAsync(['node', 'octavo', 'token', ...args, ...place])
    return log.mock.calls.map(([line]) => String(line))
  } finally {
    log.mockRestore()
  }
}

it.each([
  [['--name', 'site', '--full', '--expires', '99999999999'], '--expires takes days, up to 36500'],
  [['--name', 'site', '--full', '--expires', 'soon'], '--expires takes days, up to 36500'],
  [['--name', ' ', '--full'], '--name tells tokens apart'],
])('octavo token create refuses %j', async (args, message) => {
  await expect(token('create', ...args)).rejects.toThrow(message)
})

it('octavo token creates, lists and revokes tokens', async () => {
  const [made = ''] = await token('create', '--name', 'site', '--read-only', '--expires', '30')
  expect(made).toMatch(/^octavo_[\w-]{43}$/)
  const ask = async () => {
    const server = await createServer({
      ...loadContentTypes(folder),
      plugins: [usersPermissions()],
      database,
      withoutPlugin: ['draft-publish', 'i18n', 'upload'],
    })
    try {
      const api = createClient((await server.listen(0, '127.0.0.1')).url)
      const { status } = await api.post('/api/pages', { token: made, body: { data: { title: 'x' } } })
      return [
        (await api.get('/api/pages', { token: made })).status,
        status,
        (await api.get('/api/pages')).status,
      ]
    } finally {
      await server.close()
    }
  }
  expect(await ask()).toEqual([200, 403, 403])
  const [line = ''] = await token('list')
  expect(line).toMatch(/^1\tsite\tread-only\tends \d{4}-/)
  expect(line).not.toContain(made.slice(7))
  await token('revoke', '1')
  expect(await ask()).toEqual([401, 401, 403])
  await expect(token('revoke', '1')).rejects.toThrow('no token 1')
})

it.each([
  [['create', '--name', 'x'], 'Give the token its permissions'],
  [['create', '--name', 'x', '--full', '--read-only'], 'Give the token its permissions'],
  [['create', '--name', 'x', '--full', '--expires', 'soon'], 'takes days'],
  [['create', '--name', 'x', '--action', 'find'], 'there is no action "find"'],
  [
    ['create', '--name', 'x', '--action', 'api::page.page.fnd'],
    'the token "x": there is no action "api::page.page.fnd"; did you mean "api::page.page.find"?',
  ],
])('octavo token refuses %s', async (args, message) => {
  await expect(token(...args)).rejects.toThrow(message)
})
