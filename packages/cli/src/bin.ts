#!/usr/bin/env node
import '@octavo/core/engine'

// Loaded when the engine is known to be able to.
const { run } = await import('./program.ts')
await run(process.argv)
