/** The index of a search on a table in use is made beside the requests. */
import { type ContentTypeDefinition, createOctavo, type Logger, type Octavo, type Store } from '@octavo/core'
import { planSchema } from '@octavo/core/internal'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const book = (search?: object): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: { title: { type: 'string' } },
  ...(search && { options: { search: search as never } }),
})
const german = { attributes: ['title'], mode: 'fulltext', language: 'german' }
const trigrams = { attributes: ['title'] }

describe.skipIf(testEngine() === 'pglite')('the index of a search on a table in use', () => {
  let database: TestDatabase
  let octavo: Octavo
  let other: Octavo
  beforeEach(async () => {
    database = await createTestDatabase()
    other = await start()
    await other.store.query(
      `insert into books (title) select case when i % 100 = 0 then 'Die Häuser ' else 'Das Schiff ' end || i from generate_series(1, 5000) i`,
    )
  })
  afterEach(async () => {
    await octavo?.close()
    await other.close()
    await database.drop()
  })

  const start = (search?: object, lines: string[] = []): Promise<Octavo> => {
    const log = (_fields: object, message: string) => void lines.push(message)
    const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger }
    return createOctavo({ contentTypes: [book(search)], database: database.url, logger })
  }
  const found = async (phrase: string): Promise<number> =>
    (await octavo.entries('book').find({ _q: phrase, pagination: { pageSize: 1 } })).pagination.total ?? 0
  const isValid = async (store: Store, name: string): Promise<unknown> => {
    const rows = await store.query(
      `select i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and exists (select 1 from octavo_schema where key in ('search:books', 'words:books'))`,
      [name],
    )
    return rows.flat()[0]
  }
  /** Runs `work` while another process makes indexes. */
  const whileBusy = (work: () => Promise<void>): Promise<void> =>
    other.store.session(async (run) => {
      await run(`select pg_advisory_lock(hashtext('octavo search'))`)
      await work()
    })

  it('answers from the table until the words of all rows are stored', async () => {
    await whileBusy(async () => {
      octavo = await start(german)
      expect(await found('haus')).toBe(50)
      await octavo.entries('book').create({ title: 'Ein Haus' })
      expect(await found('haus')).toBe(51)
      expect(await isValid(octavo.store, 'books_search_words')).toBeUndefined()
    })
    await expect.poll(() => isValid(octavo.store, 'books_search_words'), { timeout: 60_000 }).toBe('t')
    await expect.poll(() => found('haus'), { timeout: 20_000 }).toBe(51)
    expect(await octavo.store.query('select count(*) from books where _search is null')).toEqual([['0']])
    // Writes of a process that knows no search are found too.
    await other.entries('book').create({ title: 'Drei Häuser' })
    await octavo.entries('book').update(1, { title: 'Haus und Hof' })
    expect(await found('haus')).toBe(53)
  })

  it('stays as long as processes with the former definitions run, and each version has its own answers', async () => {
    octavo = await start(german)
    await expect.poll(() => isValid(octavo.store, 'books_search_words'), { timeout: 60_000 }).toBe('t')
    const columns = async () => {
      const rows = await other.store.query(
        `select 1 from information_schema.columns where table_name = 'books' and column_name = '_search'`,
      )
      return rows.length
    }
    for (const search of [{ ...german, language: 'english' }, undefined]) {
      const lines: string[] = []
      const later = await start(search, lines)
      expect(lines).toContain('The index of a search is replaced once no process has other definitions')
      expect(await found('haus')).toBe(50)
      expect((await later.entries('book').find({ _q: 'haus' })).pagination.total).toBe(0)
      expect(await columns()).toBe(1)
      await later.close()
    }
    await octavo.close()
    octavo = await start()
    await expect.poll(columns, { timeout: 60_000 }).toBe(0)
  })

  it('leaves no note of the one that it replaces when a process is killed meanwhile', async () => {
    octavo = await start(german)
    await expect.poll(() => isValid(octavo.store, 'books_search_words'), { timeout: 60_000 }).toBe('t')
    await octavo.close()
    const { store } = other
    await store.query('update octavo_processes set ended = true')
    // The index of the next one cannot be made.
    await store.query('create sequence books_search_words_seq')
    await store.query(`alter index books_search_words rename to books_former_words`)
    await store.query(`alter sequence books_search_words_seq rename to books_search_words`)
    const lines: string[] = []
    octavo = await start({ ...german, language: 'english' }, lines)
    await expect.poll(() => lines).toContain('The index of a search could not be made; trying again')
    await octavo.close()
    await store.query('drop sequence books_search_words')
    octavo = await start(german)
    await expect.poll(() => isValid(octavo.store, 'books_search_words'), { timeout: 60_000 }).toBe('t')
    expect(await found('haus')).toBe(50)
  })

  it('is made anew when a process was killed while it made it', async () => {
    const { store } = other
    await store.query('create extension if not exists pg_trgm')
    await store.query('create index books_search_trigrams on books using gin (title gin_trgm_ops)')
    await store.query(
      `update pg_index set indisvalid = false where indexrelid = 'books_search_trigrams'::regclass`,
    )
    octavo = await start(trigrams)
    expect(await found('Häuser')).toBe(50)
    await expect.poll(() => isValid(store, 'books_search_trigrams'), { timeout: 60_000 }).toBe('t')
    const [row] = await store.query(`select pg_get_indexdef('books_search_trigrams'::regclass)`)
    expect(row?.[0]).toContain('lower(title)')
  })

  it('is announced with its time by octavo check', async () => {
    const { warnings, statements } = await planSchema({
      contentTypes: [book(trigrams)],
      database: database.url,
    })
    expect(warnings).toEqual([
      expect.stringMatching(/beside the requests, which takes about \d+ s for 5000 entries/),
    ])
    expect(statements.join()).not.toContain('search_trigrams')
  })

  it('is dropped beside the requests when it is declared no more', async () => {
    octavo = await start(trigrams)
    await expect.poll(() => isValid(octavo.store, 'books_search_trigrams'), { timeout: 60_000 }).toBe('t')
    await octavo.close()
    octavo = await start()
    const indexes = () =>
      octavo.store.query(`select indexname from pg_indexes where indexname like 'books_search%'`)
    await expect.poll(indexes, { timeout: 60_000 }).toEqual([])
  })
})
