import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDirectory, realDirectory } from './directory-lock.ts'

let parent: string
let directory: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'octavo-'))
  directory = join(parent, 'deep', 'data')
})
afterEach(() => rmSync(parent, { recursive: true }))

it('one lock per directory at a time', () => {
  const unlock = lockDirectory(directory)
  expect(readFileSync(`${directory}.lock`, 'utf8')).toBe(String(process.pid))
  expect(() => lockDirectory(directory)).toThrow(`${directory} is in use by process ${process.pid}`)
  unlock()
  expect(existsSync(`${directory}.lock`)).toBe(false)
  lockDirectory(directory)()
})

it('the lock of a live process is respected, that of a dead one taken over', () => {
  lockDirectory(directory)()
  writeFileSync(`${directory}.lock`, String(process.ppid))
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${process.ppid}`)
  // A process id above the system's maximum, our own id of an earlier process (in a container), and an empty file.
  for (const stale of ['4999999', String(process.pid), '']) {
    writeFileSync(`${directory}.lock`, stale)
    lockDirectory(directory)()
  }
})

it('is taken over by one process of several that find it left by a dead one', async () => {
  lockDirectory(directory)()
  const program = join(parent, 'starter.mjs')
  writeFileSync(
    program,
    `import { lockDirectory } from ${JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)}
    let unlock
    process.on('message', (at) => {
      if (at === 0) { unlock?.(); unlock = undefined; process.send('released'); return }
      while (Date.now() < at);
      try { unlock = lockDirectory(${JSON.stringify(directory)}); process.send('locked') }
      catch (error) { process.send(error.name) }
    })
    process.send('ready')`,
  )
  const starters = [0, 1, 2].map(() => fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'] }))
  const answers = () =>
    Promise.all(starters.map(async (starter) => String((await once(starter, 'message'))[0])))
  try {
    await answers()
    for (let round = 0; round < 30; round++) {
      writeFileSync(`${directory}.lock`, '4999999')
      const tried = answers()
      // All at the same moment, so that they meet.
      for (const starter of starters) starter.send(Date.now() + 5)
      expect((await tried).sort()).toEqual(['ConfigurationError', 'ConfigurationError', 'locked'])
      const released = answers()
      for (const starter of starters) starter.send(0)
      await released
      expect(readdirSync(join(parent, 'deep'))).toEqual([])
    }
  } finally {
    for (const starter of starters) starter.kill()
  }
})

it('is one lock for all paths that lead to a directory', () => {
  mkdirSync(directory, { recursive: true })
  const link = join(parent, 'link')
  symlinkSync(directory, link)
  expect(realDirectory(link)).toBe(realpathSync(directory))
})
