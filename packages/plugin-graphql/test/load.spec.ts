import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

it('The library is loaded by the first request, not by the start', async () => {
  const database = await createTestDatabase()
  try {
    const program = fileURLToPath(new URL('./first-request.ts', import.meta.url))
    const options = ['--conditions=octavo-source', program, database.url]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    expect(stdout.trim().split('\n')).toEqual(['false', 'true'])
  } finally {
    await database.drop()
  }
})
