import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** vitest's `globalSetup`: the folder in which the workers share the data folder of a new database (`prepared-pglite.ts`). */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-pglite-'))
  process.env.OCTAVO_TEST_PGLITE_FOLDER = folder
  return () => {
    delete process.env.OCTAVO_TEST_PGLITE_FOLDER
    rmSync(folder, { recursive: true, force: true })
  }
}
