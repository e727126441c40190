import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Command } from './command-process.ts'

/** The built command, run in a process of its own as an installed one is. */
export const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

/** For NODE_OPTIONS of a command: its embedded databases start from a copy of an empty one, because initdb takes seconds. */
export const withPreparedDatabases = `--import=${new URL('../../core/test/support/prepared-pglite-hook.mjs', import.meta.url).href}`

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Launched {
  readonly child: ChildProcess
  /** The output up to now. */
  readonly output: { readonly out: string; readonly err: string }
  /** The URL that the server prints when it listens. @throws Error when the command ends first. */
  readonly url: () => Promise<string>
  readonly ended: Promise<Ended>
  /** Ends a server as a service manager does. */
  readonly stop: () => Promise<Ended>
}

/** Variables of the test's process do not apply, and only errors are logged. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, PORT: __, HOST: ___, ...others } = process.env
  return { ...others, LOG_LEVEL: 'error', NODE_OPTIONS: withPreparedDatabases }
}

/** The process of commands, which ends with this one, and the end of the last command that it was given. */
let commands: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** No command takes as long. A `start` that is not refused would never end. */
const longest = 60_000

/**
 * Runs a command of `octavo` that ends by itself, in a process that has run others. Its output and exit code are those of {@link launch}.
 * A server, signals, the standard input and the limits of a process need `launch`; so does one test of each command, as it is installed.
 *
 * @param variables Further environment variables.
 */
export function command(
  cwd: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const next = last.then(() => inProcessOfCommands(cwd, args, { ...environment(), ...variables }))
  last = next.catch(() => {})
  return next
}

function inProcessOfCommands(
  cwd: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<Ended> {
  if (!commands?.connected) {
    const script = fileURLToPath(new URL('./command-process.ts', import.meta.url))
    // Without the options of the test's process, by which plugins would come from their sources beside those of the build.
    commands = fork(script, {
      execArgv: [],
      env: environment(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    commands.unref()
    commands.channel?.unref()
  }
  const child = commands
  return new Promise((resolve, reject) => {
    const end = (reason: string) => reject(new Error(`octavo ${args.join(' ')}: ${reason}`))
    const exited = (code: number | null) => end(`the process of commands ended with ${code}`)
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      end(`it has not ended after ${longest / 1_000} s`)
    }, longest)
    child.once('exit', exited)
    child.once('message', (ended) => {
      clearTimeout(late)
      child.off('exit', exited)
      resolve(ended as Ended) // the message of command-process.ts
    })
    child.send({ cwd, args, variables } as Command) // variables that are set are texts
  })
}

/** A server that is told to end waits five seconds for load balancers to notice, unless it is told otherwise; here is none. */
const atOnce = (args: readonly string[]): readonly string[] =>
  args[0] === 'start' && !args.includes('--drain') ? [...args, '--drain', '0'] : args

/**
 * Runs `octavo` with arguments in a folder. Only errors are logged, variables of the test's process do not apply, and a server ends without
 * `--drain`.
 *
 * @param variables Further environment variables.
 * @param before A program, with its arguments, that starts the command.
 */
export function launch(
  cwd: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  before: readonly string[] = [],
): Launched {
  const [program = process.execPath, ...rest] = [...before, process.execPath, bin, ...atOnce(args)]
  const child = spawn(program, rest, {
    cwd,
    env: { ...environment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  const listens = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.out += chunk
      const url = /http:\/\/[\w.]+:\d+/.exec(output.out)?.[0]
      if (url) resolve(url)
    })
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return {
    child,
    output,
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
