/** Programs and plugins of the pages, which do what the pages say. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import {
  type ContentTypeDefinition,
  createOctavo,
  defineContentType,
  type Logger,
  type Octavo,
  silentLogger,
  sql,
} from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { blocksOf, docs, readPage } from './support/pages.ts'

// The embedded database of the pages starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Ends what a test has begun, the last one first. */
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.restoreAllMocks()
})

let folder: string
beforeAll(() => {
  // In this package, so that the packages are found from there.
  mkdirSync(path.join(docs, '.octavo'), { recursive: true })
  folder = mkdtempSync(path.join(docs, '.octavo/programs-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

/** The exports of those blocks of a page in which a pattern occurs. @param more Code that is added to each block. */
async function programs(page: string, pattern: RegExp, more = ''): Promise<Record<string, unknown>> {
  const exported: Record<string, unknown> = {}
  for (const { code, language, line } of blocksOf(readPage(page))) {
    if (language !== 'ts' || !pattern.test(code)) continue
    const file = path.join(folder, `${page.replaceAll(/\W/g, '-')}-${line}.ts`)
    writeFileSync(file, code + more)
    Object.assign(exported, await import(file))
  }
  return exported
}

const type = (
  name: string,
  attributes: ContentTypeDefinition['attributes'],
  options = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s` },
  options,
  attributes,
})
const author = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' } as const

async function serve(
  contentTypes: readonly ContentTypeDefinition[],
  plugins: readonly Plugin[],
  logger: Logger,
) {
  const database = await createTestDatabase()
  ends.push(() => database.drop())
  const server = await createServer({ contentTypes, plugins, database: database.url, access: 'open', logger })
  ends.push(() => server.close())
  return { octavo: server.octavo, api: createClient((await server.listen(0, '127.0.0.1')).url) }
}

it('docs/plugins.md', async () => {
  const calls: unknown[] = []
  const receiver = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    calls.push(JSON.parse(body))
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => receiver.close(resolve)))
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const logged: unknown[] = []
  const logger: Logger = {
    ...silentLogger,
    info: (...line: unknown[]) => void logged.push(line),
    child: () => logger,
  }
  const { renamed, ...made } = await programs(
    'plugins.md',
    /^export const \w+ = .*(?:Plugin =>|definePlugin)/m,
  )
  const plugin = (name: string, options?: object) => (made[name] as (options?: object) => Plugin)(options)
  const { api, octavo } = await serve(
    [
      type('author', { name: { type: 'string' } }),
      type('booking', { seat: { type: 'string' } }),
      type('article', { title: { type: 'string' }, form: { type: 'enumeration', enum: ['news', 'essay'] } }),
    ],
    [
      plugin('articles', { webhook }),
      ...['headlines', 'audit', 'seats', 'regions', 'lengths', 'reports'].map((name) => plugin(name)),
      renamed as Plugin,
    ],
    logger,
  )
  const create = (title: string | null, form: string) =>
    api.post('/api/articles', { body: { data: { title, form } } })

  expect((await create('  First light ', 'essay')).body.data.attributes.title).toBe('First light')
  expect((await create(null, 'news')).body.data.attributes.title).toBeNull()
  await api.put('/api/articles/1', { body: { data: { title: 'Second light ' } } })
  expect((await api.delete('/api/articles/1')).body.error.details.code).toBe('articles/essay')
  expect((await api.delete('/api/articles/2')).status).toBe(200)
  await expect.poll(() => calls).toHaveLength(4)
  expect(calls).toContainEqual({ action: 'delete', id: 2 })
  expect(logged).toContainEqual([{ from: 'First light', to: 'Second light' }, 'A title has changed'])
  expect(logged).toContainEqual([{ id: 2 }, 'An article is gone'])
  expect(await octavo.store.run(sql`select "entry", "change" from octavo_audit order by "id"`)).toEqual([
    { entry: '1', change: 'created' },
    { entry: '2', change: 'created' },
    { entry: '1', change: 'updated' },
    { entry: '2', change: 'deleted' },
  ])

  expect((await api.get('/api/articles/latest')).body.data).toHaveLength(1)
  expect((await api.get('/api/articles?filters[title][$longer]=11')).body.data).toHaveLength(1)
  expect((await api.get('/api/articles?filters[title][$longer]=12')).body.data).toEqual([])
  expect((await api.get('/api/region', { headers: { 'x-region': 'us' } })).body).toEqual({ region: 'us' })
  expect((await api.get('/api/reports')).body).toEqual({ articles: ['Second light'], authors: [] })
  const book = () => api.post('/api/bookings', { body: { data: { seat: 'A1' } } })
  const booked = await Promise.all([book(), book(), book()])
  expect(booked.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})

it('docs/graphql.md', async () => {
  const types = [
    type('author', { name: { type: 'string' } }),
    type('note', { text: { type: 'string' } }),
    type(
      'article',
      { title: { type: 'string' }, views: { type: 'integer' }, author },
      { draftAndPublish: true },
    ),
  ]
  const { draftPublish } = await import('@octavo/plugin-draft-publish')
  for (const [pattern, query, answer] of [
    [
      /extend:/,
      '{ newestArticle { data { attributes { title } } } }',
      { newestArticle: { data: { attributes: { title: 'A' } } } },
    ],
    [/disabled:/, '{ articles { data { attributes { views } } } }', undefined],
    [/disabled:/, '{ notes { data { id } } }', undefined],
  ] as const) {
    const { plugin } = await programs('graphql.md', pattern)
    const { api } = await serve(types, [draftPublish(), plugin as Plugin], silentLogger)
    await api.post('/api/articles', { body: { data: { title: 'A' } } })
    const { body } = await api.post('/graphql', { body: { query } })
    expect(body.data).toEqual(answer)
  }
})

it('docs/types.md', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { server } = await programs('types.md', /defineComponent\(/, '\nexport { server }\n')
  ends.push(() => (server as Server).close())
  // Nothing has been written.
  expect(log.mock.calls).toEqual([[undefined], [undefined]])
})

it('docs/program.md', async () => {
  const { octavo } = await programs('program.md', /createOctavo\(/)
  ends.push(() => (octavo as Octavo).close())
  const articles = (octavo as Octavo).entries('article')
  await articles.create({ title: 'First light' })
  expect((await articles.find()).data).toHaveLength(1)

  const { setHeadline } = await programs('program.md', /function setHeadline/)
  const homepage = defineContentType({
    kind: 'singleType',
    info: { singularName: 'homepage', pluralName: 'homepages' },
    attributes: { headline: { type: 'string' } },
  })
  const database = await createTestDatabase()
  ends.push(() => database.drop())
  const own = await createOctavo({ contentTypes: [homepage], database: database.url })
  ends.push(() => own.close())
  for (const headline of ['One', 'Two']) {
    await (setHeadline as (octavo: Octavo, headline: string) => Promise<void>)(own, headline)
    expect((await own.entries('homepage').findOne())?.attributes).toMatchObject({ headline })
  }
})
