import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const book = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: { title: { type: 'string', required: true } },
}

let folder: string
beforeAll(async () => {
  // In the workspace, so that a configuration finds the plugins.
  const ignored = fileURLToPath(new URL('../.octavo/', import.meta.url))
  await mkdir(ignored, { recursive: true })
  folder = await mkdtemp(path.join(ignored, 'openapi-'))
  await mkdir(path.join(folder, 'content/content-types'), { recursive: true })
  await writeFile(path.join(folder, 'content/content-types/book.json'), JSON.stringify(book))
  await writeFile(
    path.join(folder, 'named.mjs'),
    `import { openapi } from '../../../plugin-openapi/dist/index.js'
    export default { content: './content', plugins: [openapi({ info: { title: 'Books' } })] }`,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('octavo openapi', () => {
  it('prints the description of every endpoint, of the plugins as well', async () => {
    const variables = { LOG_LEVEL: 'info' }
    const { out, err } = await launch(folder, ['openapi', '--content', './content'], variables).ended
    // The lines of a start, such as the unrestricted access of plugins, are for servers.
    expect(err).toBe('')
    const { openapi, info, paths } = JSON.parse(out)
    expect(openapi).toMatch(/^3\.1\./)
    expect(info.title).toBe('Content API')
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/api/books',
        '/api/books/{id}',
        '/api/auth/local',
        '/api/i18n/locales',
        '/api/upload',
      ]),
    )
  })

  it('writes it into a file, with the head of the configuration', async () => {
    const flags = ['--config', 'named.mjs', '--out', 'openapi.json']
    expect(await command(folder, ['openapi', ...flags])).toMatchObject({ code: 0, out: '' })
    const { info, paths } = JSON.parse(await readFile(path.join(folder, 'openapi.json'), 'utf8'))
    expect(info.title).toBe('Books')
    expect(Object.keys(paths)).not.toContain('/api/auth/local')
  })
})
