import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The built command, run in a process of its own as an installed one is. */
const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** For NODE_OPTIONS of a command: its embedded databases start from a copy of an empty one, because initdb takes seconds. */
export const withPreparedDatabases = `--import=${new URL('../../core/test/support/prepared-pglite-hook.mjs', import.meta.url).href}`

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Launched {
  readonly child: ChildProcess
  /** The URL that the server prints when it listens. @throws Error when the command ends first. */
  readonly url: () => Promise<string>
  readonly ended: Promise<Ended>
  /** Ends a server as a service manager does. */
  readonly stop: () => Promise<Ended>
}

/**
 * Runs `octavo` with arguments in a folder. Only errors are logged, and variables of the test's process do not apply.
 *
 * @param variables Further environment variables.
 */
export function launch(cwd: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Launched {
  const { NODE_ENV: _, PORT: __, HOST: ___, ...environment } = process.env
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...environment, LOG_LEVEL: 'error', NODE_OPTIONS: withPreparedDatabases, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  const listens = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += chunk
      const url = /http:\/\/[\d.]+:\d+/.exec(output.out)?.[0]
      if (url) resolve(url)
    })
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return {
    child,
    ended,
    url: () =>
      Promise.race([
        listens,
        ended.then(({ err }) => Promise.reject(new Error(`The command ended: ${err}`))),
      ]),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
