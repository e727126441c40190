/** Backups that the version of 2026-11-22 made (`fixtures/backup-2026-11-22/make.mjs`) are restored by this one. */
import { createHmac } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, restoreDump, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const backup = fileURLToPath(new URL('./fixtures/backup-2026-11-22/', import.meta.url))

interface Recorded {
  readonly secret: string
  /** Of the API. */
  readonly token: string
  /** Of the user, which has expired. */
  readonly jwt: string
  /** Of the server that was backed up, by path. */
  readonly answers: Readonly<Record<string, object>>
}

/** A copy of the site, beside this file, where the plugins are found. */
let folder: string
let recorded: Recorded
beforeAll(async () => {
  folder = await mkdtemp(path.join(fileURLToPath(new URL('.', import.meta.url)), 'restored-'))
  await cp(backup, folder, { recursive: true })
  recorded = JSON.parse(await readFile(path.join(backup, 'answers.json'), 'utf8')) as Recorded // `make.mjs` wrote it
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const octavo = (database: string, command: readonly string[]) =>
  launch(folder, [...command, '--config', 'octavo.config.mjs', '--database', database], {
    NODE_ENV: 'production',
    OCTAVO_JWT_SECRET: recorded.secret,
  })

/** The token of the user with another time of expiry. */
function renewed(): string {
  const [head = '', claims = ''] = recorded.jwt.split('.')
  const { s: _session, ...kept } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const body = Buffer.from(JSON.stringify({ ...kept, exp: Math.floor(Date.now() / 1_000) + 600 })).toString(
    'base64url',
  )
  const signature = createHmac('sha256', recorded.secret).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}

/** Serves a database, compares entries, files and accounts with those of the server that was backed up. @returns the status of its user's token */
async function expectRestored(database: string): Promise<number> {
  const server = octavo(database, ['start', '--port', '0', '--host', '127.0.0.1'])
  try {
    const url = await server.url()
    const get = (at: string, token = recorded.token) =>
      fetch(url + at, { headers: { authorization: `Bearer ${token}` } })
    for (const [at, answer] of Object.entries(recorded.answers)) {
      if (at.startsWith('/api/users/')) continue
      const response = await get(at)
      expect([at, response.status]).toEqual([at, 200])
      expect({ at, answer: await response.json() }).toMatchObject({ at, answer })
    }
    const files = recorded.answers['/api/upload/files'] as readonly { readonly url: string }[]
    expect(files.length).toBe(2)
    for (const file of files) {
      const bytes = Buffer.from(await (await get(file.url)).arrayBuffer())
      expect(bytes.equals(await readFile(path.join(backup, 'media', path.basename(file.url))))).toBe(true)
    }
    const login = await fetch(`${url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'eve', password: 'Password123' }),
    })
    expect(login.status).toBe(200)
    const { jwt } = (await login.json()) as { readonly jwt: string } // the contract of logins
    expect(await (await get('/api/users/me', jwt)).json()).toMatchObject(
      recorded.answers['/api/users/me'] ?? {},
    )
    return (await get('/api/users/me', renewed())).status
  } finally {
    const { err } = await server.stop()
    expect(err).not.toContain('"level":50')
  }
}

describe.skipIf(testEngine() === 'pglite')('a dump of PostgreSQL', () => {
  it('is served with all entries, files, accounts, and tokens', async () => {
    const database = await restoreDump(path.join(backup, 'site.sql.gz'))
    if (!database) throw new Error('There is no PostgreSQL server')
    try {
      expect(await expectRestored(database.url)).toBe(200)
    } finally {
      await database.drop()
    }
  })
})

it('a data file is imported with all entries, files, accounts and API tokens; logins have ended', async () => {
  const test = await createTestDatabase()
  const database = test.engine === 'pglite' ? 'file:./database' : test.url
  try {
    const { code, out, err } = await octavo(database, ['import', 'data.json']).ended
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('imported from data.json')
    expect(await expectRestored(database)).toBe(401)
  } finally {
    await test.drop()
  }
})
