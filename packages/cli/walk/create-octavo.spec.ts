/** `npm create octavo`, with the packed packages: create, npm install, npm test, npm start. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runs } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { install, packedPackages, useTarballs } from './packed.ts'

/** An archive of `strapi export`. */
const archive = fileURLToPath(new URL('../../import-strapi/test/fixture/export.tar.gz', import.meta.url))

let folder: string
let tarballs: ReadonlyMap<string, string>
let bin: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-create-'))
  tarballs = packedPackages()
  // As npm create does: the package of this name alone, with its dependencies.
  install(path.join(folder, 'create'), tarballs.get('create-octavo') ?? '')
  bin = path.join(folder, 'create/node_modules/.bin/create-octavo')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { VITEST: _, OCTAVO_TEST_DATABASE_URL: __, OCTAVO_TEST_ENGINE: ___, ...environment } = process.env
// The package manager that runs the tests may be another one than npm.
const env = { ...environment, NODE_ENV: 'development', npm_config_user_agent: undefined }
const run = (cwd: string, command: string, ...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd, encoding: 'utf8', env })

/** Starts a project by `npm start`, requests a path and stops the server. */
async function answerOf(project: string, at: string): Promise<{ status: number; body: unknown }> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--host', '127.0.0.1', '--drain', '0'], {
    cwd: project,
    // npm passes no signals on; the whole group is stopped.
    detached: true,
    env: { ...env, JWT_SECRET: 'thirty-two characters, or somewhat more' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
          const found = /Octavo listens on (http:[^\s"]+)/.exec(output)?.[1]
          if (found) resolve(found)
        })
      child.once('exit', () => reject(new Error(`It ended: ${output}`)))
    })
    const response = await fetch(url + at)
    return { status: response.status, body: await response.json() }
  } finally {
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

describe('17: npm create octavo', () => {
  it('gives a project that npm installs, that compiles, passes its tests and answers', async () => {
    expect(run(folder, bin, 'my-api', '--plugins', 'all', '--yes')).toMatchObject({ status: 0, stderr: '' })
    const project = path.join(folder, 'my-api')
    const { dependencies } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'))
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d/)
    useTarballs(path.join(project, 'package.json'), tarballs)
    for (const args of [['install'], ['run', 'check'], ['run', 'typecheck'], ['test']]) {
      const { status, stdout, stderr } = run(project, 'npm', ...args)
      expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, ''])
    }
    expect(await answerOf(project, '/api/articles?populate=author')).toMatchObject({
      status: 200,
      body: {
        data: [{ attributes: { title: 'First light', author: { data: { attributes: { name: 'Ada' } } } } }],
      },
    })
  })

  // Each night: the tests of create-octavo run the project of an archive, and those of import-strapi the import, in the workspace.
  it.runIf(runs(0, 1))('starts from an archive of Strapi 4', () => {
    copyFileSync(archive, path.join(folder, 'export.tar.gz'))
    const created = run(folder, bin, 'moved', '--from', 'export.tar.gz', '--no-install', '--yes')
    expect(created).toMatchObject({ status: 0, stderr: '' })
    const project = path.join(folder, 'moved')
    useTarballs(path.join(project, 'package.json'), tarballs)
    const [, source = '', target = ''] =
      /npx octavo import strapi (\S+) --database (\S+)/.exec(created.stdout) ?? []
    const importing = ['octavo', 'import', 'strapi', source, '--database', target]
    for (const [command, ...args] of [
      ['npm', 'install'],
      ['npx', ...importing],
      ['npm', 'test'],
    ]) {
      const { status, stdout, stderr } = run(project, String(command), ...args)
      expect([args, status, status === 0 ? '' : stdout + stderr]).toEqual([args, 0, ''])
    }
    expect(readFileSync(path.join(project, 'octavo.config.ts'), 'utf8')).toContain('defineConfig')
  })
})
