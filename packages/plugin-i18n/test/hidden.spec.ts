/** Rights on other entries and attributes, wherever locales read them. */
import { defineContentType, importData } from '@octavo/core'
import { anyOf, compare, definePlugin, type EntryInput, isNull } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { createServer, type Server } from '@octavo/server'
import { createClient, createTestDatabase, testEngine } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const localized = { pluginOptions: { i18n: { localized: true } } }
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', ...localized },
    slug: { type: 'uid', targetField: 'title', generate: true, ...localized },
    year: { type: 'integer' },
    pin: { type: 'password' },
    fee: { type: 'integer', writable: false },
    owner: { type: 'string' },
    marks: {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::mark.mark',
      pluginOptions: { i18n: { localized: false } },
    },
    seal: { type: 'relation', relation: 'oneToOne', target: 'api::mark.mark', inversedBy: 'note' },
  },
})
const mark = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'mark', pluralName: 'marks' },
  attributes: {
    name: { type: 'string' },
    note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note', mappedBy: 'seal' },
  },
})
const front = defineContentType({
  kind: 'singleType',
  info: { singularName: 'front', pluralName: 'fronts' },
  ...localized,
  attributes: { title: { type: 'string', ...localized } },
})

/**
 * The rights of an example project: callers cannot set marks, entries of Bob cannot be localized, and locked entries are not
 * changed by writes of their localizations.
 */
const rights = definePlugin({
  name: 'rights',
  after: ['i18n'],
  setup(host) {
    host.hook('entry:input', ({ marks, ...rest }, { by }) =>
      by === 'plugin' && marks !== undefined ? { ...rest, marks } : rest,
    )
    host.hook('query:node', ({ model, use }) => {
      const title = model.attributes.get('title')
      if (title?.kind !== 'scalar' || use !== 'changed') return undefined
      return anyOf([isNull(title), compare(title, '$ne', 'Locked')])
    })
    host.hook('query:node', ({ model, use }, { action }) => {
      const owner = model.attributes.get('owner')
      if (owner?.kind !== 'scalar' || use !== 'root' || action !== 'createLocalization') return undefined
      return anyOf([isNull(owner), compare(owner, '$ne', 'Bob')])
    })
  },
})

/** What another request does to the entries while the input of one is read. */
let meanwhile: () => Promise<unknown> = async () => {}
const meddler = definePlugin({
  name: 'meddler',
  setup(host) {
    const hook = async (input: EntryInput) => {
      await meanwhile()
      return input
    }
    host.hook('entry:input', hook, { database: false })
  },
})

let server: Server
let api: ReturnType<typeof createClient>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  server = await createServer({
    contentTypes: [note, mark, front],
    plugins: [meddler, rights, draftPublish(), i18n({ locales: ['en', 'fr', 'de'], acceptLanguage: true })],
    database: database.url,
    access: 'open',
  })
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  drop = database.drop
})
afterAll(async () => {
  await server.close()
  await drop()
})

interface Entry {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly meta?: unknown
}
const write = async (path: string, body: object): Promise<Entry> => {
  const answer = await api.post(path, { body })
  expect([path, answer.status, answer.body.error?.message]).toEqual([path, 200, undefined])
  return answer.body.data ?? answer.body
}
const published = { publishedAt: '2024-01-01T00:00:00.000Z' }
const list = async (query: string, headers: Record<string, string> = {}): Promise<readonly Entry[]> =>
  (await api.get(`/api/notes?sort=id&${query}`, { headers })).body.data
const column = async (name: string, id: number): Promise<unknown> =>
  (await server.octavo.store.query(`select "${name}" from "notes" where "id" = $1::int8`, [id]))[0]?.[0]

