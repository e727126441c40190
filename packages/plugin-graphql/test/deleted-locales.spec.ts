/** Locales that another process, or an import, has deleted: operations that were checked before name them no more. */
import { importData, type ReadRequest, silentLogger } from '@octavo/core'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphql } from '../src/index.ts'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  pluginOptions: { i18n: { localized: true } },
  attributes: { title: { type: 'string' } },
} as const
const [en, fr] = [
  { id: 1, code: 'en', isDefault: true },
  { id: 2, code: 'fr' },
]
const isLocales = ({ type }: ReadRequest): boolean => type.uid === 'plugin::i18n.locale'
const inFrench = '{ notes(locale: "fr") { data { id } } }'

let database: Awaited<ReturnType<typeof createTestDatabase>>
const servers: Server[] = []
const start = async () => {
  const server = await createServer({
    contentTypes: [note],
    plugins: [i18n({ locales: ['en'] }), graphql()],
    access: 'open',
    database: database.url,
    logger: silentLogger,
  })
  servers.push(server)
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  const statusOf = async (query: string) => (await api.post('/graphql', { body: { query } })).status
  return { server, api, statusOf, ask: () => statusOf(inFrench) }
}
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.drop()
})

it('A failed reading of the locales is repeated by the next operation', async () => {
  const { server, ask } = await start()
  const { octavo } = server
  const read = octavo.read.bind(octavo)
  Object.assign(octavo, {
    read: (request: ReadRequest) =>
      isLocales(request) ? Promise.reject(new Error('The database is away')) : read(request),
  })
  expect(await ask()).toBe(500)
  Object.assign(octavo, { read })
  expect(await ask()).toBe(400)
  await importData(octavo, { locales: [en, fr] } as never)
  await expect.poll(ask, { timeout: 30_000 }).toBe(200)
})

it('Operations that were checked before stay when a message changes no locale, as those of a lost connection', async () => {
  const { server, statusOf } = await start()
  const { octavo } = server
  const inEnglish = inFrench.replace('fr', 'en')
  expect(await statusOf(inEnglish)).toBe(200)
  const read = octavo.read.bind(octavo)
  let readings = 0
  Object.assign(octavo, {
    read: (request: ReadRequest) => {
      if (isLocales(request)) readings += 1
      return read(request)
    },
  })
  await octavo.store.query(`select pg_notify('octavo_i18n', 'null')`)
  await expect.poll(() => readings).toBe(1)
  expect(await statusOf(inEnglish)).toBe(200)
  // The locales are read when the schema is made anew.
  expect(readings).toBe(1)
})

describe('A locale in the text of an operation', () => {
  it('is known where there are more than a page of them, which /api/i18n/locales lists as well', async () => {
    const { server, api, statusOf } = await start()
    const locales = Array.from({ length: 120 }, (_, i) => ({ id: i + 2, code: `fr-x${i}` }))
    await importData(server.octavo, { locales: [en, ...locales] } as never)
    await expect
      .poll(() => statusOf('{ notes(locale: "fr-x119") { data { id } } }'), { timeout: 30_000 })
      .toBe(200)
    expect((await api.get('/api/i18n/locales')).body).toHaveLength(121)
  })

  it('is refused after an import without it', async () => {
    const { server, ask } = await start()
    await importData(server.octavo, { locales: [en, fr] } as never)
    expect(await ask()).toBe(200)
    await importData(server.octavo, { locales: [en] } as never)
    await expect.poll(ask, { timeout: 30_000 }).toBe(400)
    await importData(server.octavo, { locales: [en, fr] } as never)
    await expect.poll(ask, { timeout: 30_000 }).toBe(200)
  })

  // An embedded database belongs to one process.
  it.runIf(testEngine() === 'postgresql')('is refused after another process deleted it', async () => {
    const [one, other] = [await start(), await start()]
    await importData(one.server.octavo, { locales: [en, fr] } as never)
    expect([await one.ask(), await other.ask()]).toEqual([200, 200])
    await other.server.octavo.entries('plugin::i18n.locale').delete(fr?.id ?? 0)
    await expect.poll(one.ask, { timeout: 30_000 }).toBe(400)
    expect(await other.ask()).toBe(400)
  })
})
