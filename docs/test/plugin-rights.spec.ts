/** The plugin of `docs/plugins.md#rights-of-callers` runs as the page says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineContentType, silentLogger, unrestricted } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, docs, readPage } from './support/pages.ts'

const contentTypes = [
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles' },
    attributes: { title: { type: 'string' } },
  }),
  defineContentType({
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors' },
    attributes: { name: { type: 'string' } },
  }),
] as const
const secret = 'a secret of this test, used nowhere else'

let folder: string
let reports: () => Plugin
beforeAll(async () => {
  mkdirSync(path.join(docs, '.octavo'), { recursive: true })
  folder = mkdtempSync(path.join(docs, '.octavo/rights-'))
  const block = blocksOf(readPage('plugins.md')).find(({ code }) => code.startsWith('// plugins/reports.ts'))
  const file = path.join(folder, 'reports.ts')
  writeFileSync(file, block?.code ?? '')
  reports = (await import(/* @vite-ignore */ pathToFileURL(file).href)).reports
})
afterAll(() => rmSync(folder, { recursive: true }))

const report = 'plugin::reports.report.find'
const articles = 'api::article.article.find'
const authors = 'api::author.author.find'

it.each([
  { permitted: [], status: 403 },
  { permitted: [articles, authors], status: 403 },
  { permitted: [report], status: 403 },
  { permitted: [report, articles], status: 200, body: { articles: ['A title'] } },
  {
    permitted: [report, articles, authors],
    status: 200,
    body: { articles: ['A title'], authors: ['A name'] },
  },
])('a caller with $permitted is answered $status', async ({ permitted, status, body }) => {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes,
    database: database.url,
    logger: silentLogger,
    plugins: [usersPermissions({ jwt: { secret }, permissions: { public: permitted } }), reports()],
  })
  try {
    const by = unrestricted('makes the entries of the test')
    await server.octavo.entries('article', by).create({ title: 'A title' })
    await server.octavo.entries('author', by).create({ name: 'A name' })
    const { url } = await server.listen(0, '127.0.0.1')
    const answer = await createClient(url).get('/api/reports')
    expect(answer.status).toBe(status)
    if (body) expect(answer.body).toEqual(body)
  } finally {
    await server.close()
    await database.drop()
  }
})
