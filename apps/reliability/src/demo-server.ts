/** The demo, served by the command line in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export interface Started {
  readonly url: string
  readonly process: ChildProcess
  /** Resident memory in bytes, as Linux reports it; `undefined` elsewhere. */
  memory(): Promise<number | undefined>
  /** Ends the server with SIGTERM and waits for its end. */
  stop(): Promise<void>
}

const env = {
  ...process.env,
  NODE_ENV: 'production',
  OCTAVO_JWT_SECRET: 'a secret of the runs of this tool only',
}

const octavo = (database: string, ...words: readonly string[]): ChildProcess =>
  spawn(
    process.execPath,
    ['packages/cli/dist/bin.js', ...words, '--config', 'apps/demo/octavo.config.ts', '--database', database],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env },
  )

/**
 * Fills an empty database with the demo, and grants every action to everybody, so that requests get far.
 * @param database `file:./folder` or a URL of PostgreSQL.
 */
export async function fillDemo(database: string): Promise<void> {
  await (await startDemo(database)).stop()
  const granting = octavo(database, 'permissions', 'grant', 'public', '*')
  let output = ''
  granting.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const [code] = await once(granting, 'exit')
  if (code !== 0) throw new Error(`octavo permissions grant ended with ${code}:\n${output}`)
}

/**
 * Starts the demo and waits until it listens.
 * @param options Further options of `octavo start`.
 * @throws Error with the output of the command when it ends before it listens.
 */
export async function startDemo(database: string, ...options: readonly string[]): Promise<Started> {
  const child = octavo(
    database,
    ...['start', '--port', '0', '--host', '127.0.0.1', '--drain', '0', '--log', 'json'],
    ...options,
  )
  let output = ''
  const { promise: url, resolve, reject } = Promise.withResolvers<string>()
  const read = (chunk: Buffer): void => {
    output = `${output}${chunk}`.slice(-20_000)
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
    if (found) resolve(found[0])
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)))
  return {
    url: await url,
    process: child,
    memory: () => residentMemory(child.pid),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function residentMemory(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