describe('A sibling that is a draft', () => {
  it('blocks no write, and is in no answer about the other', async () => {
    const english = await write('/api/notes', { data: { title: 'Seen' } })
    const french = await write(`/api/notes/${english.id}/localizations`, { locale: 'fr', title: 'Caché' })
    const find = (query: string) => list(`filters[id][$gte]=${english.id}&locale=fr&fallback=true&${query}`)
    expect((await find('')).map(({ id }) => id)).toEqual([english.id])
    expect((await find('publicationState=preview')).map(({ id }) => id)).toEqual([french.id])
    const meta = async (query: string) =>
      (await api.get(`/api/notes/${english.id}?meta=availableLocales&${query}`)).body.data.meta
    expect(await meta('')).toEqual({ availableLocales: [] })
    expect(await meta('publicationState=preview')).toEqual({ availableLocales: ['fr'] })
    // The right to write an entry includes its draft.
    const { body } = await api.put(`/api/notes/${english.id}`, { body: { data: {} } })
    expect(body.data.meta).toEqual({ availableLocales: ['fr'] })
  })
})

describe('S-22: A sibling that the caller may not change', () => {
  it('refuses a write that would change its shared values', async () => {
    const english = await write('/api/notes', { data: { title: 'Open', year: 1 } })
    const french = await write(`/api/notes/${english.id}/localizations`, { locale: 'fr', title: 'Locked' })
    const refused = { status: 403, body: { error: { name: 'ForbiddenError' } } }
    const put = (data: object) => api.put(`/api/notes/${english.id}`, { body: { data } })
    expect(await put({ year: 2 })).toMatchObject(refused)
    expect(await put({ pin: '1234' })).toMatchObject(refused)
    expect(
      await api.post(`/api/notes/${english.id}/localizations`, { body: { locale: 'de', year: 3 } }),
    ).toMatchObject(refused)
    expect([await column('year', french.id), await column('year', english.id)].map(Number)).toEqual([1, 1])
    // Shared values that do not change are accepted.
    expect((await put({ title: 'New', year: 1 })).status).toBe(200)
    await write(`/api/notes/${english.id}/localizations`, { locale: 'de', title: 'Offen', ...published })
  })
})

