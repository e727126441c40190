import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

const sockets = new Set<Socket>()
const silent = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {}).resume()
})
afterEach(stopAnswering)

/** Closes the server and its connections. */
async function stopAnswering(): Promise<void> {
  const closed = new Promise((resolve) => silent.close(resolve))
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await closed
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
afterAll(() => rmSync(folder, { recursive: true }))
const config = join(folder, 'octavo.config.mjs')
writeFileSync(config, 'export default { contentTypes: [], plugins: [] }')

type Arguments = (url: string) => readonly string[]
const strapi: Arguments = (url) => ['strapi', url]
const dataFile: Arguments = (url) => ['-', '--config', config, '--database', url]

/** Starts an import with a database server that accepts connections and never answers. */
async function waitingImport(env: NodeJS.ProcessEnv = {}, args = strapi) {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // it listens on a port
  const child = spawn(process.execPath, [bin, 'import', ...args(`postgres://127.0.0.1:${port}/old`)], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [socket] = (await once(silent, 'connection')) as [Socket]
  return { child, closed: once(socket, 'close'), ended: once(child, 'close').then(() => err) }
}

/** Prints the options of each process. */
const printed = `--import=data:text/javascript,process.stderr.write(JSON.stringify(process.execArgv))`

describe('The process that imports a data file', () => {
  it('has a limit for its young objects, and none for others', async () => {
    const { ended } = await waitingImport({ NODE_OPTIONS: printed }, dataFile)
    await stopAnswering()
    const err = await ended
    expect(err).toContain('["--max-semi-space-size=4"]')
    expect(err).toContain('does not answer')
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends with the command, by %s',
    async (signal) => {
      const { child, closed, ended } = await waitingImport({}, dataFile)
      child.kill(signal)
      await closed
      const err = await ended
      expect(child.signalCode).toBe(signal)
      if (signal !== 'SIGKILL')
        expect(err).toContain(
          `octavo: ${signal} stopped the import. It is one transaction: unless that had just ended, the database is unchanged.`,
        )
    },
  )
})

describe('When the system ends the process of an import', () => {
  it('the command says so', async () => {
    const { child, ended } = await waitingImport({}, dataFile)
    // The system of a machine without memory does this to the largest process.
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(child.pid)])
    process.kill(Number(stdout), 'SIGKILL')
    expect(await ended).toContain(
      'octavo: SIGKILL ended the import. It is one transaction: unless that had just ended, the database is unchanged.',
    )
    expect(child.exitCode).toBe(1)
  })
})

describe('The process that imports a Strapi project', () => {
  it('has limits for its heap', async () => {
    const { ended } = await waitingImport({ NODE_OPTIONS: printed })
    await stopAnswering()
    const err = await ended
    expect(err).toContain('["--max-old-space-size=256","--max-semi-space-size=4"]')
    expect(err).toContain('cannot be reached')
  })

  it('says that copied files remain when it is stopped', async () => {
    const { child, ended } = await waitingImport()
    child.kill('SIGTERM')
    expect(await ended).toContain(
      'the database is unchanged. Files that were copied remain, and the next import does not copy them again.',
    )
  })

  it('has the limits of the caller', async () => {
    const { ended } = await waitingImport({ NODE_OPTIONS: `${printed} --max-old-space-size=500` })
    await stopAnswering()
    expect(await ended).toContain('["--max-semi-space-size=4"]')
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('ends with the command, by %s', async (signal) => {
    const { child, closed, ended } = await waitingImport()
    child.kill(signal)
    await closed
    await ended
    expect(child.exitCode).not.toBe(0)
  })
})
