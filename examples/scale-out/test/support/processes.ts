import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Folders of Debian's packages that are not on the path of every user. */
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']

/** The path of a program, or `undefined`. The environment variable `OCTAVO_TEST_<NAME>` is the path of another one. */
export function find(name: string): string | undefined {
  const given = process.env[`OCTAVO_TEST_${name.toUpperCase().replaceAll('-', '_')}`]
  return [given, ...folders.map((folder) => path.join(folder, name))].find(
    (file) => file !== undefined && existsSync(file),
  )
}

/** The first line that a program prints about its version. */
export const versionOf = (program: string, flag = '--version'): string => {
  const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' })
  return `${stdout}${stderr}`.split('\n')[0] ?? ''
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A folder that every user may read: servers give up the rights of root. */
export async function openFolder(): Promise<{
  readonly folder: string
  readonly remove: () => Promise<void>
}> {
  const { chmod } = await import('node:fs/promises')
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-scale-'))
  await chmod(folder, 0o777)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export interface Running {
  readonly child: ChildProcess
  /** Ends the process and waits for its end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

/**
 * Starts a program and waits until it accepts connections on a port.
 *
 * @param options.signal What `stop` sends. Default SIGTERM.
 * @throws Error with its output when it ends before.
 */
export async function start(
  program: string,
  args: readonly string[],
  port: number,
  options: { readonly env?: NodeJS.ProcessEnv; readonly uid?: number; readonly signal?: NodeJS.Signals } = {},
): Promise<Running> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env,
    uid: options.uid,
    gid: options.uid,
  })
  let output = ''
  let end: number | string | null | undefined
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  child.on('error', (error) => {
    end = error.message
  })
  const ended = new Promise<void>((resolve) =>
    // Not `close`: children of a server may hold its output open.
    child.once('exit', (code, signal) => {
      end = code ?? signal
      resolve()
    }),
  )
  while (!(await accepts(port))) {
    if (end !== undefined) throw new Error(`${program} ended with ${end}: ${output}`)
    await wait(50)
  }
  return {
    child,
    stop: async (signal = options.signal ?? 'SIGTERM') => {
      child.kill(signal)
      await ended
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
