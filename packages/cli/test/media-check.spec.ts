/** `octavo media check --delete` that is ended in the middle: what it has told is done, nothing else is, and the next run does the rest. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@octavo/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-media-check-'))
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  mkdirSync(path.join(folder, 'public/uploads'), { recursive: true })
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const stored = () => readdirSync(path.join(folder, 'public/uploads')).filter((name) => !name.startsWith('.'))
const store = (name: string): void => {
  const file = path.join(folder, 'public/uploads', name)
  writeFileSync(file, 'text')
  utimesSync(file, 1, 1)
}
const removedIn = (out: string) => [...out.matchAll(/^(\S+): .*; removed$/gm)].map(([, name]) => name)

it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('after %s', async (signal) => {
  const referenced = Array.from({ length: 100 }, (_, i) => ({ hash: `kept_${i}`, ext: '.txt' }))
  const files = referenced.map((file, i) => ({
    ...file,
    id: i + 1,
    name: 'a',
    mime: 'text/plain',
    url: '/a',
  }))
  writeFileSync(path.join(folder, 'data.json'), JSON.stringify({ files }))
  const here = ['--content', './content', '--database', database.url]
  expect(await command(folder, ['import', 'data.json', ...here])).toMatchObject({ code: 0 })
  const kept = referenced.map(({ hash, ext }) => `${hash}${ext}`)
  const strays = Array.from({ length: 2_000 }, (_, i) => `stray_${i}.txt`)
  for (const name of [...kept, ...strays]) store(name)

  const check = launch(folder, ['media', 'check', '--delete', ...here])
  await vi.waitUntil(() => check.output.out.includes('; removed'), { timeout: 60_000, interval: 5 })
  check.child.kill(signal)
  const told = removedIn((await check.ended).out)
  expect(stored()).toEqual(expect.arrayContaining(kept))
  expect(stored().filter((name) => told.includes(name))).toEqual([])

  const left = stored().filter((name) => !kept.includes(name))
  const { code, out } = await command(folder, ['media', 'check', '--delete', ...here])
  expect([code, removedIn(out).sort(), stored().sort()]).toEqual([0, left.sort(), kept.toSorted()])
})
