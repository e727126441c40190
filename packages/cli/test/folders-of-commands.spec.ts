/** A command leaves no folder for uploads where it runs; a server makes it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-commands-'))
  mkdirSync(path.join(folder, 'content/content-types'), { recursive: true })
  const page = {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages' },
    attributes: { title: { type: 'string' }, cover: { type: 'media' } },
  }
  writeFileSync(path.join(folder, 'content/content-types/page.json'), JSON.stringify(page))
  writeFileSync(path.join(folder, 'data.json'), JSON.stringify({ entries: {} }))
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const here = () => ['--content', './content', '--database', database.url]

describe('The folder of uploads', () => {
  it.each([
    ['check', '--schema'],
    ['export', 'out.json'],
    ['import', 'data.json'],
    ['token', 'create', '--name', 'robot', '--read-only'],
    ['token', 'list'],
    ['permissions', 'list'],
    ['openapi'],
    ['media', 'check', '--delete'],
  ])('is not made by octavo %s %s', async (...args) => {
    expect(await command(folder, [...args, ...here()])).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(folder)).not.toContain('public')
  })

  it('is made by octavo start', async () => {
    const server = launch(folder, ['start', '--port', '0', ...here()])
    await server.url()
    expect(existsSync(path.join(folder, 'public/uploads/.incoming'))).toBe(true)
    await server.stop()
  })
})
