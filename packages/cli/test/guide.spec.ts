import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Launched, launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const page = fileURLToPath(new URL('../../../docs/from-strapi-4.md', import.meta.url))

/** The blocks of the page in a language: `ts` is Octavo's side, `js` Strapi's. */
async function blocksOf(language: string): Promise<readonly string[]> {
  const text = await readFile(page, 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  )
}

let folder: string
let database: string
let drop: () => Promise<void>

const data = {
  entries: {
    'api::article.article': [
      { id: 1, title: 'Featured', featured: true },
      { id: 2, title: 'Plain', featured: false },
    ],
    'api::review.review': [
      { id: 1, text: 'Shown', article: 1 },
      { id: 2, text: 'Hidden', hidden: true },
    ],
  },
}

/** The project of the page, in a folder of the workspace, so that the packages are found from there. */
beforeAll(async () => {
  const ignored = fileURLToPath(new URL('../.octavo/', import.meta.url))
  await mkdir(ignored, { recursive: true })
  folder = await mkdtemp(path.join(ignored, 'guide-'))
  for (const block of await blocksOf('ts')) {
    const name = /^\/\/ ([\w./-]+\.ts)\n/.exec(block)?.[1]
    if (name === undefined) throw new Error(`This block of the page does not begin with its file:\n${block}`)
    await write(name, block)
  }
  const [article = ''] = await blocksOf('json')
  await write('content/content-types/article.json', article)
  await write('data.json', JSON.stringify(data))
  const made = await createTestDatabase()
  drop = made.drop
  database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
})
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
  await writeFile(path.join(folder, name), text)
}

const run = (...args: readonly string[]): Launched => launch(folder, [...args, '--database', database])

describe('docs/from-strapi-4.md: the project of the page', () => {
  describe('serves', () => {
    let api: Client
    let token: string
    let jwt: string
    let stop: () => Promise<unknown>
    beforeAll(async () => {
      const imported = await run('import', 'data.json').ended
      expect(imported.err).toBe('')
      const { out } = await run('token', 'create', '--name', 'test', '--full').ended
      token = /[0-9A-Za-z_-]{32,}/.exec(out)?.[0] ?? ''
      const started = run('start', '--port', '0', '--host', '127.0.0.1', '--drain', '0')
      stop = started.stop
      api = createClient(await started.url())
      const ada = { username: 'ada', email: 'ada@example.org', password: 'correct horse' }
      jwt = (await api.post('/api/auth/local/register', { body: ada })).body.jwt
    })
    afterAll(() => stop())

    it('lifecycles: words are counted, and a featured article stays', async () => {
      const body = { data: { title: 'New', body: 'three words here' } }
      const created = await api.post('/api/articles', { body, token })
      expect(created.body.data.attributes.words).toBe(3)
      expect((await api.delete('/api/articles/1', { token })).body.error).toMatchObject({
        status: 403,
        message: 'A featured article stays.',
      })
      expect((await api.delete('/api/articles/2', { token })).status).toBe(200)
    })

    it('controllers and permissions: hidden reviews are not found, by lists and counts', async () => {
      const { body } = await api.get('/api/reviews')
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual([1])
      expect(body.meta.pagination.total).toBe(1)
    })

    it('routes: the latest reviews, narrowed to the rights of the caller', async () => {
      const { body } = await api.get('/api/reviews/latest')
      expect(body.data).toMatchObject([
        { id: 1, attributes: { article: { data: { attributes: { title: 'Featured' } } } } },
      ])
    })

    it('policies: the author is set, may delete own reviews only, and has two reviews at most', async () => {
      const review = (text: string) => api.post('/api/reviews', { token: jwt, body: { data: { text } } })
      const { body } = await review('First')
      expect((await api.delete('/api/reviews/1', { token: jwt })).status).toBe(404)
      expect((await review('Second')).status).toBe(200)
      expect((await review('Third')).body.error).toMatchObject({
        status: 403,
        message: 'Two reviews are enough.',
      })
      expect((await api.delete(`/api/reviews/${body.data.id}`, { token: jwt })).status).toBe(200)
    })

    it('middlewares: an old address leads to the new one', async () => {
      const { status, headers } = await api.get('/api/posts')
      expect([status, headers.get('location')]).toEqual([302, '/api/articles'])
    })
  })

  it('runs the task that a scheduler starts', async () => {
    const { code, out, err } = await run('reviews', 'tidy', '--config', 'octavo.config.ts').ended
    expect(err).toBe('')
    expect(out).toBe('1 reviews deleted\n')
    expect(code).toBe(0)
  })
})
