import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CodecProcesses } from './codec-processes.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('processes for pictures', () => {
  it('give no job to a process that was just ended because it was idle', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-codec-'))
    const file = path.join(folder, 'drawing.svg')
    await writeFile(file, '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="3"/>')
    const job = { kind: 'drawing', file } as const
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const processes = new CodecProcesses()
    try {
      const first = await processes.run(job, 60_000)
      // The idle process is killed now; that it has ended is known only after the next turn of the event loop.
      vi.advanceTimersByTime(60_000)
      expect(await processes.run(job, 60_000)).toEqual(first)
    } finally {
      await processes.close()
      await rm(folder, { recursive: true })
    }
  })
})
