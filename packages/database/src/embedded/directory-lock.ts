import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError } from '../error/configuration-error.ts'

/**
 * Makes this process the only one that uses an embedded database's directory: the engine itself does not check, and two
 * processes in one directory destroy it. The lock is a file beside the directory, `<directory>.lock`, that holds the
 * process id; the lock of a dead process is taken over.
 *
 * @param directory Without symbolic links, see {@link realDirectory}: two paths to one directory would be two locks.
 * @returns releases the lock.
 * @throws ConfigurationError that names the directory and the process that uses it.
 */
export function lockDirectory(directory: string): () => void {
  const file = `${directory}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const owner = acquire(file)
  if (owner !== undefined)
    throw new ConfigurationError(
      `The database in ${directory} is in use by process ${owner}; an embedded database serves one process at a time.`,
    )
  return () => release(file)
}

/** Makes the directory when it is missing. @returns its path without symbolic links. */
export function realDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true })
  return realpathSync(directory)
}

/**
 * Takes the lock, or returns the id of the process that has it. The file appears with its content in one step, and it is
 * replaced only by a process that holds a second lock, `<file>.next`: two processes that find the same dead owner cannot
 * both take over. That lock may in turn be left by a process that died while it took over, and is taken over likewise.
 */
function acquire(file: string): number | undefined {
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    for (;;) {
      try {
        linkSync(own, file)
        held.add(file)
        return undefined
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      }
      const owner = ownerOf(file)
      if (owner === undefined) continue
      if (isInUse(file, owner)) return owner
      const next = `${file}.next`
      const other = acquire(next)
      if (other !== undefined) return other
      try {
        // Another process may have taken over, and released `next`, since the owner was read.
        const now = ownerOf(file)
        if (now === undefined) continue
        if (isInUse(file, now)) return now
        renameSync(own, file)
        held.add(file)
        return undefined
      } finally {
        release(next)
      }
    }
  } finally {
    rmSync(own, { force: true })
  }
}

function release(file: string): void {
  if (held.delete(file)) rmSync(file, { force: true })
}

/** The process id in the file, not a number when it holds none; `undefined` when the lock has just been released. */
function ownerOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Our own process id is that of an earlier process (in a container every process is number 1), unless this process holds
 * the lock.
 */
const isInUse = (file: string, owner: number): boolean =>
  held.has(file) || (owner !== process.pid && isAlive(owner))

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** The locks of this process. */
const held = new Set<string>()

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
