/** docs/from-strapi-plugins.md: its project, started as it is written. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launch } from './launch.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const page = fileURLToPath(new URL('../../../docs/from-strapi-plugins.md', import.meta.url))

let folder: string
let api: Client
let stop: () => Promise<unknown>
let drop: () => Promise<void>
/** Checks captchas, and takes emails. */
let service: Server
const mails: { readonly subject: string }[] = []

beforeAll(async () => {
  const ignored = fileURLToPath(new URL('../.octavo/', import.meta.url))
  await mkdir(ignored, { recursive: true })
  folder = await mkdtemp(path.join(ignored, 'plugins-guide-'))
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  const text = await readFile(page, 'utf8')
  for (const [, language, block = ''] of text.matchAll(/^```(ts|json)\n(.*?)^```$/gms)) {
    const name = language === 'json' ? 'content/content-types/article.json' : /^\/\/ (\S+)\n/.exec(block)?.[1]
    if (name === undefined) throw new Error(`This block of the page does not begin with its file:\n${block}`)
    await write(name, block)
  }
  service = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (request.url === '/mail') mails.push(JSON.parse(body))
    response.end(JSON.stringify({ success: new URLSearchParams(body).get('response') === 'solved' }))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(service.address() as AddressInfo).port}` // it listens on a port
  const made = await createTestDatabase()
  drop = made.drop
  const database = testEngine() === 'pglite' ? `file:${path.join(folder, 'database')}` : made.url
  const started = launch(
    folder,
    [
      'start',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
      '--drain',
      '0',
      '--database',
      database,
      '--no-rate-limit',
    ],
    { CAPTCHA_URL: `${at}/captcha`, MAIL_URL: `${at}/mail` },
  )
  stop = started.stop
  api = createClient(await started.url())
})
afterAll(async () => {
  await stop?.()
  service?.close()
  await drop?.()
  await rm(folder, { recursive: true, force: true })
})

describe('The project of docs/from-strapi-plugins.md', () => {
  const solved = { 'X-Captcha': 'solved' }
  let token: string

  it('asks for a captcha before an account is made, and for nothing else', async () => {
    const body = { username: 'ada', email: 'ada@example.org', password: 'correct horse' }
    expect((await api.post('/api/auth/local/register', { body })).status).toBe(403)
    const made = await api.post('/api/auth/local/register', { body, headers: solved })
    expect(made.status).toBe(200)
    token = made.body.jwt
    expect((await api.post('/api/auth/local', { body: { identifier: 'ada', password: 'x' } })).status).toBe(
      403,
    )
    expect((await api.get('/api/articles')).status).toBe(200)
  })

  it('makes slugs, sends an email for a new article, and answers without envelopes', async () => {
    const create = (title: string, more = {}) =>
      api.post('/api/articles', { token, body: { data: { title, ...more } } })
    const first = await create('First light')
    expect([first.status, first.body]).toMatchObject([
      200,
      { data: { id: 1, title: 'First light', slug: 'first-light' } },
    ])
    expect((await create('First light', { related: [1] })).body.data.slug).toBe('first-light-1')
    await expect.poll(() => mails.map(({ subject }) => subject)).toContain('New: First light')
    const { body } = await api.get('/api/articles/2?populate=related')
    expect(body).toMatchObject({ data: { id: 2, related: [{ id: 1, slug: 'first-light' }] }, meta: {} })
    const enveloped = await api.get('/api/articles/2?populate=related', {
      headers: { 'Strapi-Transformer-Ignore': 'true' },
    })
    expect(enveloped.body.data.attributes.related.data[0].attributes.slug).toBe('first-light')
    expect((await api.get('/api/articles?filters[slug]=first-light')).body.data).toHaveLength(1)
  })

  it('gives populate=deep the tree of the project, and answers a cache may store', async () => {
    const { body, headers } = await api.get('/api/articles?populate=deep,4&filters[id]=2')
    expect(body.data[0].related).toMatchObject([{ id: 1, related: [] }])
    expect(headers.get('cache-control')).toContain('max-age=60')
  })

  it('has a sitemap', async () => {
    const { text, headers } = await api.get('/api/sitemap/index.xml')
    expect(headers.get('content-type')).toContain('application/xml')
    expect(text).toContain('<loc>https://www.example.org/articles/first-light</loc>')
  })

  it('changes the own account, in the attributes that the permission lists', async () => {
    const change = (body: object, request = {}) => api.put('/api/users/me', { body, ...request })
    expect((await change({ username: 'eve' })).status).toBe(403)
    const { status, body } = await change({ username: 'ada2', blocked: true }, { token })
    expect([status, body]).toMatchObject([200, { username: 'ada2' }])
    expect((await api.get('/api/users/me', { token })).body).toMatchObject({
      username: 'ada2',
      blocked: false,
    })
  })
})
