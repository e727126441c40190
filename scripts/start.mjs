/**
 * `npm start`: installs, builds and serves the demo, on any Node >= 20. Arguments go to `octavo start`: `npm start --
 * --port 8080`.
 *
 * The server is a child of this process, on the workspace's own Node, and not of npx and pnpm: through them a SIGTERM
 * would end npx and leave the server running.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pnpm } from './pnpm.mjs'

const parent = process.ppid
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const built = pnpm('run', 'build')
if (built !== 0) process.exit(built)

const octavo = [
  '--conditions=octavo-source',
  'packages/cli/src/bin.ts',
  'start',
  '--config',
  'apps/demo/octavo.config.ts',
  ...process.argv.slice(2),
]
const server = spawn(join('node_modules', 'node', 'bin', 'node'), octavo, { stdio: 'inherit' })
process.on('SIGTERM', () => server.kill('SIGTERM'))
// On a terminal, Ctrl+C reaches the server directly; a second SIGINT would end it at once.
process.on('SIGINT', () => process.stdin.isTTY || server.kill('SIGINT'))
// npm sends SIGTERM to the shell between it and this process, which ends without passing it on, so a new parent means SIGTERM.
setInterval(() => process.ppid === parent || server.kill('SIGTERM'), 500).unref()
server.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
server.on('exit', (code) => {
  process.exitCode = code ?? 1
})
