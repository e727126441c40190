#!/usr/bin/env node
// Static imports would run before this check; older versions of Node.js cannot load them.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 22)) {
  console.error(
    `Octavo needs Node.js 22.22 or later, and this is ${process.versions.node}: see https://nodejs.org`,
  )
  process.exit(1)
}
const { run } = await import('./program.ts')
await run(process.argv)

export {}
