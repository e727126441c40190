import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

const silent = createServer()
afterEach(() => new Promise((resolve) => silent.close(resolve)))

/** Starts an import from a database server that accepts connections and never answers. */
async function waitingImport(env: NodeJS.ProcessEnv = {}) {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo // it listens on a port
  const child = spawn(process.execPath, [bin, 'import', 'strapi', `postgres://127.0.0.1:${port}/old`], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [socket] = (await once(silent, 'connection')) as [Socket]
  socket.on('error', () => {})
  socket.resume()
  return { child, closed: once(socket, 'close'), socket, ended: once(child, 'close').then(() => err) }
}

/** Prints the options of each process. */
const printed = `--import=data:text/javascript,process.stderr.write(JSON.stringify(process.execArgv))`

describe('The process that imports a Strapi project', () => {
  it('has limits for its heap', async () => {
    const { socket, ended } = await waitingImport({ NODE_OPTIONS: printed })
    socket.destroy()
    const err = await ended
    expect(err).toContain('["--max-old-space-size=256","--max-semi-space-size=4"]')
    expect(err).toContain('cannot be reached')
  })

  it('has the limits of the caller', async () => {
    const { socket, ended } = await waitingImport({ NODE_OPTIONS: `${printed} --max-old-space-size=500` })
    socket.destroy()
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
