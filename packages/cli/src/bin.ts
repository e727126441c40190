#!/usr/bin/env node
import '@octavo/core/engine'

// Loaded after the check of the Node.js version.
const { run } = await import('./program.ts')
await run(process.argv)
