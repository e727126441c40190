#!/usr/bin/env node
import '@octavo/core/engine'

// Loaded after the check of the Node.js version, and only where needed: the parent of an import process stays small.
const { runImportProcess } = await import('./import-process.ts')
if (!(await runImportProcess(process.argv))) {
  const { run } = await import('./program/program.ts')
  await run(process.argv)
}