describe('A localization', () => {
  it('is created only from entries that the caller can read', async () => {
    const { id } = await write('/api/notes', { data: { title: 'Of Bob', owner: 'Bob' } })
    const answer = await api.post(`/api/notes/${id}/localizations`, { body: { locale: 'fr' } })
    expect([answer.status, answer.body.error.name]).toEqual([404, 'NotFoundError'])
  })

  it('has the shared values, even those that its creator may not write', async () => {
    const { id: first } = await write('/api/marks', { data: { name: 'a' } })
    const english = await write('/api/notes', { data: { title: 'Marked' } })
    await server.octavo.store.query(`insert into "${joinTable()}") values ($1::int8, $2::int8)`, [
      english.id,
      first,
    ])
    const { id } = await write(`/api/notes/${english.id}/localizations`, { locale: 'fr', ...published })
    const marks = async (of: number) =>
      (await api.get(`/api/notes/${of}?populate=marks`)).body.data.attributes.marks.data.map(
        (one: Entry) => one.id,
      )
    expect(await marks(id)).toEqual([first])
  })

  it('has a shared value that only programs write, whatever the body says', async () => {
    const { id } = await server.octavo.entries('note').create({ title: 'A', fee: 5, ...published })
    const french = await write(`/api/notes/${id}/localizations`, { locale: 'fr', title: 'B', fee: 9 })
    expect([await column('fee', french.id), await column('fee', id)].map(Number)).toEqual([5, 5])
  })

  it('does not change its siblings, unless it gives another shared value', async () => {
    const english = await write('/api/notes', { data: { title: 'One', year: 1 } })
    const french = await write(`/api/notes/${english.id}/localizations`, { locale: 'fr', ...published })
    // As data may be that was imported.
    await server.octavo.store.query(`update "notes" set "year" = 7 where "id" = $1::int8`, [french.id])
    await write(`/api/notes/${english.id}/localizations`, { locale: 'de', title: 'Eins' })
    expect(Number(await column('year', french.id))).toBe(7)
    const german = (await list(`locale=de&publicationState=preview&filters[title]=Eins`))[0]
    await api.put(`/api/notes/${german?.id}`, { body: { data: { year: 9 } } })
    expect([await column('year', french.id), await column('year', english.id)].map(Number)).toEqual([9, 9])
  })

  it('shares a password, and takes no target that can have one owner only', async () => {
    const seal = await write('/api/marks', { data: { name: 's' } })
    const english = await write('/api/notes', { data: { title: 'Secret', pin: 'one', seal: seal.id } })
    const french = await write(`/api/notes/${english.id}/localizations`, { locale: 'fr', ...published })
    const pin = await column('pin', english.id)
    expect(pin).toMatch(/^\$2/)
    expect(await column('pin', french.id)).toBe(pin)
    await api.put(`/api/notes/${french.id}`, { body: { data: { pin: 'two' } } })
    expect(await column('pin', english.id)).not.toBe(pin)
    expect(await column('pin', english.id)).toBe(await column('pin', french.id))
    const { body } = await api.get(`/api/notes/${english.id}?populate=seal`)
    expect(body.data.attributes.seal.data.id).toBe(seal.id)
  })

  it('is created once per locale by concurrent requests', async () => {
    const { id } = await write('/api/notes', { data: { title: 'Race' } })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        api.post(`/api/notes/${id}/localizations`, { body: { locale: 'fr', title: 'Course' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const { body } = await api.get(`/api/notes/${id}?populate=localizations&publicationState=preview`)
    expect(body.data.attributes.localizations.data).toHaveLength(1)
  })

  // The embedded database has one transaction at a time, and hooks of inputs run in it.
  describe.runIf(testEngine() === 'postgresql')('whose source is written at the same time', () => {
    const setYear = (id: number, year: number) =>
      server.octavo.store.query('update "notes" set "year" = $2::int4 where "id" = $1::int8', [id, year])
    afterEach(() => {
      meanwhile = async () => {}
    })

    it('has the values that its source has then', async () => {
      const { id } = await write('/api/notes', { data: { title: 'Moving', year: 1 } })
      let times = 0
      meanwhile = async () => (++times === 1 ? setYear(id, 2) : undefined)
      const french = await write(`/api/notes/${id}/localizations`, { locale: 'fr', title: 'Bouge' })
      expect([await column('year', french.id), await column('year', id)]).toEqual(['2', '2'])
    })

    it('is refused when its source is written again and again', async () => {
      const { id } = await write('/api/notes', { data: { title: 'Restless', year: 0 } })
      let year = 0
      meanwhile = () => setYear(id, ++year)
      const { status, body } = await api.post(`/api/notes/${id}/localizations`, { body: { locale: 'fr' } })
      expect([status, body.error.details.code, year]).toEqual([503, 'database/busy', 10])
      expect(await column('localization_group', id)).toBe(null)
    })

    it('is refused when its source is deleted', async () => {
      const { id } = await write('/api/notes', { data: { title: 'Leaving' } })
      meanwhile = () => server.octavo.store.query('delete from "notes" where "id" = $1::int8', [id])
      const { status } = await api.post(`/api/notes/${id}/localizations`, { body: { locale: 'fr' } })
      expect([status, await list(`filters[locale]=fr&filters[title]=Leaving`)]).toEqual([404, []])
    })
  })

  it('has an address of its own, which is numbered within its locale only', async () => {
    const english = await write('/api/notes', { data: { title: 'Emma' } })
    const again = await write('/api/notes', { data: { title: 'Emma' } })
    const french = await api.post(`/api/notes/${english.id}/localizations`, {
      body: { locale: 'fr', title: 'Emma' },
    })
    expect([english.attributes.slug, again.attributes.slug, french.body.slug]).toEqual([
      'emma',
      'emma-1',
      'emma',
    ])
  })
})

describe('A single type', () => {
  it('begins in the default locale, and other locales are localizations of it', async () => {
    const begun = await api.put('/api/front?locale=fr', { body: { data: { title: 'Welcome' } } })
    expect([begun.status, begun.body.data?.attributes.locale]).toEqual([200, 'en'])
    const refused = await api.put('/api/front?locale=fr', { body: { data: { title: 'Bienvenue' } } })
    expect([refused.status, refused.body.error.name]).toEqual([400, 'ValidationError'])
    await write('/api/front/localizations', { locale: 'fr', title: 'Bienvenue' })
    const changed = await api.put('/api/front?locale=fr', { body: { data: { title: 'Salut' } } })
    expect(changed.body.data.attributes).toMatchObject({ title: 'Salut', locale: 'fr' })
    expect((await api.get('/api/front')).body.data.attributes.title).toBe('Welcome')
    expect((await api.delete('/api/front?locale=fr')).status).toBe(200)
    expect((await api.get('/api/front')).status).toBe(200)
  })
})

describe('Accept-Language', () => {
  it('selects the locale where the query does not, and the response has Vary', async () => {
    const english = await write('/api/notes', { data: { title: 'Tongue' } })
    const french = await write(`/api/notes/${english.id}/localizations`, {
      locale: 'fr',
      title: 'Langue',
      ...published,
    })
    const ids = async (header: string, query = '') =>
      (await list(`filters[id][$gte]=${english.id}&${query}`, { 'accept-language': header })).map(
        ({ id }) => id,
      )
    expect(await ids('fr-CH, en;q=0.5')).toEqual([french.id])
    expect(await ids('es, ja')).toEqual([english.id])
    expect(await ids('fr', 'locale=en')).toEqual([english.id])
    expect(await ids('de', 'fallback=true')).toEqual([english.id])
    expect((await api.get('/api/notes')).headers.get('vary')).toContain('Accept-Language')
    // It is for reading.
    const made = await api.post('/api/notes', {
      body: { data: { title: 'x' } },
      headers: { 'accept-language': 'fr' },
    })
    expect(made.body.data.attributes.locale).toBe('en')
  })
})

describe('Locales and types that are added later', () => {
  it('a type that is added has its locales and routes', async () => {
    await server.addContentType({
      kind: 'collectionType',
      info: { singularName: 'late', pluralName: 'lates' },
      ...localized,
      attributes: { title: { type: 'string', ...localized } },
    })
    const { id } = await write('/api/lates', { data: { title: 'en' } })
    expect((await write(`/api/lates/${id}/localizations`, { locale: 'fr' })) as object).toMatchObject({
      locale: 'fr',
    })
  })

  // Last, since it changes the default locale of the other tests.
  it('an import may change the default: cached statements are replaced, and entries without a locale get it', async () => {
    const before = (await list('pagination[pageSize]=1'))[0]
    expect(before?.attributes.locale).toBe('en')
    await importData(server.octavo, {
      locales: [
        { id: 1, code: 'en' },
        { id: 5, code: 'es', isDefault: true },
      ],
    })
    expect(await list('pagination[pageSize]=1')).toEqual([])
    await importData(server.octavo, { entries: { 'api::note.note': [{ id: 900, title: 'Hola' }] } })
    expect(await list('pagination[pageSize]=1')).toMatchObject([
      { id: 900, attributes: { locale: 'es', publishedAt: expect.any(String) } },
    ])
    expect((await api.get('/api/i18n/locales')).body.map(({ code }: { code: string }) => code)).toEqual([
      'en',
      'es',
    ])
    expect((await api.post('/api/notes', { body: { data: { locale: 'fr' } } })).status).toBe(400)
  })
})

/** The model and the relation of marks. */
function joinTable(): string {
  const marks = server.registry.contentType('api::note.note').attributes.get('marks')
  if (marks?.kind !== 'relation' || marks.storage.kind !== 'join') throw new Error('Expected a join table')
  const { table, own, target } = marks.storage
  return `${table}" ("${own}", "${target}`
}

describe('localizations that are hidden', () => {
  it('are in no answer, with the option strict as well', async () => {
    const database = await createTestDatabase()
    const hiding = definePlugin({
      name: 'hiding',
      setup: (host) =>
        host.hook('query:attribute', ({ name }) => (name === 'localizations' ? false : undefined)),
    })
    const other = await createServer({
      contentTypes: [note, mark],
      plugins: [hiding, draftPublish(), i18n({ locales: ['en', 'fr'] })],
      database: database.url,
      access: 'open',
      strict: true,
    })
    const own = createClient((await other.listen(0, '127.0.0.1')).url)
    try {
      const { body } = await own.post('/api/notes', { body: { data: { title: 'Seen' } } })
      const path = `/api/notes/${body.data.id}/localizations`
      const french = await own.post(path, { body: { locale: 'fr', title: 'Vu' } })
      expect(french).toMatchObject({ status: 200, body: { title: 'Vu', locale: 'fr', localizations: [] } })
    } finally {
      await other.close()
      await database.drop()
    }
  })
})
