import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ConfigurationError } from '../error/configuration-error.ts'
import { makeFolder } from '../make-folder.ts'

/**
 * Makes this process the only one that uses an embedded database's directory: the engine itself does not check, and two
 * processes in one directory destroy it.
 *
 * The lock is one of the operating system (fcntl, on Windows LockFileEx) on the empty file `octavo.lock` in the directory.
 * It ends with the process, and holds between containers that share the directory, where process ids say nothing. SQLite, a part of
 * Node.js, takes it, and keeps it from a second opener in this process. No other code of this process may open that file: closing it would end the lock.
 *
 * @param directory Exists, without symbolic links; see {@link realDirectory}.
 * @returns releases the lock.
 * @throws ConfigurationError that names the directory and the process that uses it, or the file system that has no locks.
 */
export function lockDirectory(directory: string): () => void {
  const owner = join(directory, `${ownPrefix}pid`)
  const lock = open(directory)
  try {
    // Without a journal in memory the transaction would make a file for it.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
    writeFileSync(owner, `${process.pid} on ${hostname()}`)
  } catch (error) {
    lock.close()
    throw isBusy(error) ? inUse(directory, owner) : notLockable(directory, error)
  }
  return () => {
    if (lock.isOpen) lock.close()
  }
}

/**
 * Makes the directory when it is missing.
 *
 * @returns its path without symbolic links.
 * @throws ConfigurationError when it cannot be made, with the reason of the system
 */
export function realDirectory(directory: string): string {
  try {
    makeFolder(directory)
    return realpathSync(directory)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException // of the file system
    const remedy = remedies[code] ?? ''
    throw new ConfigurationError(
      `The folder of the embedded database, ${directory}, cannot be made (${message}).${remedy}`,
      { cause: error },
    )
  }
}

const another = ' Name another folder, or give this user the right to write to the one that it is in.'
const ofFile = ' A part of its path is a file; name a folder.'
const remedies: Readonly<Record<string, string>> = {
  EACCES: another,
  EPERM: another,
  EROFS: another,
  EEXIST: ofFile,
  ENOTDIR: ofFile,
  ENOENT: another,
  ENOSPC: ' Make room on this disk, and start again.',
}

/** The beginning of the names of Octavo's own files in a directory of the engine, which does not see them. */
export const ownPrefix = 'octavo.'

function open(directory: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  try {
    return new DatabaseSync(join(directory, `${ownPrefix}lock`), { timeout: 0 })
  } catch (error) {
    throw notLockable(directory, error)
  }
}

/** Node.js 22 warns that this part is new; the few calls here are the same in Node.js 24. */
function loadSqlite(): typeof import('node:sqlite') {
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = warn
  }
}

/** SQLITE_BUSY */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly errcode?: unknown }).errcode === 5

function inUse(directory: string, owner: string): ConfigurationError {
  return new ConfigurationError(
    `The database in ${directory} is in use by ${ownerOf(owner)}; an embedded database serves one process at a time.`,
  )
}

function ownerOf(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}

const notLockable = (directory: string, error: unknown): ConfigurationError =>
  new ConfigurationError(
    `The embedded database cannot be locked in ${directory} (${error instanceof Error ? error.message : error}). It needs a folder that this user may write to, on a file system with locks.`,
  )
