import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Flush } from './flush.ts'

let directory: string
let file: string
let flush: Flush
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'octavo-'))
  file = join(directory, 'log')
  writeFileSync(file, '')
  flush = new Flush()
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await flush.close()
  rmSync(directory, { recursive: true })
})

/** Flushes of the disk that have begun; `end` ends the first, with an error if there is one. */
function heldFlushes() {
  const held: ((error: Error | null) => void)[] = []
  vi.spyOn(fs, 'fdatasync').mockImplementation(
    (_, done) => void held.push(done as (error: Error | null) => void),
  )
  syncBuiltinESMExports()
  return { held, end: (error: Error | null = null) => held.shift()?.(error) }
}

it('A flush resolves when everything requested before is on the disk', async () => {
  flush.request(file)
  expect(flush.isNeeded).toBe(true)
  await flush.done()
  expect(flush.isNeeded).toBe(false)
  await flush.done()
})

it('one flush serves all requests that came while another was on its way', async () => {
  const { held, end } = heldFlushes()
  const order: string[] = []
  flush.request(file)
  const first = flush.done().then(() => order.push('first'))
  flush.request(file)
  const others = [1, 2, 3].map(() => {
    flush.request(file)
    return flush.done().then(() => order.push('other'))
  })
  await Promise.resolve()
  expect(held).toHaveLength(1)
  end()
  await first
  expect(order).toEqual(['first'])
  expect(held).toHaveLength(1)
  end()
  await Promise.all(others)
  expect(held).toHaveLength(0)
})

it('A flush at once includes the one that is on its way', async () => {
  const { end } = heldFlushes()
  const now = vi.spyOn(fs, 'fdatasyncSync')
  syncBuiltinESMExports()
  flush.request(file)
  const done = flush.done()
  await Promise.resolve()
  flush.now()
  expect(now).toHaveBeenCalledTimes(1)
  expect(flush.isNeeded).toBe(false)
  flush.now()
  expect(now).toHaveBeenCalledTimes(1)
  end()
  await done
})

it('The failure of a flush is final, for flushes that wait and all later ones', async () => {
  const { end } = heldFlushes()
  flush.request(file)
  const [first, second] = [flush.done(), flush.done()]
  await Promise.resolve()
  end(new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  await expect(second).rejects.toThrow('EIO')
  await expect(flush.done()).rejects.toThrow('EIO')
  expect(() => flush.now()).toThrow('EIO')
})

it('a file that gets another name is closed after the flush that is on its way', async () => {
  const { end } = heldFlushes()
  const close = vi.spyOn(fs, 'closeSync')
  syncBuiltinESMExports()
  flush.request(file)
  const done = flush.done()
  await Promise.resolve()
  flush.now()
  flush.forget(file)
  expect(close).not.toHaveBeenCalled()
  end()
  await done
  expect(close).toHaveBeenCalledTimes(1)
  flush.request(file)
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('')
})
