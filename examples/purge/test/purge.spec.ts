import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineContentType, silentLogger } from '@octavo/core'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { purge } from '../src/index.ts'

const options = { cacheControl: 'public, max-age=86400' }
const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options,
  attributes: {
    title: { type: 'string' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  options,
  attributes: {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})

/** A cache that stores answers by URL until one of their tags is purged. */
class Cache {
  readonly kept = new Map<string, { readonly body: string; readonly tags: readonly string[] }>()
  readonly purges: string[][] = []
  /** Number of purges to refuse. */
  failures = 0
  readonly server: HttpServer
  origin = ''

  constructor() {
    this.server = createHttp(async (request, response) => {
      const path = request.url ?? '/'
      if (path === '/purge') {
        if (this.failures-- > 0) return void response.writeHead(503).end()
        const tags = String(request.headers['surrogate-key']).split(' ')
        this.purges.push(tags)
        for (const [key, { tags: of }] of this.kept)
          if (of.some((tag) => tags.includes(tag))) this.kept.delete(key)
        return void response.writeHead(200).end()
      }
      const known = this.kept.get(path)
      if (known) return void response.writeHead(200, { 'X-Cache': 'hit' }).end(known.body)
      const answer = await fetch(this.origin + path)
      const body = await answer.text()
      if (answer.headers.get('cache-control')?.startsWith('public'))
        this.kept.set(path, { body, tags: answer.headers.get('surrogate-key')?.split(' ') ?? [] })
      response.writeHead(answer.status, { 'X-Cache': 'miss' }).end(body)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}` // it listens on a port
  }
}

let cache: Cache
let server: Server
let api: Client
let drop: () => Promise<void>
beforeEach(async () => {
  cache = new Cache()
  await new Promise<void>((resolve) => cache.server.listen(0, '127.0.0.1', resolve))
  const database = await createTestDatabase()
  drop = database.drop
  server = await createServer({
    contentTypes: [article, author],
    cache: { tags: 'Surrogate-Key' },
    plugins: [purge({ url: `${cache.url}/purge` })],
    database: database.url,
    logger: silentLogger,
    access: 'open',
  })
  cache.origin = (await server.listen(0, '127.0.0.1')).url
  api = createClient(cache.origin)
  for (const name of ['Ada', 'Eve']) await api.post('/api/authors', { body: { data: { name } } })
  for (const [i, title] of ['One', 'Two'].entries())
    await api.post('/api/articles', { body: { data: { title, author: i + 1 } } })
  await vi.waitFor(() => expect(cache.purges.flat()).toContain('article/2'), { timeout: 60_000 })
})
afterEach(async () => {
  await server.close()
  cache.server.close()
  await drop()
})

/** Whether the answer came from the cache. */
const ask = async (path: string): Promise<string | null> =>
  (await fetch(`${cache.url}/api/${path}`)).headers.get('x-cache')
const pages = ['articles', 'articles/1', 'articles/2', 'articles/1?populate=author', 'authors', 'authors/2']
const askAll = () => Promise.all(pages.map(ask))
const written = async (write: () => Promise<{ readonly status: number }>): Promise<void> => {
  const before = cache.purges.length
  expect((await write()).status).toBe(200)
  await vi.waitFor(() => expect(cache.purges.length).toBeGreaterThan(before), { timeout: 60_000 })
}

it('A purge removes the responses that a write changed from the cache, and no others', async () => {
  await askAll()
  expect(await askAll()).toEqual(pages.map(() => 'hit'))

  await written(() => api.put('/api/articles/2', { body: { data: { title: 'Two, again' } } }))
  expect(await askAll()).toEqual(['miss', 'hit', 'miss', 'hit', 'hit', 'hit'])
  expect(await (await fetch(`${cache.url}/api/articles/2`)).text()).toContain('Two, again')

  await written(() => api.put('/api/authors/1', { body: { data: { name: 'Grace' } } }))
  expect(await askAll()).toEqual(['hit', 'hit', 'hit', 'miss', 'miss', 'hit'])

  await written(() => api.post('/api/authors', { body: { data: { name: 'New' } } }))
  expect(await askAll()).toEqual(['hit', 'hit', 'hit', 'miss', 'miss', 'hit'])
})

it('Many writes make one purge, which is tried again when the cache is away', async () => {
  const before = cache.purges.length
  cache.failures = 2
  // One transaction commits both, so that the plugin is notified of both together, even on a slow machine.
  await server.octavo.transaction(async (tx) => {
    for (const id of [1, 2]) await tx.entries('article').update(id, { title: 'X' })
  })
  await vi.waitFor(() => expect(cache.purges.length).toBeGreaterThan(before), { timeout: 60_000 })
  expect(cache.purges.slice(before)).toEqual([expect.arrayContaining(['article/1', 'article/2'])])
})

it('All purges are sent when the server has closed', async () => {
  await api.put('/api/articles/1', { body: { data: { title: 'last' } } })
  await server.close()
  expect(cache.purges.flat()).toContain('article/1')
})
