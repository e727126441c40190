import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.ts'

let parent: string
let directory: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'octavo-'))
  directory = join(parent, 'deep', 'data')
})
afterEach(() => rmSync(parent, { recursive: true }))

it('lets one in at a time', () => {
  const unlock = lockDirectory(directory)
  expect(readFileSync(`${directory}.lock`, 'utf8')).toBe(String(process.pid))
  expect(() => lockDirectory(directory)).toThrow(`${directory} is in use by process ${process.pid}`)
  unlock()
  expect(existsSync(`${directory}.lock`)).toBe(false)
  lockDirectory(directory)()
})

it('keeps out while another process lives, and takes over from one that died', () => {
  lockDirectory(directory)()
  writeFileSync(`${directory}.lock`, String(process.ppid))
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.ppid}`)
  // Above any process id that a system gives, an earlier one of ours (in a container), and nothing that was written.
  for (const stale of ['4999999', String(process.pid), '']) {
    writeFileSync(`${directory}.lock`, stale)
    lockDirectory(directory)()
  }
})
