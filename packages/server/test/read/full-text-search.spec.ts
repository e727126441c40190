/** `options.search`: full-text search with ranks, and phrases that are too short for a trigram index. */
import {
  type ContentTypeDefinition,
  DefinitionError,
  defineContentType,
  type FullTextSearch,
  silentLogger,
} from '@octavo/core'
import { definePlugin, defineState } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Random cases repeat their requests, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const attributes = { title: { type: 'string' }, body: { type: 'text' } } as const
const typeOf = (
  singularName: string,
  search: NonNullable<ContentTypeDefinition['options']>['search'],
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  ...(search && { options: { search } }),
  attributes,
})

const english = {
  ...{ attributes: ['title', 'body'], mode: 'fulltext', language: 'english' },
  weights: { title: 'A' },
} as const satisfies FullTextSearch
const note = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  options: { search: english },
  attributes,
})
const types = [
  note,
  typeOf('strict', { attributes: ['title'], shortTerms: 'refuse' }),
  typeOf('loose', { attributes: ['title'] }),
]

const readsAll = defineState<true>('reads-all')
/** Hides `body` from requests without the header `X-All`. */
const hiding = definePlugin({
  name: 'hiding',
  setup(host) {
    host.hook('server:state', (context) => (context.get('X-All') === '' ? undefined : readsAll.with(true)))
    const all = host.fact('all', (state) => String(readsAll.of(state) ?? false))
    host.hook('query:attribute', ({ name }, _node, context) =>
      name === 'body' && context.fact(all) === 'false' ? false : undefined,
    )
  },
})

let database: TestDatabase
let server: Server
let api: Client
const open = () =>
  createServer({
    contentTypes: types,
    plugins: [hiding],
    database: database.url,
    access: 'open',
    logger: silentLogger,
  })
