import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The memory of Linux as a folder. */
const memory = '/dev/shm'

/**
 * vitest's `globalSetup`: a folder that the processes of a run share. It has the data folder of a new database (`prepared-pglite.ts`), and
 * the compiled code of modules, which every command that a test starts would compile anew. Node.js reads the variable of the latter, and that
 * of the folder for temporary files, which is in it as well: tests write some gigabytes, an embedded database 40 MB each.
 */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? memory : tmpdir(), 'octavo-run-'))
  // PostgreSQL and other programs of tests run as users of their own, with folders in this one.
  chmodSync(folder, 0o711)
  const before = { ...process.env }
  process.env.OCTAVO_TEST_PGLITE_FOLDER = folder
  process.env.NODE_COMPILE_CACHE ??= path.join(folder, 'compiled')
  process.env.TMPDIR = folder
  return async () => {
    for (const name of ['OCTAVO_TEST_PGLITE_FOLDER', 'NODE_COMPILE_CACHE', 'TMPDIR'])
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    await remove(folder)
  }
}

/** Whether temporary files of a run fit into memory, with as much left for what it computes. In a container there are 64 MB by default. */
function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem() / 2) > 4 * 2 ** 30
  } catch {
    return false
  }
}

/** A process that is ending may still write its compiled code. The option `maxRetries` of Node.js 22 does not look for new files. */
async function remove(folder: string, attempts = 50): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (attempts === 0) throw error
    await delay(100)
    await remove(folder, attempts - 1)
  }
}
