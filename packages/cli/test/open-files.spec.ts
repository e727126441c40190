import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { launch } from './launch.ts'

// A process of its own takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 })

it.runIf(process.platform === 'linux')('A server with few open files listens, and answers', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-open-files-'))
  writeFileSync(
    path.join(folder, 'octavo.config.mjs'),
    `export default { contentTypes: [], plugins: [], database: 'memory://' }`,
  )
  const few = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']
  const server = launch(folder, ['start', '--port', '0', '--host', '127.0.0.1'], {}, few)
  try {
    const url = await server.url()
    const answers = Array.from({ length: 16 }, () => fetch(`${url}/_health/live`))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(16).fill(200))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})
