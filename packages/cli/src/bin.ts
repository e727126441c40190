#!/usr/bin/env node
import '@octavo/core/engine'
import { existsSync } from 'node:fs'
import module from 'node:module'

import { limitHeap } from './heap.ts'
import { endOnSignals } from './signals.ts'

// Modules of others read the folder when they are loaded, so that it would be their error that ends the process.
try {
  process.cwd()
} catch {
  console.error(
    'octavo: The working directory was removed. Change to another folder, and run the command again',
  )
  process.exit(1)
}

limitHeap(process.argv)
endOnSignals()

// The default import, since Node.js 20, which the line above refuses with a message, has no such export.
//
// Node.js stores the compiled code of modules there when a process ends, so that later starts are quicker; a folder that cannot be
// written does no harm. It is in the project, since the folder for temporary files may belong to several users.
if (existsSync('node_modules')) module.enableCompileCache('node_modules/.cache/octavo')

// Loaded after the check of the Node.js version, and only where needed: the parent of an import process stays small.
const { runImportProcess } = await import('./import-process.ts')
if (!(await runImportProcess(process.argv))) {
  const { run } = await import('./program/program.ts')
  await run(process.argv)
}
