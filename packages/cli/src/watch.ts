/** `octavo start --watch`: the server runs in a process of its own, which is replaced when a file of the project changes. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CommonFlags } from './server-options.ts'
import { answerSignals, type EndingSignal, endBy } from './signals.ts'

/** Set in the environment of the process with the server. */
const variable = 'OCTAVO_WATCHED'

/** Milliseconds for which further changes are awaited: an editor that saves writes, renames and removes files, and a checkout changes many. */
const pause = 100

/** Folders whose files a start does not read: those of packages, builds and reports, and uploads. */
const unread: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', 'public', 'uploads'])

/** Definitions, configurations and modules, but not the declarations that `octavo types` writes. */
const read = /^(?:\.env.*|.*(?<!\.d)\.[cm]?[jt]s|.*\.json)$/

/**
 * Starts the server, and again when a file of the project changes. A server that has ended, since a definition has a mistake, is started by the
 * next change. A signal ends the server and this process.
 *
 * @param argv Of this process, with `--watch`.
 */
export async function startWatched(flags: CommonFlags, argv: readonly string[]): Promise<void> {
  // It is for development only, so other starts do not load it.
  const { watch } = await import('chokidar')
  const [, bin = '', ...args] = argv
  const server = new WatchedServer(
    bin,
    args.filter((word) => word !== '--watch'),
  )
  answerSignals((signal) => void server.end(signal))
  const folders = watchedFolders(flags)
  const ignored = (file: string, stats?: Stats) => !folders.has(file) && isUnread(file, stats)
  watch([...folders], { ignoreInitial: true, ignored })
    .on('all', (event, file) => {
      if (!event.endsWith('Dir')) void server.replace(path.relative('', file))
    })
    .on('error', (error) => console.error(`octavo: some changes may go unnoticed: ${String(error)}`))
    // A change before would go unnoticed.
    .once('ready', () => server.start())
}

/** Ends the server when the process that watches is gone. Other processes have none. */
export function endWithWatcher(): void {
  if (process.env[variable] === undefined) return
  // The workers of the server have a parent of their own.
  delete process.env[variable]
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  process.channel?.unref()
}

/** This folder, the places that options name, and the sources of the packages where they run without a build. */
function watchedFolders({ config, content }: CommonFlags): ReadonlySet<string> {
  const sources = import.meta.url.endsWith('.ts') ? [fileURLToPath(new URL('../..', import.meta.url))] : []
  return new Set(['.', config, content, ...sources].flatMap((place) => (place ? path.resolve(place) : [])))
}

/** Whether a start reads nothing at a path, nor below it. */
function isUnread(file: string, stats?: Stats): boolean {
  const name = path.basename(file)
  if (stats?.isFile()) return !read.test(name)
  return unread.has(name) || (name.startsWith('.') && !name.startsWith('.env'))
}

class WatchedServer {
  readonly #bin: string
  readonly #args: readonly string[]
  #process: ChildProcess | undefined
  /** The time of the last change, while a change is followed. */
  #changed: number | undefined
  #isEnding = false

  constructor(bin: string, args: readonly string[]) {
    this.#bin = bin
    this.#args = args
  }

  start(): void {
    const child = fork(this.#bin, [...this.#args], {
      // Signals of the terminal reach this process only, which passes on one: a second would end the server at once. Windows would open a window.
      detached: process.platform !== 'win32',
      env: { ...process.env, [variable]: '1' },
    })
    this.#process = child
    child.once('exit', (code, signal) => {
      this.#process = undefined
      if (this.#changed !== undefined || this.#isEnding) return
      console.error(`octavo: the server has ended with ${signal ?? code}, and starts again after a change`)
    })
  }

  /** Ends the server, and starts it when a moment has passed without a further change. */
  async replace(file: string): Promise<void> {
    if (this.#isEnding) return
    const isFollowed = this.#changed !== undefined
    this.#changed = performance.now()
    if (isFollowed) return
    console.error(`octavo: ${file} has changed, and the server starts again`)
    await this.#kill('SIGINT')
    while (performance.now() - this.#changed < pause) await wait(pause)
    this.#changed = undefined
    if (!this.#isEnding) this.start()
  }

  /** Ends the server and this process by a signal; a second one, at once. */
  async end(signal: EndingSignal): Promise<void> {
    const kills = this.#isEnding ? 'SIGKILL' : signal
    this.#isEnding = true
    await this.#kill(kills)
    endBy(signal)
    process.exit()
  }

  async #kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    if (!child) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
}
