import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, runs, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Launched, launch } from './launch.ts'

// The embedded database and processes of their own take many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const fixtures = fileURLToPath(new URL('../../import-strapi/test/fixture/', import.meta.url))
const recorded = fileURLToPath(new URL('../../../conformance/graphql/', import.meta.url))

let folder: string
let database: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-strapi-'))
  const made = await createTestDatabase()
  drop = made.drop
  database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
})
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: readonly string[]): Launched => launch(folder, args)

describe('octavo import strapi', () => {
  it('reports and writes nothing with --dry-run', async () => {
    const { code, out } = await run('import', 'strapi', `${fixtures}export.tar.gz`, '--dry-run').ended
    expect(code).toBe(0)
    expect(out).toMatch(/api::article\.article +55 +55/)
    expect(await readdir(folder)).toEqual([])
  })

  it('reports as JSON', async () => {
    const { out } = await run('import', 'strapi', `${fixtures}export.tar.gz`, '--dry-run', '--json').ended
    expect(JSON.parse(out)).toMatchObject({ version: '4.26.2', problems: {}, linksRepeated: {} })
  })

  it('reports an invalid archive in one line', async () => {
    const { code, err } = await run('import', 'strapi', `${fixtures}export.tar.gz.enc`, '--key', 'no').ended
    expect(code).toBe(1)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('does not open with this key')
  })

  it('commits nothing whose definitions cannot be written', async () => {
    // A folder that is not there now: a full disk refuses the definitions at the same moment.
    const definitions = path.join(folder, 'content', 'content-types')
    await mkdir(path.dirname(definitions))
    await symlink(path.join(folder, 'gone'), definitions)
    const args = ['import', 'strapi', `${fixtures}export.tar.gz`, '--database', database]
    const { code, err } = await run(...args).ended
    expect(code).toBe(1)
    expect(err).toContain('content/content-types')
    await rm(definitions)
    expect(await readdir(folder)).not.toContain('octavo.config.ts')
  })

  it('imports content, files, definitions and settings from an archive without a project', async () => {
    const args = ['import', 'strapi', `${fixtures}export.tar.gz`, '--database', database]
    const { code, out, err } = await run(...args).ended
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('149 entries imported; 0 files copied to public/uploads, 25 were there')
    expect(out).toContain('JWT_SECRET')
    // An archive has no API tokens.
    expect(out).not.toContain('API_TOKEN_SALT')
    expect(out).toContain(
      'It imports packages that package.json does not name: npm install @octavo/cli @octavo/',
    )
    expect(await readdir(path.join(folder, 'content', 'content-types'))).toHaveLength(8)
    const files = await readdir(path.join(folder, 'public', 'uploads'))
    expect(files.filter((name) => !name.startsWith('.'))).toHaveLength(25)
    expect(await readFile(path.join(folder, 'octavo.config.ts'), 'utf8')).toContain("farSide: 'find'")
  })

  it('goes on with the definitions and settings of an import that was stopped before its end', async () => {
    const config = path.join(folder, 'octavo.config.ts')
    const before = await readFile(config, 'utf8')
    const args = ['import', 'strapi', `${fixtures}export.tar.gz`, '--database', 'memory://']
    const { code, out } = await run(...args).ended
    expect(code).toBe(0)
    expect(out).toContain('The settings are in octavo.config.ts')
    expect(await readFile(config, 'utf8')).toBe(before)
  })

  it('refuses a database that has entries', async () => {
    const args = ['import', 'strapi', `${fixtures}export.tar.gz`, '--database', database]
    const { code, err } = await run(...args).ended
    expect(code).toBe(1)
    expect(err).toContain('the database is not empty')
  })

  it('exports the content as an archive', async () => {
    const args = [
      'export',
      'back.tar.gz',
      '--format',
      'strapi',
      '--content',
      'content',
      '--database',
      database,
    ]
    const { code, out } = await run(...args).ended
    expect(code).toBe(0)
    expect(out).toContain('228 entries and 546 links exported')
    const again = await run('import', 'strapi', 'back.tar.gz', '--dry-run').ended
    expect(again.out).toMatch(/api::article\.article +55 +55/)
  })
})

describe('octavo start --from', () => {
  it('serves an archive from memory, its files too, and answers the recorded exchanges of GraphQL', async () => {
    const archive = ['--from', `${fixtures}export.tar.gz`]
    // The exchanges log in more often than the limit of logins allows, which they were recorded without.
    const started = run('start', ...archive, '--port', '0', '--host', '127.0.0.1', '--no-rate-limit')
    const url = await started.url()
    const answer = await fetch(`${url}/api/articles/4`)
    expect(await answer.json()).toMatchObject({ data: { id: 4, attributes: { title: '100% cotton' } } })
    expect((await fetch(`${url}/uploads/picture_1.png`)).status).toBe(200)
    // The tests of the plugin replay all of them on PostgreSQL; here a group does, and each night all.
    const group = runs(0, 1) === 1 ? [] : ['--group', 'shape']
    const runner = spawn(process.execPath, [`${recorded}run.mjs`, 'diff', '--base', url, ...group])
    expect(await text(runner.stdout)).toMatch(new RegExp(`^${runs(24, 204)} passed, 0 failed$`, 'm'))
    expect((await started.stop()).code).toBe(0)
  })
})
