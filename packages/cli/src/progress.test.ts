import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** A process with a bar, on a pipe that it takes for a terminal. */
const program = (before: string) => `
  process.stderr.isTTY = true
  const { progress } = await import(${JSON.stringify(fileURLToPath(new URL('progress.ts', import.meta.url)))})
  ${before}
  const bar = await progress()
  bar.update(1, 2, 'entries')
  process.stdout.write('shown')
  setInterval(() => {}, 1_000)
`

const [hidden, shown] = ['\u001b[?25l', '\u001b[?25h']
const [cut, wrapped] = ['\u001b[?7l', '\u001b[?7h']

const exits = `process.once('SIGINT', () => process.exit(7))`

it.each([
  ['SIGINT', '', { signal: 'SIGINT', code: null }],
  ['SIGTERM', '', { signal: 'SIGTERM', code: null }],
  ['SIGINT', exits, { signal: null, code: 7 }],
] as const)('after %s the terminal is as it was before; listeners: %s', async (name, before, ended) => {
  const child = spawn(process.execPath, [
    '--conditions=octavo-source',
    '--input-type=module',
    '--eval',
    program(before),
  ])
  let written = ''
  child.stderr.on('data', (chunk) => {
    written += chunk
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  child.kill(name)
  const [code, signal] = await closed
  expect({ signal, code }).toEqual(ended)
  expect([written.includes(hidden), written.includes(cut)]).toEqual([true, true])
  expect(written.lastIndexOf(shown)).toBeGreaterThan(written.lastIndexOf(hidden))
  expect(written.lastIndexOf(wrapped)).toBeGreaterThan(written.lastIndexOf(cut))
})
