/** Writes of what locales share, while entries of other locales are written at the same time. */
import { silentLogger } from '@octavo/core'
import { compare, definePlugin } from '@octavo/core/plugin'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const localizedType = (singularName: string) =>
  ({
    kind: 'collectionType',
    info: { singularName, pluralName: `${singularName}s` },
    ...localized,
    attributes: {
      title: { type: 'string', ...localized },
      year: { type: 'integer' },
      secret: { type: 'password' },
    },
  }) as const
/** Callers may change the entries with a title, which is a condition that the database decides. */
const rights = definePlugin({
  name: 'rights',
  after: ['i18n'],
  setup(host) {
    host.hook('query:node', ({ model, use }) => {
      const title = model.attributes.get('title')
      if (model.uid !== 'api::limited.limited' || use !== 'changed' || title?.kind !== 'scalar')
        return undefined
      return compare(title, '$ne', 'closed')
    })
  },
})

describe.runIf(testEngine() === 'postgresql').each(['open', 'limited'])('An update of a type %s', (name) => {
  let server: Server
  let api: ReturnType<typeof createClient>
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createTestDatabase()
    server = await createServer({
      contentTypes: [localizedType('open'), localizedType('limited')],
      plugins: [i18n({ locales: ['en', 'fr', 'de'] }), rights],
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

  it.each<[string, { year?: number; secret?: string }]>([
    ['a value', { year: 2 }],
    ['a secret', { secret: 'A new secret' }],
  ])('that changes %s of all locales leaves out one that is deleted meanwhile', async (_, data) => {
    const path = `/api/${name}s`
    const { store, registry } = server.octavo
    const { table } = registry.contentType(`api::${name}.${name}`)
    const { id } = (await api.post(path, { body: { data: { title: 'en', year: 1 } } })).body.data
    const localize = async (locale: string) =>
      (await api.post(`${path}/${id}/localizations`, { body: { locale, title: locale } })).body.id
    const [french, german] = [await localize('fr'), await localize('de')]
    let updated: ReturnType<typeof api.put> | undefined
    await store.transaction(async (tx) => {
      await tx.query(`delete from "${table}" where "id" = ${french}`)
      updated = api.put(`${path}/${id}`, { body: { data } })
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await store.query(waiting)).length, { timeout: 10_000 }).toBe(1)
    })
    expect([(await updated)?.status, (await updated)?.body.error]).toEqual([200, undefined])
    const stored = await store.query(
      `select "id", "year", ("secret" is not null)::text from "${table}" where "id" in (${id}, ${french}, ${german}) order by "id"`,
    )
    const [year, hasSecret] = [data.year ?? 1, data.secret !== undefined]
    expect(stored.map((row) => row.join(' '))).toEqual(
      [id, german].map((one) => `${one} ${year} ${hasSecret}`),
    )
  })
})
