import { execFile } from 'node:child_process'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { NodeFS } from '@electric-sql/pglite/nodefs'
import { ConfigurationError } from '../error/configuration-error.ts'
import { withPath } from '../error/full-disk.ts'
import { ownPrefix } from './directory-lock.ts'
import { Flush } from './flush.ts'
import { isOfFullDisk, reasonOf, remedyFor } from './remedies.ts'

/**
 * The folder of an embedded database as PGlite's file system.
 *
 * PostgreSQL asks for files to be on the disk, but Emscripten's file system for folders has no such operation. Here it has
 * one. A flush of the log, which each commit waits for, is only noted, and {@link flushed} carries it out for all
 * commits of that time together. Everything else that changes the folder comes after the log: before it the noted flushes are carried out, so
 * that after a power cut no page is newer than the log, which is PostgreSQL's condition for repairing itself.
 */
export class EmbeddedFolder {
  readonly #directory: string
  readonly #durability: Durability
  readonly #log = new Flush()
  /** The last lines that PostgreSQL wrote to its standard error, for a start that fails. */
  readonly #lines: string[] = []

  #timer: NodeJS.Timeout | undefined

  constructor(directory: string, durability: Durability) {
    this.#directory = directory
    this.#durability = durability
  }

  get directory(): string {
    return this.#directory
  }

  /** Resolves when the commits so far are on the disk; `relaxed`: at once. @throws Error of the disk, from then on each time */
  async flushed(): Promise<void> {
    if (this.#log.failure) throw this.#log.failure
    if (!this.#log.isNeeded) return
    if (this.#durability === 'full') return this.#log.done()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // The next answer throws its error.
      this.#log.done().catch(() => {})
    }, relaxedMs).unref()
  }

  /** The last errors of PostgreSQL, without their time. */
  #messages(): readonly string[] {
    return this.#lines.flatMap((line) => /\b(?:FATAL|PANIC|ERROR|DETAIL):\s+(.*)/.exec(line)?.[1] ?? [])
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#log.close()
  }

