import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { withPreparedDatabases } from './launch.ts'

// It starts a process, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

it.runIf(existsSync('/dev/full'))('A server whose log is on a full disk goes on', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-log-'))
  await mkdir(path.join(folder, 'content-types'))
  await writeFile(
    path.join(folder, 'content-types/page.json'),
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'page', pluralName: 'pages' },
      attributes: {},
    }),
  )
  await writeFile(path.join(folder, 'octavo.config.mjs'), `export default { content: '.', plugins: [] }\n`)
  const log = openSync('/dev/full', 'a')
  const args = [
    'start',
    '--database',
    'memory://',
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--config',
    'octavo.config.mjs',
  ]
  const server = spawn(process.execPath, [bin, ...args, '--log', 'json'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: withPreparedDatabases },
    stdio: ['ignore', 'pipe', log],
  })
  try {
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${output}`)))
      server.stdout?.on('data', (chunk) => {
        output += chunk
        const found = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
        if (found) resolve(found)
      })
    })
    // Each request is a line of the log.
    for (let i = 0; i < 5; i++) expect((await fetch(`${url}/api/pages`)).status).toBe(200)
    expect(server.exitCode).toBeNull()
  } finally {
    closeSync(log)
    if (server.exitCode === null) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
})
