/**
 * `pnpm octavo ...` from the checkout: updates the build, then runs the command line in this process, so
 * that signals reach the server.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
// The compiler's messages go to stderr, since stdout has the command's output.
const build = spawnSync(process.execPath, [tsc, '-b', root], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(build.status ?? 1)

await import('../packages/cli/dist/bin.js')
