/** Results that a full disk, a link or a folder without rights stands in the way of. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeNew, writeWhole } from '../src/write-whole.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-whole-'))
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true })
})
const at = (name: string): string => path.join(folder, name)

describe('a result of a command', () => {
  it('replaces the former one, and keeps its mode', async () => {
    writeFileSync(at('x.json'), 'former')
    // New files have no such mode: most users have a umask that takes the right to write from groups.
    chmodSync(at('x.json'), 0o660)
    await writeWhole(at('x.json'), 'new')
    expect(readFileSync(at('x.json'), 'utf8')).toBe('new')
    expect(statSync(at('x.json')).mode & 0o777).toBe(0o660)
    expect(readdirSync(folder)).toEqual(['x.json'])
  })

  it('is written through a link', async () => {
    symlinkSync(at('target'), at('link'))
    await writeWhole(at('link'), 'new')
    expect(readFileSync(at('target'), 'utf8')).toBe('new')
    expect(readdirSync(folder).sort()).toEqual(['link', 'target'])
  })

  it.runIf(existsSync('/dev/full'))('leaves the former one on a full disk, and names its file', async () => {
    writeFileSync(at('x.json'), 'former')
    symlinkSync('/dev/full', at(`x.json.${process.pid}.part`))
    await expect(writeWhole(at('x.json'), 'new')).rejects.toThrow(
      `ENOSPC: no space left on device, write '${at('x.json')}'`,
    )
    expect(readFileSync(at('x.json'), 'utf8')).toBe('former')
    expect(readdirSync(folder)).toEqual(['x.json'])
  })
})

describe('a new file', () => {
  it('takes the place of none', async () => {
    writeFileSync(at('x.json'), 'former')
    await expect(writeNew(at('x.json'), 'new')).rejects.toThrow('EEXIST')
    expect(readFileSync(at('x.json'), 'utf8')).toBe('former')
    await writeNew(at('y.json'), 'new')
    expect(readFileSync(at('y.json'), 'utf8')).toBe('new')
  })
})
