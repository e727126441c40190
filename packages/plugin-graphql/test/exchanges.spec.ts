/** Replays the exchanges that were recorded from the reference, with their runner. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conformance, type RecordedServer, recordedServer } from './recorded.ts'

let running: RecordedServer
beforeAll(async () => {
  running = await recordedServer()
})
afterAll(() => running.close())

it('The recorded exchanges of the reference get equal answers', async () => {
  const runner = spawn(process.execPath, [`${conformance}graphql/run.mjs`, 'diff', '--base', running.url])
  let report = ''
  runner.stdout.on('data', (part: Buffer) => {
    report += part
  })
  await once(runner, 'close')
  expect(report).toMatch(/\n204 passed, 0 failed\n$/)
})
