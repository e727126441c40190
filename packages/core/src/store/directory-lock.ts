import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigurationError } from '../error/configuration-error.ts'

/**
 * Makes this process the only one that uses an embedded database's directory: the engine itself does not look, and two
 * processes in one directory destroy it. The lock is a file beside the directory, `<directory>.lock`, that holds the
 * process id; one that a dead process left is taken over.
 *
 * @returns what gives the directory free.
 * @throws Error that names the directory and the process that has it.
 */
export function lockDirectory(directory: string): () => void {
  const file = `${directory}.lock`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(readFileSync(file, 'utf8'))
    // Our own number means an earlier process had it (in a container every process is number 1), or this one, which
    // knows its locks below.
    if (held.has(file) || (owner !== process.pid && isAlive(owner))) {
      throw new ConfigurationError(
        `The database in ${directory} is in use by process ${owner}; an embedded database serves one process at a time.`,
      )
    }
    writeFileSync(file, String(process.pid))
  }
  held.add(file)
  return () => {
    if (held.delete(file)) rmSync(file, { force: true })
  }
}

/** The locks of this process. */
const held = new Set<string>()

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
