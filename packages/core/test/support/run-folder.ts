import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * vitest's `globalSetup`: a folder that the processes of a run share. It has the data folder of a new database (`prepared-pglite.ts`), and
 * the compiled code of modules, which every command that a test starts would compile anew. Node.js reads the variable of the latter.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-run-'))
  const before = process.env.NODE_COMPILE_CACHE
  process.env.OCTAVO_TEST_PGLITE_FOLDER = folder
  process.env.NODE_COMPILE_CACHE ??= path.join(folder, 'compiled')
  return () => {
    delete process.env.OCTAVO_TEST_PGLITE_FOLDER
    if (before === undefined) delete process.env.NODE_COMPILE_CACHE
    // A process that is ending may still write its compiled code.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}
