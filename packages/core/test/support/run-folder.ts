import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * vitest's `globalSetup`: a folder that the processes of a run share. It has the data folder of a new database (`prepared-pglite.ts`), and
 * the compiled code of modules, which every command that a test starts would compile anew. Node.js reads the variable of the latter.
 */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-run-'))
  const before = process.env.NODE_COMPILE_CACHE
  process.env.OCTAVO_TEST_PGLITE_FOLDER = folder
  process.env.NODE_COMPILE_CACHE ??= path.join(folder, 'compiled')
  return async () => {
    delete process.env.OCTAVO_TEST_PGLITE_FOLDER
    if (before === undefined) delete process.env.NODE_COMPILE_CACHE
    await remove(folder)
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
