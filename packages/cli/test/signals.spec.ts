/** Signals to commands that have not begun to serve, or that never do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const archive = fileURLToPath(new URL('../../import-strapi/test/fixture/export.tar.gz', import.meta.url))

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'octavo-signals-')))
  writeFileSync(path.join(folder, 'octavo.config.mjs'), 'export default { contentTypes: [], plugins: [] }')
})
afterAll(() => rmSync(folder, { recursive: true }))

const ends = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** A start that waits for a database, and shows it. */
const waitingStart = (before: readonly string[] = []) => {
  const database = ['--database', 'postgres://nobody@127.0.0.1:1/nothing']
  const args = ['start', '--wait', '300s', '--log', 'json', ...database]
  const launched = launch(folder, args, { LOG_LEVEL: 'warn' }, before)
  const isWaiting = () => launched.output.err.includes('retryAfter')
  return { ...launched, waits: vi.waitUntil(isWaiting, { timeout: 60_000, interval: 5 }) }
}

describe('a start that waits for its database', () => {
  it.each(ends)('ends by %s', async (signal) => {
    const { child, ended, waits } = waitingStart()
    await waits
    child.kill(signal)
    await ended
    expect(child.signalCode).toBe(signal)
  })

  // The system ends the first process of a container by no signal that the process does not handle.
  const container = ['unshare', '--user', '--map-root-user', '--pid', '--fork']
  const hasContainers = spawnSync('unshare', [...container.slice(1), 'true']).status === 0
  it.runIf(hasContainers).each(ends)(
    'ends by %s as the first process of a container',
    async (signal, code) => {
      const { child, ended, waits } = waitingStart(container)
      await waits
      const first = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
      process.kill(Number(first), signal)
      expect(await ended).toMatchObject({ code })
    },
  )
})

it.each(ends)('a preview that %s ends leaves no files', async (signal) => {
  const temporary = path.join(folder, `temporary-${signal}`)
  mkdirSync(temporary)
  const args = ['start', '--from', archive, '--port', '0', '--host', '127.0.0.1']
  const { child, ended } = launch(folder, args, { TMPDIR: temporary })
  await vi.waitUntil(() => readdirSync(temporary).length > 0, { timeout: 60_000, interval: 1 })
  child.kill(signal)
  await ended
  expect(readdirSync(temporary)).toEqual([])
})
