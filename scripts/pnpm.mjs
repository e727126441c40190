/**
 * Runs pnpm in the version that `packageManager` of package.json names, on any Node >= 20, and ends with its exit code:
 * `node scripts/pnpm.mjs run build`. Only that file has the version.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** @returns {number} The exit code; 1 when it was ended by a signal. */
export function pnpm(...args) {
  // npx is a .cmd file on Windows, which only a shell can run.
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync('npx', ['--yes', packageManager, ...args], { stdio: 'inherit', shell })
  if (error) console.error(error.message)
  return status ?? 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = pnpm(...process.argv.slice(2))
