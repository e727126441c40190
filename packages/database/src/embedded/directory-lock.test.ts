import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDirectory, realDirectory } from './directory-lock.ts'

let parent: string
let directory: string
let program: string
let children: ChildProcess[]
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'octavo-'))
  directory = join(parent, 'deep', 'data')
  mkdirSync(directory, { recursive: true })
  children = []
  program = join(parent, 'holder.mjs')
  writeFileSync(
    program,
    `import { lockDirectory } from ${JSON.stringify(new URL('./directory-lock.ts', import.meta.url).href)}
    process.stdin.once('data', () => {
      try { lockDirectory(${JSON.stringify(directory)}); console.log('locked by', process.pid) }
      catch (error) { console.log(error.name, error.message) }
    })
    console.log('ready')`,
  )
})
afterEach(async () => {
  for (const child of children) await kill(child)
  rmSync(parent, { recursive: true })
})

/** A program and its arguments, after which those of `node` follow. */
const contained = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const canContain = spawnSync(contained[0] ?? '', [...contained.slice(1), 'true']).status === 0

/** Starts a process that takes the lock when {@link lock} tells it to. */
async function holder(prefix: readonly string[] = []): Promise<ChildProcess> {
  const [command = '', ...args] = [...prefix, process.execPath, program]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  expect(await answer(child)).toBe('ready')
  return child
}

const answer = async (child: ChildProcess): Promise<string> =>
  String((await once(child.stdout ?? child, 'data'))[0]).trim()

async function lock(child: ChildProcess): Promise<string> {
  const answered = answer(child)
  child.stdin?.write('lock\n')
  return answered
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

it('A directory has one lock at a time, in this process too', () => {
  const unlock = lockDirectory(directory)
  expect(() => lockDirectory(directory)).toThrow(`${directory} is in use by process ${process.pid} on `)
  unlock()
  lockDirectory(directory)()
})

it('A lock is released twice without an effect on the next holder', () => {
  const unlock = lockDirectory(directory)
  unlock()
  const next = lockDirectory(directory)
  unlock()
  expect(() => lockDirectory(directory)).toThrow('is in use')
  next()
})

it('A lock ends with the process that has it, whatever it left', async () => {
  const first = await holder()
  expect(await lock(first)).toMatch(/^locked/)
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${first.pid} on `)
  await kill(first)
  lockDirectory(directory)()
})

it.skipIf(!canContain)(
  'A lock holds between process namespaces, where every process has the id 1',
  async () => {
    const [first, second] = [await holder(contained), await holder(contained)]
    expect(await lock(first)).toBe('locked by 1')
    expect(await lock(second)).toContain('is in use by process 1 on ')
    expect(() => lockDirectory(directory)).toThrow('is in use by process 1 on ')
    await kill(first)
    const third = await holder(contained)
    // The kernel ends the processes of a namespace after the command that made it.
    await expect.poll(() => lock(third), { timeout: 10_000 }).toBe('locked by 1')
  },
)

it('A lock that a dead process left is taken by one process of several that find it', async () => {
  const dead = await holder()
  await lock(dead)
  await kill(dead)
  const starters = await Promise.all([holder(), holder(), holder()])
  const answers = await Promise.all(starters.map(lock))
  expect(answers.filter((text) => text.startsWith('locked'))).toHaveLength(1)
  expect(answers.filter((text) => text.startsWith('ConfigurationError'))).toHaveLength(2)
})

it('An error names a folder in which no lock can be made', () => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  expect(() => lockDirectory(file)).toThrow(`cannot be locked in ${file}`)
})

it('An error names a folder that cannot be made, with the reason', () => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  const inside = join(file, 'data')
  expect(() => realDirectory(inside)).toThrow(
    `The folder of the embedded database, ${inside}, cannot be made (ENOTDIR: not a directory, mkdir '${inside}'). A part of its path is a file; name a folder.`,
  )
  expect(() => realDirectory(file)).toThrow('A part of its path is a file; name a folder.')
})

// The system denies that /proc exists. The test would never end if the start tried again.
it.runIf(process.platform === 'linux')(
  'An error names a folder that the system does not make, at once',
  () => {
    expect(() => realDirectory('/proc/octavo/data')).toThrow(
      "The folder of the embedded database, /proc/octavo/data, cannot be made (ENOENT: no such file or directory, mkdir '/proc/octavo'). Name another folder",
    )
  },
)

it('All paths that lead to a directory share one lock', () => {
  const link = join(parent, 'link')
  symlinkSync(directory, link)
  expect(realDirectory(link)).toBe(realpathSync(directory))
  expect(existsSync(realDirectory(join(parent, 'new')))).toBe(true)
})
