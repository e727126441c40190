/** Localizations in data files that belong to entries of the database. */
import { createHash } from 'node:crypto'
import { defineContentType, importData, type Logger, silentLogger, unrestricted } from '@octavo/core'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const uid = 'api::note.note'
const localized = { pluginOptions: { i18n: { localized: true } } }
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  ...localized,
  attributes: { title: { type: 'string', ...localized }, slug: { type: 'uid', ...localized } },
})

const warnings: (readonly [fields: object, message: string])[] = []
const logger: Logger = {
  ...silentLogger,
  warn: (fields, message) => void warnings.push([fields, message]),
  child: () => logger,
}

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  server = await createServer({
    contentTypes: [note],
    plugins: [i18n({ locales: ['en', 'fr', 'de'] })],
    access: 'open',
    database: database.url,
    logger,
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
})
afterAll(async () => {
  await server?.close()
  await drop?.()
})

const load = (...notes: object[]) => importData(server.octavo, { entries: { [uid]: notes } } as never)
const siblingsOf = async (id: number) => {
  const { body } = await api.get(`/api/notes/${id}?populate=localizations`)
  return body.data.attributes.localizations.data.map((one: { id: number }) => one.id)
}

it('An imported localization joins the entry that it names, which had none', async () => {
  const { id } = await server.octavo.entries('note', unrestricted('makes notes')).create({ title: 'One' })
  await load({ id: 100, locale: 'fr', title: 'Un', localizations: [id] })
  expect([await siblingsOf(id), await siblingsOf(100)]).toEqual([[100], [id]])
})

it('An imported localization is refused in the locale of another one, also in that of the default', async () => {
  const { id } = await server.octavo.entries('note', unrestricted('makes notes')).create({ title: 'Two' })
  for (const locale of ['en', undefined])
    await expect(load({ id: 200, ...(locale && { locale }), localizations: [id] })).rejects.toThrow(
      `Nothing was imported: entries["${uid}"][0] (id 200), attributes "locale": its "localizations" have one for each value, and ${uid} ${id} of the database has "en" too.`,
    )
  expect((await api.get('/api/notes/200')).status).toBe(404)
  expect(await siblingsOf(id)).toEqual([])
})

it.each([{ a: 1 }, true, 1])(
  'Imported locales are refused with times that are no texts: %j',
  async (updatedAt) => {
    const locales = [{ code: 'en' }, { code: 'fr', updatedAt }]
    await expect(importData(server.octavo, { locales } as never)).rejects.toThrow(
      'Nothing was imported: locales[1]: expected times such as "2026-01-31T12:00:00.000Z".',
    )
  },
)

it('Imported locales are refused with a default of which nobody knows whether it is one', async () => {
  const locales = [{ code: 'en' }, { code: 'fr', isDefault: 'true' }]
  await expect(importData(server.octavo, { locales } as never)).rejects.toThrow(
    'Nothing was imported: locales[1].isDefault must be true or false.',
  )
})

it.each([
  [{ code: 'fr', isDefault: true }, '.isDefault: locales[0] is the default locale, and there is one.'],
  [{ code: 'fr', id: 'x' }, '.id must be a whole number from 1.'],
  [{ code: 'fr', name: 5 }, '.name must be a text.'],
  [{ code: 'fr', createdAt: 'soon' }, ': expected times such as "2026-01-31T12:00:00.000Z".'],
])('Imported locales are refused with a value that would become another one: %j', async (locale, mistake) => {
  const locales = [{ code: 'en', isDefault: true }, locale]
  await expect(importData(server.octavo, { locales } as never)).rejects.toThrow(
    `Nothing was imported: locales[1]${mistake}`,
  )
})

it('An imported entry is named whose value is taken in its locale', async () => {
  const notes = [1, 2, 3].map((n) => ({ id: 400 + n, locale: 'fr', slug: n === 3 ? 'other' : 'same' }))
  await expect(load(...notes)).rejects.toThrow(
    `Nothing was imported: entries["${uid}"][1] (id 402), table "notes": slug, locale "same, fr" is there already.`,
  )
})

it('An imported entry is named whose value is too long for its index', async () => {
  // PostgreSQL compresses texts, so that one that repeats itself fits.
  const long = Array.from({ length: 400 }, (_, i) => createHash('sha1').update(`${i}`).digest('hex')).join('')
  const notes = ['short', long, 'other'].map((slug, i) => ({ id: 450 + i, locale: 'fr', slug }))
  await expect(load(...notes)).rejects.toThrow(
    new RegExp(
      `^Nothing was imported: entries\\["${uid}"\\]\\[1\\] \\(id 451\\), table "notes": .*; the longest value that is in an index is its "slug"\\.$`,
    ),
  )
})

it('An import that is refused behind its locales leaves those of the server', async () => {
  const locales = [{ code: 'en', isDefault: true }, { code: 'nl' }]
  const notes = [{ id: 300, locale: 'en', title: 'T', localizations: [999_999] }]
  const data = { locales, entries: { [uid]: notes } }
  await expect(importData(server.octavo, data as never)).rejects.toThrow('999999')
  const created = async (locale: string) =>
    (await api.post('/api/notes', { body: { data: { title: 'T', locale } } })).status
  expect([await created('fr'), await created('nl')]).toEqual([200, 400])
})

it('An imported entry in a locale that neither the database nor the file has is there, and the log names it', async () => {
  const notes = ['en', 'fy', 'xx'].map((locale, i) => ({ id: 500 + i, locale, title: 'T' }))
  const locales = ['en', 'fr', 'de', 'fy'].map((code) => ({ code, isDefault: code === 'en' }))
  warnings.length = 0
  await load(...notes.slice(0, 2))
  await importData(server.octavo, { locales, entries: { [uid]: notes.slice(2) } } as never)
  expect(warnings).toEqual([
    [
      { type: uid, entry: 501 },
      expect.stringMatching(/^Imported entries .*"fy", .*; did you mean "fr"\? Add it/),
    ],
    [
      { type: uid, entry: 502 },
      expect.stringMatching(/^Imported entries .*"xx", which does not exist\. Add it/),
    ],
  ])
  expect((await api.get('/api/notes?filters[id][$gte]=500&locale=all')).body.data).toHaveLength(3)
})
