import { computed, defineContentType, type Logger, silentLogger, sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: { title: { type: 'string' }, body: { type: 'text' } },
})

const from = { title: 'string' } as const
/** A plugin that computes one attribute. */
const adding = (name: string, attribute: { type: string; computed: ReturnType<typeof computed> }) =>
  definePlugin({
    name: 'adding',
    setup: (host) => host.hook('attribute:computed', () => ({ [name]: attribute })),
  })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const start = (plugin: ReturnType<typeof adding>, logger: Logger = silentLogger) =>
  createServer({ contentTypes: [article], plugins: [plugin], database: database.url, access: 'open', logger })

describe('A mistake in attribute:computed stops the start and names plugin, hook and attribute', () => {
  it.each([
    [
      'an expression that PostgreSQL refuses',
      adding('made', {
        type: 'integer',
        computed: computed({ from, sql: ({ title }) => sql`nosuch(${title})` }),
      }),
      /Plugin "adding" in attribute:computed: api::article\.article\.made: PostgreSQL refuses the expression: .*nosuch/,
    ],
    [
      'an aggregate',
      adding('made', {
        type: 'integer',
        computed: computed({ from, sql: ({ title }) => sql`count(${title})` }),
      }),
      /PostgreSQL refuses the expression: .*GROUP BY/,
    ],
    [
      'a name that is taken',
      adding('title', { type: 'integer', computed: computed({ from, value: () => 1 }) }),
      /Plugin "adding" in attribute:computed: article\.title exists already/,
    ],
    [
      'an attribute that is not computed',
      adding('made', { type: 'integer' } as never),
      /Plugin "adding" in attribute:computed: article\.made has no "computed"/,
    ],
  ])('%s', async (_title, plugin, message) => {
    await expect(start(plugin)).rejects.toThrow(message)
  })
})

describe('A function of a computed attribute', () => {
  it('that throws is a 500, and the log names plugin, hook and attribute', async () => {
    const lines: unknown[] = []
    const logger: Logger = { ...silentLogger, error: (bound) => void lines.push(bound), child: () => logger }
    const value = ({ title }: { title: string | null }): string => {
      if (title === 'bad') throw new Error('no teaser')
      return `${title}!`
    }
    const server = await start(
      adding('teaser', { type: 'string', computed: computed({ from, value }) }),
      logger,
    )
    const api = createClient((await server.listen(0, '127.0.0.1')).url)
    await server.octavo.entries('article').create({ title: 'good', body: 'x' })
    expect((await api.get('/api/articles/1')).body.data.attributes.teaser).toBe('good!')
    await server.octavo.store.run(sql`update "articles" set "title" = 'bad'`)
    const { status, body } = await api.get('/api/articles/1')
    expect([status, body.error.message]).toEqual([500, 'Internal Server Error'])
    expect(lines.map((line) => String((line as { err?: unknown }).err))).toEqual([
      'PluginError: Plugin "adding" in attribute:computed: api::article.article.teaser: no teaser',
    ])
    // Other reads do not run it.
    expect((await api.get('/api/articles/1?fields=body')).status).toBe(200)
    await server.close()
  })

  it('is hidden with the attributes that it is computed from', async () => {
    const plugin = adding('teaser', { type: 'string', computed: computed({ from, value: () => 'x' }) })
    const hiding = definePlugin({
      name: 'hiding',
      setup: (host) => host.hook('query:attribute', ({ name }) => (name === 'title' ? false : undefined)),
    })
    const both = definePlugin({
      name: 'both',
      setup(host) {
        plugin.setup(host)
        hiding.setup(host)
      },
    })
    const server = await start(both)
    await server.octavo.entries('article').create({ title: 'hidden', body: 'x' })
    const { data } = await server.octavo.entries('article').find()
    expect(Object.keys(data[0]?.attributes ?? {})).toEqual(['body', 'createdAt', 'updatedAt'])
    await server.close()
  })
})
