/** Shared values that hooks change which run before that of this plugin. */
import { silentLogger, sql } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const article = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  ...localized,
  attributes: { title: { type: 'string', ...localized }, year: { type: 'integer' } },
} as const

/** Sets the year to the one after, by an update or by a statement of its own. */
const later = definePlugin({
  name: 'later',
  before: ['i18n'],
  setup(host) {
    host.hook(
      'entry:afterUpdate',
      async ({ type, id = 0, input, entries }) => {
        const year = Number(input.year) + 1
        if (input.title === 'an update') return entries.update(type.uid, id, { year })
        await entries.run(sql`update ${sql.id(type.table)} set "year" = ${year}::int where "id" = ${id}`)
      },
      { when: ({ by, input }) => by === 'caller' && 'title' in input },
    )
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [article],
    plugins: [i18n({ locales: ['en', 'fr'] }), later],
    access: 'open',
    database: database.url,
    logger: silentLogger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
})
afterAll(async () => {
  await server.close()
  await drop()
})

it.each(['an update', 'a statement'])(
  'are the same in all locales after %s of such a hook',
  async (title) => {
    const { id } = (await api.post('/api/articles', { body: { data: { year: 1 } } })).body.data
    await api.post(`/api/articles/${id}/localizations`, { body: { locale: 'fr', title } })
    for (const year of [10, 20]) {
      expect((await api.put(`/api/articles/${id}`, { body: { data: { title, year } } })).status).toBe(200)
      const { data } = (await api.get(`/api/articles?locale=all&filters[title]=${title}&sort=id`)).body
      type Entry = { readonly attributes: { readonly year: number } }
      expect(data.map(({ attributes }: Entry) => attributes.year)).toEqual([year + 1, year + 1])
    }
  },
)
