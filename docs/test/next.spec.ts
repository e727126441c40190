import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { blocksOf, docs, readPage } from './support/pages.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The section about Next.js in docs/embedding.md: its files in a folder, and the handler as Next.js calls it. */
describe('Octavo in Next.js, as docs/embedding.md has it', () => {
  const parts: (() => unknown)[] = []
  let api: ReturnType<typeof createClient>
  let titles: () => Promise<readonly (string | null)[]>
  let octavo: Server['octavo']
  let config: object
  let failed: unknown

  beforeAll(async () => {
    const database = await createTestDatabase()
    parts.push(() => database.drop())
    vi.stubEnv('DATABASE_URL', database.url)
    // In this package, so that the packages are found from there.
    mkdirSync(path.join(docs, '.octavo'), { recursive: true })
    const folder = mkdtempSync(path.join(docs, '.octavo/next-'))
    parts.push(() => rmSync(folder, { recursive: true, force: true }))
    const section = readPage('embedding.md').split('\n## Next.js\n')[1] ?? ''
    for (const { code, language } of blocksOf(section)) {
      const name = /^\/\/ ([\w./-]+\.ts)\n/.exec(code)?.[1]
      if (language !== 'ts' || name === undefined) continue
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), code)
    }
    const load = (name: string) => import(path.join(folder, name))
    const route: { readonly default: Handler; readonly config: object } = await load('pages/api/path.ts')
    config = route.config
    ;({ titles } = await load('lib/titles.ts'))
    const { server } = await load('lib/octavo.ts')
    // An address that is refused without an attempt to connect.
    vi.stubEnv('DATABASE_URL', 'none://nowhere')
    failed = await server().catch((error: unknown) => error)
    vi.stubEnv('DATABASE_URL', database.url)
    const running: Server = await server()
    octavo = running.octavo
    parts.push(() => running.close())
    const next = createServer((request, response) => void route.default(request, response))
    await new Promise<void>((resolve) => next.listen(0, '127.0.0.1', resolve))
    parts.push(() => new Promise((resolve) => next.close(resolve)))
    const address = next.address()
    api = createClient(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    for (const end of parts.reverse()) await end()
  })

  it('answers requests through the handler', async () => {
    await octavo.entries('article').create({ title: 'First light' })
    const list = await api.get('/api/articles?fields=title')
    expect([list.status, list.body.data]).toEqual([200, [{ id: 1, attributes: { title: 'First light' } }]])
    // Without a plugin for rights, writes are refused.
    expect((await api.post('/api/articles', { body: { data: { title: 'x' } } })).status).toBe(403)
    expect((await api.get('/api/nothing')).status).toBe(404)
    expect(config).toEqual({ api: { bodyParser: false, externalResolver: true } })
  })

  it('starts at a later request, where the first one could not start it', async () => {
    expect(failed).toBeInstanceOf(Error)
    expect(octavo.registry.contentTypes.has('api::article.article')).toBe(true)
  })

  it('reads for a page without HTTP, from the same instance', async () => {
    expect(await titles()).toEqual(['First light'])
  })
})
