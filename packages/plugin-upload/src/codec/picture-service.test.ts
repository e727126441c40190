import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../options.ts'
import { CodecProcesses } from './codec-processes.ts'
import { defaultImages, PictureService } from './picture-service.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Programs in place of the one that uses sharp. */
const programs: Readonly<Record<string, string>> = {
  'does not start': 'process.exit(1)',
  'is killed while it loads': `process.kill(process.pid, 'SIGKILL')`,
  'ends during a job': `process.on('message', () => process.exit(0)); process.send('ready')`,
  'is killed during a job': `process.on('message', () => process.kill(process.pid, 'SIGKILL')); process.send('ready')`,
  'closes its channel': `process.on('message', () => {}); process.send('ready', () => process.disconnect())`,
}

describe('a process for pictures that', () => {
  it.each(Object.entries(programs))('%s: 503 upload/unavailable', async (name, text) => {
    const program = path.join(folder, `${name.replaceAll(' ', '-')}.mjs`)
    await writeFile(program, text)
    const processes = new CodecProcesses(program)
    const service = new PictureService(defaultImages, defaultLimits, processes)
    try {
      await expect(service.original('picture.png', 'image/png', folder, 'somebody')).rejects.toMatchObject({
        status: 503,
        code: 'upload/unavailable',
      })
    } finally {
      await service.close()
    }
  })
})
