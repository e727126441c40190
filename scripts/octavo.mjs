/**
 * `pnpm octavo ...` from the checkout: brings the build up to date, then runs the command line in this very process, so
 * that a signal sent to it reaches the server.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
// The compiler's messages go to stderr: stdout belongs to the command.
const build = spawnSync(process.execPath, [tsc, '-b', root], { stdio: ['ignore', 2, 2] })
if (build.status !== 0) process.exit(build.status ?? 1)

await import('../packages/cli/dist/bin.js')
