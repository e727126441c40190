/** `octavo start` in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { familyOf, openHandles, processorTime, residentMemory } from './process-figures.ts'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))
const bin = fileURLToPath(new URL('../../../../packages/cli/dist/bin.js', import.meta.url))

export interface StartOptions {
  /** Path of the configuration. */
  readonly config: string
  /** Default: that of the configuration. */
  readonly database?: string
  /** Default: a free port. */
  readonly port?: number
  /** Further arguments of `octavo start`; `--drain 0` and `--log json` are the defaults. */
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** A command that runs the server, and its arguments. Default none. */
  readonly prefix?: readonly string[]
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Runs a command of `octavo` to its end.
 * @param watch Runs beside it, with its process id.
 */
export async function octavo(
  args: readonly string[],
  watch?: (pid: number) => Promise<void>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, read } = launch(args, {})
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  void watch?.(child.pid ?? 0)
  const code = await promise
  return { code, output: read() }
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv, prefix: readonly string[] = []) {
  const [command = '', ...rest] = [...prefix, process.execPath, bin, ...args]
  const child = spawn(command, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      OCTAVO_JWT_SECRET: 'a secret of the runs of this tool only',
      ...env,
    },
  })
  let output = ''
  const collect = (chunk: Buffer): void => {
    output = `${output}${chunk}`.slice(-20_000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return { child, read: () => output }
}

export class OctavoProcess {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly #read: () => string
  #url = ''

  private constructor(args: readonly string[], env: NodeJS.ProcessEnv, prefix: readonly string[]) {
    const { child, read } = launch(args, env, prefix)
    this.child = child
    this.#read = read
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
  }

  /** Starts a server without waiting until it listens. */
  static launch({
    config,
    database,
    port = 0,
    args = [],
    env = {},
    prefix = [],
  }: StartOptions): OctavoProcess {
    return new OctavoProcess(
      [
        ...['start', '--config', config, '--port', String(port)],
        ...(database === undefined ? [] : ['--database', database]),
        ...['--host', '127.0.0.1', '--drain', '0', '--log', 'json', ...args],
      ],
      env,
      prefix,
    )
  }

  /**
   * Starts a server and waits until it listens.
   * @throws Error with the output of the command when it ends before.
   */
  static async start(options: StartOptions): Promise<OctavoProcess> {
    const server = OctavoProcess.launch(options)
    await server.listening()
    return server
  }

  /** `http://127.0.0.1:1337` */
  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** The last 20,000 characters that it has written. */
  get output(): string {
    return this.#read()
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async listening(): Promise<void> {
    const printed = new Promise<void>((resolve) => {
      const look = (): void => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(this.output)?.[0]
        if (found === undefined) return
        this.#url = found
        this.child.stdout?.off('data', look)
        resolve()
      }
      this.child.stdout?.on('data', look)
      look()
    })
    const failed = this.ended.then(({ code, signal }) => {
      throw new Error(`The server ended with ${code ?? signal}:\n${this.output}`)
    })
    await Promise.race([printed, failed])
  }

  /** Resident memory of the process and its workers, in bytes. */
  async memory(): Promise<number | undefined> {
    return residentMemory(await familyOf(this.pid))
  }

  /** Resident memory of the process alone, and of those that it has started: workers, and processes for pictures. */
  async memoryApart(): Promise<{ readonly own: number | undefined; readonly started: number | undefined }> {
    const [pid = 0, ...started] = await familyOf(this.pid)
    const own = await residentMemory([pid])
    // None of them runs at times.
    return { own, started: own === undefined ? undefined : ((await residentMemory(started)) ?? 0) }
  }

  /** Seconds of processor time of the process alone. */
  async processorTime(): Promise<number> {
    return (await processorTime(this.pid)) ?? 0
  }

  /** Open files and sockets of the process and its workers. */
  async handles(): Promise<number | undefined> {
    return openHandles(await familyOf(this.pid))
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ended> {
    if (this.isRunning) this.child.kill(signal)
    return this.ended
  }

  /** Ends the server with SIGTERM. */
  stop(): Promise<Ended> {
    return this.kill('SIGTERM')
  }
}
