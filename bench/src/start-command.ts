/**
 * `octavo start` itself, with its default plugins and its log. Run as a child process with the database, in a folder of its own. It
 * reports the address that the command prints.
 */
import { fileURLToPath } from 'node:url'
import { answerUsage } from './child.ts'

const [node = '', , database = ''] = process.argv
const config = fileURLToPath(new URL('octavo.config.ts', import.meta.url))
process.argv = [node, 'octavo', 'start', '-c', config, '-d', database, '--port', '0', '--no-rate-limit']

const print = console.log
console.log = (...lines: readonly unknown[]) => {
  const [, port] = /listens on http:[^ ]+:(\d+)/.exec(String(lines[0])) ?? []
  if (port === undefined) return print(...lines)
  console.log = print
  answerUsage(Number(port))
}
await import(new URL('bin.js', import.meta.resolve('@octavo/cli')).href)
