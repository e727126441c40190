import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Disk } from './disk.ts'
import type { DiskEvent } from './disk-event.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-disk-'))
  await writeFile(join(folder, 'log'), 'old')
})
afterEach(() => rm(folder, { recursive: true }))

/** Of the rest nothing is on the disk, or everything. */
const nothing = (): number => 0
const everything = (): number => 0.99
async function after(events: readonly (readonly [DiskEvent, string?])[]): Promise<Disk> {
  const disk = await Disk.of(folder)
  for (const [event, text] of events) disk.apply(event, text === undefined ? undefined : Buffer.from(text))
  return disk
}
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
const write = (name: string, at: number): DiskEvent => ({ kind: 'write', name, at })
const flush = (name: string, flush = 1): DiskEvent => ({ kind: 'flush', name, flush })
const flushed = (name: string, flush = 1): DiskEvent => ({ kind: 'flushed', name, flush })

describe('a disk after a power cut', () => {
  it('has what was flushed', async () => {
    const disk = await after([[write('log', 0), 'new'], [flush('log')], [flushed('log')]])
    await disk.cut(folder, nothing)
    expect(await text('log')).toBe('new')
  })

  it.each([
    ['was never flushed', [[write('log', 0), 'new']]],
    [
      'was written while a flush was on its way',
      [[flush('log')], [write('log', 0), 'new'], [flushed('log')]],
    ],
    ['has a flush that did not end', [[write('log', 0), 'new'], [flush('log')]]],
    [
      'belongs to another file than the flushed one',
      [[write('log', 0), 'new'], [flush('x')], [flushed('x')]],
    ],
  ] as const)('may or may not have what %s', async (_, events) => {
    const disk = await after(events)
    await disk.cut(folder, everything)
    const all = await text('log')
    await disk.cut(folder, nothing)
    expect([all, await text('log')]).toEqual(['new', 'old'])
  })

  it('has a new file and a new name after the next flush', async () => {
    const events = [
      [write('made', 0), 'a'],
      [flush('made')],
      [flushed('made')],
      [{ kind: 'rename', from: 'made', name: 'renamed' }],
    ] as const
    const disk = await after(events)
    await disk.cut(folder, nothing)
    expect((await readdir(folder)).sort()).toEqual(['log', 'made'])
    const later = await after([...events, [flush('log', 2)], [flushed('log', 2)]])
    await later.cut(folder, nothing)
    expect((await readdir(folder)).sort()).toEqual(['log', 'renamed'])
  })
})
