/**
 * `pnpm octavo <command>` from the checkout: runs the sources as they are, without a build. It is started with
 * `--conditions=octavo-source`, the condition by which the packages lead to their sources; processes and threads that the
 * command starts inherit it.
 *
 * `--watch` starts the command again whenever a module that it has loaded changes.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const isWatched = process.argv.includes('--watch')
if (!isWatched) {
  // In this process, so that signals reach the server.
  await import('../packages/cli/src/bin.ts')
} else {
  const script = fileURLToPath(import.meta.url)
  const words = process.argv.slice(2).filter((word) => word !== '--watch')
  const options = [...process.execArgv, '--watch', '--watch-preserve-output']
  const watcher = spawn(process.execPath, [...options, script, ...words], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => watcher.kill(signal))
  watcher.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