  /**
   * Prepares a folder without a database: notes what is in it, and removes the files of an earlier start that did not come to
   * its end, which never held anything that was acknowledged. The lock has to be held.
   * @throws ConfigurationError when the folder has only a part of a database
   */
  async begin(): Promise<void> {
    const note = join(this.#directory, unfinished)
    const names = (await readdir(this.#directory)).filter((name) => !name.startsWith(ownPrefix))
    const before = await readFile(note, 'utf8').catch(() => undefined)
    if (before === undefined) {
      if (names.includes('PG_VERSION')) return
      if (names.includes('base') || names.includes('global'))
        throw damaged(this.#directory, ['the file PG_VERSION is missing'])
      await writeFile(`${note}.new`, JSON.stringify(names), { flush: true }).catch((error: unknown) => {
        throw withPath(error, note)
      })
      await rename(`${note}.new`, note)
      await toDisk(this.#directory)
      return
    }
    const kept: readonly string[] = JSON.parse(before)
    for (const name of names)
      if (!kept.includes(name)) await rm(join(this.#directory, name), { recursive: true, force: true })
  }

  /** Brings a folder that {@link begin} prepared to the disk as a whole: PGlite unpacks it without flushing anything. */
  async complete(): Promise<void> {
    const names = await readdir(this.#directory)
    if (!names.includes(unfinished)) return
    await wholeToDisk(this.#directory)
    await rm(join(this.#directory, unfinished))
    await toDisk(this.#directory)
    await toDisk(dirname(this.#directory))
  }

  /** Adds the folder to an error of PostgreSQL about a full disk, which names a file below it. @returns the error */
  named(error: unknown): unknown {
    if (error instanceof Error && isOfFullDisk(error.message) && !error.message.includes(this.#directory))
      error.message += ` (of the database in ${this.#directory})`
    return error
  }

  /** The error of a start that failed: a sentence with PostgreSQL's reasons, and the remedies. */
  damaged(cause: unknown): ConfigurationError {
    return damaged(this.#directory, this.#messages(), cause)
  }

  /** The file system of {@link PGlite}. */
  attach(fs: NodeFS): NodeFS {
    const init = fs.init.bind(fs)
    fs.init = (pg, options) =>
      init(pg, {
        ...options,
        printErr: (line: string) => {
          this.#lines.push(line)
          if (this.#lines.length > 20) this.#lines.shift()
        },
        preRun: [...(options.preRun ?? []), (module) => this.#extend(module as unknown as EmscriptenModule)],
      })
    return fs
  }

  /** Each PGlite has its own instance of Emscripten's file systems. */
  #extend(module: EmscriptenModule): void {
    const { isDir } = module.FS
    const NODEFS = nodeFsOf(module)
    const { stream_ops: streams, node_ops: nodes } = NODEFS
    const { write } = streams
    const { readdir, rename, unlink, rmdir, setattr } = nodes
    const isLog = ({ parent, name }: FsNode): boolean => parent.name === 'pg_wal' && logName.test(name)
    // PostgreSQL receives an error of the disk as its number.
    const logFirst = (): void => NODEFS.tryFSOperation(() => this.#log.now())
    const afterLog =
      <A extends unknown[], R>(work: (...args: A) => R) =>
      (...args: A): R => {
        logFirst()
        return work(...args)
      }
    const moved = (parent: FsNode, name: string): void =>
      this.#log.forget(join(NODEFS.realPath(parent), name))

    streams.fsync = (stream) => {
      const path = NODEFS.realPath(stream.node)
      NODEFS.tryFSOperation(() => {
        if (isLog(stream.node)) this.#log.request(path)
        else if (isDir(stream.node.mode)) directoryToDisk(path)
        else fsyncSync(stream.nfd)
      })
      return 0
    }
    streams.write = (stream, ...rest) => {
      if (!isLog(stream.node)) logFirst()
      return write(stream, ...rest)
    }
    nodes.setattr = afterLog(setattr)
    nodes.rmdir = afterLog(rmdir)
    nodes.unlink = afterLog((parent, name) => {
      moved(parent, name)
      unlink(parent, name)
    })
    nodes.rename = afterLog((node, parent, name) => {
      moved(node.parent, node.name)
      moved(parent, name)
      rename(node, parent, name)
    })
    // PostgreSQL opens all files that it finds when it repairs itself, and closing the lock would release it.
    nodes.readdir = (node) => {
      const names = readdir(node)
      return node.parent === node ? names.filter((name) => !name.startsWith(ownPrefix)) : names
    }
  }
}

/** Whether an answer waits until its write is on the disk, or a power cut may take the last second. */
export type Durability = 'full' | 'relaxed'

/** Milliseconds after a commit until it is brought to the disk, where no answer waits for it. */
const relaxedMs = 500

/** The file that exists while the folder is made. */
const unfinished = `${ownPrefix}unfinished`

/** A segment of the write-ahead log: timeline and position, as 24 hexadecimal digits. */
const logName = /^[0-9A-F]{24}$/

interface FsNode {
  readonly parent: FsNode
  readonly name: string
  readonly mode: number
}

interface FsStream {
  readonly node: FsNode
  /** Node's descriptor, of files only. */
  readonly nfd: number
}

/** Emscripten's file system for folders. */
interface EmscriptenNodeFs {
  realPath(node: FsNode): string
  /** @throws Emscripten's error with the number of a system error */
  tryFSOperation(work: () => void): void
  readonly stream_ops: {
    write(stream: FsStream, ...rest: unknown[]): number
    fsync?(stream: FsStream): number
  }
  readonly node_ops: {
    setattr(node: FsNode, attributes: unknown): void
    rename(node: FsNode, parent: FsNode, name: string): void
    unlink(parent: FsNode, name: string): void
    rmdir(parent: FsNode, name: string): void
    readdir(node: FsNode): string[]
  }
}

/** The parts of Emscripten's module of which PGlite has no types. */
interface EmscriptenModule {
  readonly FS: {
    isDir(mode: number): boolean
    readonly filesystems: { readonly NODEFS?: EmscriptenNodeFs }
  }
  readonly NODEFS?: EmscriptenNodeFs
}

/** PGlite 0.5.8 has it in `FS.filesystems`, 0.5.16 in the module. @throws Error for a version that has it elsewhere */
function nodeFsOf({ NODEFS, FS }: EmscriptenModule): EmscriptenNodeFs {
  const found = NODEFS ?? FS.filesystems.NODEFS
  if (!found) throw new Error('this version of @electric-sql/pglite is not supported; 0.5.8 and 0.5.16 are')
  return found
}

function damaged(directory: string, reasons: readonly string[], cause?: unknown): ConfigurationError {
  const reason = reasons.length > 0 ? reasons.join('; ') : reasonOf(cause)
  return new ConfigurationError(
    `The database in ${directory} does not start: ${reason}. ${remedyFor(reason)}`,
    { cause },
  )
}

/** Windows opens no directories, and keeps their entries by itself. */
function directoryToDisk(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function toDisk(path: string, isFile = false): Promise<void> {
  if (!isFile && process.platform === 'win32') return
  const handle = await open(path, isFile ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes the file system once, with the program `sync` where there is one; a flush of each of the thousand files takes seconds. */
async function wholeToDisk(directory: string): Promise<void> {
  if (process.platform !== 'linux') return allToDisk(directory)
  await promisify(execFile)('sync', ['--file-system', directory]).catch(() => allToDisk(directory))
}

async function allToDisk(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const left = entries.filter(
    (entry) => (entry.isFile() || entry.isDirectory()) && !entry.name.startsWith(ownPrefix),
  )
  // Several at once: a disk combines their flushes.
  const work = async (): Promise<void> => {
    for (let entry = left.pop(); entry; entry = left.pop())
      await toDisk(join(entry.parentPath, entry.name), entry.isFile())
  }
  await Promise.all(Array.from({ length: 16 }, work))
}