beforeAll(async () => {
  database = await createTestDatabase()
  server = await open()
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  const notes = server.octavo.entries('note')
  for (const [title, body] of [
    ['A garden', 'Houses stand near the river.'],
    ['The running house', 'Nothing else.'],
    ['Lanterns', 'A house, and in the house a housing of brass.'],
    ['Empty', null],
  ] as const)
    await notes.create({ title, body })
  for (const type of ['strict', 'loose'])
    await server.octavo.entries(type).create({ title: 'river', body: null })
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

const everything = { headers: { 'X-All': '1' } }
const ids = async (query: string, options = everything): Promise<readonly number[]> => {
  const { status, body } = await api.get(`/api/notes?fields=title&${query}`, options)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.map(({ id }: { id: number }) => id)
}

describe('_q of a content-type with a full-text search', () => {
  it.each([
    ['finds inflections', '_q=house', [1, 2, 3]],
    ['finds several words in any order', '_q=rivers+houses', [1]],
    ['finds phrases in quotes', `_q=${encodeURIComponent('"running house"')}`, [2]],
    ['finds alternatives', '_q=river+or+brass', [1, 3]],
    ['excludes words with a minus', '_q=house+-river', [2, 3]],
    ['finds no parts of words', '_q=iver', []],
    ['finds nothing for words that carry no meaning', '_q=the', []],
    ['is combined with filters', '_q=house&filters[title][$startsWith]=L', [3]],
  ])('%s', async (_title, query, found) => {
    expect(await ids(query)).toEqual(found)
  })

  it('has a total', async () => {
    const { body } = await api.get('/api/notes?_q=house&pagination[pageSize]=2', everything)
    expect(body.meta.pagination).toEqual({ page: 1, pageSize: 2, pageCount: 2, total: 3 })
  })

  it('finds written and no longer written words', async () => {
    const { body } = await api.post('/api/notes', { body: { data: { title: 'Ephemeral' } } })
    expect(await ids('_q=ephemeral')).toEqual([body.data.id])
    await api.put(`/api/notes/${body.data.id}`, { body: { data: { title: 'Lasting' } } })
    expect(await ids('_q=ephemeral')).toEqual([])
    await api.delete(`/api/notes/${body.data.id}`)
    expect(await ids('_q=lasting')).toEqual([])
  })

  it('never finds words of attributes that the caller may not read', async () => {
    const none = { headers: {} }
    expect(await ids('_q=river', none as never)).toEqual([])
    expect(await ids('_q=house', none as never)).toEqual([2])
    expect(await ids('_q=house+-nothing', none as never)).toEqual([2])
    expect(await ids('_q=house+-nothing')).toEqual([1, 3])
    expect(await ids('_q=house&sort=_score', none as never)).toEqual([2])
  })

  it('accepts every phrase', async () => {
    const phrase = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc
        .array(fc.constantFrom('"', '-', 'or', '&', '|', '!', ':*', '(', "'", '\\', 'house'), {
          maxLength: 6,
        })
        .map((parts) => parts.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(phrase, async (_q) => {
        const { status } = await api.get(
          `/api/notes?${new URLSearchParams({ _q: _q.replaceAll('\0', ''), sort: '_score' })}`,
          everything,
        )
        // Without a phrase there are no ranks.
        expect(status).toBe(_q.replaceAll('\0', '') === '' ? 400 : 200)
      }),
      { numRuns: 60 },
    )
  })

  it('stores texts of any length, and searches their beginning', async () => {
    // Distinct words, of which PostgreSQL would list more than a megabyte.
    const word = (i: number) => String.fromCodePoint(0x4e00 + (i % 20_000), 0x4e00 + Math.floor(i / 20_000))
    const body = Array.from({ length: 110_000 }, (_, i) => word(i)).join(' ')
    const { status } = await api.post('/api/notes', { body: { data: { title: 'Endless', body } } })
    expect(status).toBe(200)
    const [id] = await ids('_q=endless')
    await api.delete(`/api/notes/${id}`)
  })
})

describe('sort=_score', () => {
  it('puts the best matches first, and counts weights', async () => {
    expect(await ids('_q=house&sort=_score')).toEqual([2, 3, 1])
    expect(await ids('_q=house&sort=_score:desc')).toEqual([2, 3, 1])
    expect(await ids('_q=house&sort=_score:asc')).toEqual([1, 3, 2])
    expect(await ids('_q=house&sort[_score]=desc')).toEqual([2, 3, 1])
  })

  it('has pages by number and by cursor', async () => {
    const byNumber = [1, 2, 3].map((page) =>
      ids(`_q=house&sort=_score&pagination[pageSize]=1&pagination[page]=${page}`),
    )
    expect((await Promise.all(byNumber)).flat()).toEqual([2, 3, 1])
    const byCursor: number[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await api.get(
        `/api/notes?_q=house&sort=_score&pagination[pageSize]=1&pagination[after]=${after}`,
        everything,
      )
      byCursor.push(...body.data.map(({ id }: { id: number }) => id))
      after = body.meta.pagination.cursors.after
    }
    expect(byCursor).toEqual([2, 3, 1])
  })

  it.each(['/api/notes?sort=_score', '/api/looses?_q=river&sort=_score', '/api/looses?sort=_score'])(
    'is refused without a full-text search: %s',
    async (path) => {
      const { status, body } = await api.get(path)
      expect([status, body.error.details.code]).toEqual([400, 'query/not-usable'])
      expect(body.error.message).toBe(
        'sort: "_score" is the rank of what _q finds in a content-type with options.search of mode "fulltext"; send it with such a _q.',
      )
    },
  )
})

describe('a phrase that is too short for the trigram index', () => {
  it('is refused where options.search.shortTerms is "refuse"', async () => {
    for (const _q of ['ri', 'r', '%', 'a b'])
      expect(await api.get(`/api/stricts?${new URLSearchParams({ _q })}`)).toMatchObject({
        status: 400,
        body: { error: { details: { code: 'query/search-too-short' } } },
      })
    for (const _q of ['riv', 'IVER']) {
      const { body } = await api.get(`/api/stricts?_q=${_q}`)
      expect(body.data).toHaveLength(1)
    }
  })

  it('is searched for otherwise', async () => {
    const { body } = await api.get('/api/looses?_q=ri')
    expect(body.data).toHaveLength(1)
  })
})

describe('a mistake in options.search stops the start and names the place', () => {
  const start = (search: unknown, more = {}) =>
    createServer({
      contentTypes: [{ ...typeOf('note', undefined), options: { search: search as never }, ...more }],
      database: database.url,
      access: 'open',
      logger: silentLogger,
    }).then(
      () => 'started',
      (error: unknown) => (error instanceof DefinitionError ? error.message : String(error)),
    )

  it.each([
    [
      { ...english, language: 'englsh' },
      /options\.search\.language: must be one of simple, .*; did you mean "english"\?/,
    ],
    [
      { ...english, weights: { title: 'E' } },
      /options\.search\.weights\.title: must be one of A, B, C, D, not "E"/,
    ],
    [
      { ...english, weights: { titel: 'A' } },
      /weights\.titel: is not one of the attributes; did you mean "title"\?/,
    ],
    [{ ...english, mode: 'full' }, /options\.search\.mode: must be one of trigrams, fulltext, not "full"/],
    [
      { ...english, shortTerms: 'scan' },
      /shortTerms: belongs to the mode "trigrams", and the mode is "fulltext"/,
    ],
    [
      { attributes: ['title'], language: 'english' },
      /language: belongs to the mode "fulltext", and the mode is "trigrams"/,
    ],
    [{ attributes: ['title'], shortTerms: 'no' }, /shortTerms: must be one of scan, refuse, not "no"/],
    [
      { attributes: ['title'], langage: 'english' },
      /langage: is not known; a search has attributes, mode, shortTerms/,
    ],
    [{ ...english, attributes: ['titel'] }, /attributes\.0: "titel" is no attribute; did you mean "title"\?/],
  ])('%j', async (search, message) => {
    expect(await start(search)).toMatch(message)
  })

  it('refuses hidden attributes in a full-text search', async () => {
    const secret = { attributes: { title: { type: 'string', private: true } } }
    expect(await start({ attributes: ['title'], mode: 'fulltext' }, secret)).toMatch(
      /"title" is private or has "searchable": false, so _q never searches it/,
    )
  })
})
