import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../', import.meta.url))
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

/** An empty folder in which the packages are installed, as they would be published. */
let folder: string
const bin = () => path.join(folder, 'node_modules/.bin/octavo')

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-walk-'))
  const packed = path.join(folder, 'packed')
  for (const name of readdirSync(packages)) {
    const manifest = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8'))
    if (!manifest.private)
      execFileSync('pnpm', ['pack', '--pack-destination', packed], { cwd: path.join(packages, name) })
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const tarballs = readdirSync(packed).map((file) => path.join(packed, file))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a server and waits for its address. */
async function started(
  args: readonly string[],
): Promise<{ readonly url: string; readonly stop: () => Promise<unknown> }> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk
        const found = /http:\/\/(?:localhost|[\d.]+):\d+/.exec(output)?.[0]
        if (found) resolve(found)
      })
    child.once('exit', () => reject(new Error(`It ended: ${output}`)))
  })
  const ended = once(child, 'exit')
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

describe('a new user, in an empty folder', () => {
  it('serves a folder of content-types, and reads it with a token', async () => {
    mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
    writeFileSync(
      path.join(folder, 'content/content-types/article.json'),
      JSON.stringify({
        kind: 'collectionType',
        info: { singularName: 'article', pluralName: 'articles' },
        attributes: { title: { type: 'string', required: true } },
      }),
    )
    const octavo = (...args: readonly string[]) =>
      spawnSync(process.execPath, [bin(), ...args, '--content', './content'], {
        cwd: folder,
        encoding: 'utf8',
      })
    expect(octavo('check').stdout).toContain('no mistakes')
    const token = octavo('token', 'create', '--name', 'walk', '--full').stdout.trim()
    const server = await started([bin(), 'start', '--content', './content', '--port', '0'])
    try {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const created = await fetch(`${server.url}/api/articles`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ data: { title: 'First light' } }),
      })
      expect(created.status).toBe(200)
      const answer = await fetch(`${server.url}/api/articles`, { headers })
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { data: [{ attributes: { title: 'First light' } }] },
      ])
    } finally {
      await server.stop()
    }
    const exported = octavo('export', '-').stdout
    expect(JSON.parse(exported).entries['api::article.article']).toMatchObject([{ title: 'First light' }])
  })

  it('runs the program of the README as it stands', async () => {
    const program = [...readme.matchAll(/```ts\n(.*?)```/gs)]
      .map(([, code = '']) => code)
      .find((code) => code.includes('createServer('))
    if (program === undefined) throw new Error('The README has no program')
    // Any port that is free.
    writeFileSync(path.join(folder, 'program.ts'), program.replace('listen(1337)', 'listen(0)'))
    const server = await started(['program.ts'])
    try {
      const answer = await fetch(`${server.url}/api/articles`)
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { data: [{ attributes: { title: 'First light' } }] },
      ])
    } finally {
      await server.stop()
    }
  })

  it('learns in one line that Node.js 20 is too old', () => {
    const old = path.join(folder, 'old')
    mkdirSync(old)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', old, 'node@20'], { cwd: old })
    const node = path.join(old, 'node_modules/node/bin/node')
    const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
    const line = `Octavo needs Node.js 22.22 or later, and this is ${version}: see https://nodejs.org\n`
    for (const args of [
      [bin(), 'start'],
      ['--input-type=module', '-e', `import '@octavo/server'`],
      ['--input-type=module', '-e', `import '@octavo/plugin-upload'`],
    ]) {
      const { status, stderr } = spawnSync(node, args, { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, line])
    }
  })
})
