import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A terminal: commands run in one shell, one after another, so that variables and folders stay. */
export class Terminal {
  readonly #shell: ChildProcess
  #output = ''
  #errors = ''
  readonly #ended: Promise<unknown>

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own: npx passes no signals on to the command that it runs.
      detached: true,
    })
    this.#shell.stdout?.on('data', (part) => {
      this.#output += part
    })
    this.#shell.stderr?.on('data', (part) => {
      this.#errors += part
    })
    this.#ended = once(this.#shell, 'exit')
  }

  /**
   * Runs commands and returns their standard output. A command that fails ends them and the shell (`set -e`), in a pipe too.
   * @throws Error with both outputs when one of the commands fails.
   */
  async run(commands: string): Promise<string> {
    this.#output = ''
    this.#errors = ''
    const mark = 'the-commands-have-ended'
    this.#shell.stdin?.write(`set -eo pipefail\n{ ${commands.trimEnd()}\n} < /dev/null\necho "${mark}"\n`)
    while (!this.#output.endsWith(`${mark}\n`)) {
      const more = this.#shell.stdout ? once(this.#shell.stdout, 'data') : this.#ended
      const end = await Promise.race([more.then(() => false), this.#ended.then(() => true)])
      if (end)
        throw new Error(
          `Exit code ${this.#shell.exitCode} of:\n${commands}\n${this.#output}\n${this.#errors}`,
        )
    }
    return this.#output.slice(0, -mark.length - 1)
  }

  /** Starts a command that does not end, such as a server, and waits until it prints `sign`. */
  async start(command: string, sign: RegExp): Promise<void> {
    this.#shell.stdin?.write(`exec ${command}\n`)
    while (!sign.test(this.#output + this.#errors)) {
      const streams = [this.#shell.stdout, this.#shell.stderr].filter((stream) => stream !== null)
      const more = Promise.race(streams.map((stream) => once(stream, 'data')))
      const end = await Promise.race([more.then(() => false), this.#ended.then(() => true)])
      if (end) throw new Error(`${command} ended:\n${this.#output}\n${this.#errors}`)
    }
  }

  /** Ends the shell, or the command that it became, with its children. */
  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#shell
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
    await this.#ended
  }
}
