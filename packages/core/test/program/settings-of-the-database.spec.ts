/** A database or a role may have settings of its own, which change what a statement means. */
import { type ContentTypeDefinition, createOctavo, type Octavo, unrestricted } from '@octavo/core'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const state = unrestricted('writes into a database with settings of its own')
const book = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string', unique: true },
    weight: { type: 'float' },
    day: { type: 'date' },
  },
} as const
const home = {
  kind: 'singleType',
  info: { singularName: 'home', pluralName: 'homes' },
  attributes: { title: { type: 'string' } },
} as const
const longerBook = { ...book, attributes: { ...book.attributes, pages: { type: 'integer' } } } as const

/** Values that a database may have in place of PostgreSQL's own. */
const others = {
  array_nulls: 'off',
  datestyle: 'SQL, DMY',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-3',
  plan_cache_mode: 'force_generic_plan',
  quote_all_identifiers: 'on',
  standard_conforming_strings: 'off',
  timezone: 'Asia/Kolkata',
  transform_null_equals: 'on',
}

describe.runIf(testEngine() === 'postgresql')('A database with settings of its own', () => {
  let database: TestDatabase
  let octavo: Octavo | undefined
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    await octavo?.close()
    await database.drop()
  })
  const open = async (first: ContentTypeDefinition = book): Promise<Octavo> => {
    octavo = await createOctavo({ contentTypes: [first, home], database: database.url })
    return octavo
  }

  it('changes no table, no value, and nothing of writes at the same time', async () => {
    const first = await open()
    const [[name] = []] = await first.store.query('select current_database()')
    for (const [setting, value] of Object.entries(others))
      await first.store.query(`alter database "${name}" set ${setting} to '${value}'`)
    await first.close()

    const { registry, store, write, read } = await open(longerBook)
    const books = registry.contentType('api::book.book')
    const homes = registry.contentType('api::home.home')
    const given = { title: '\\', weight: 5e-324, day: '2020-02-29' }
    await write({ type: books, action: 'create', input: given, query: '', state })
    const { data } = await read({
      type: books,
      action: 'find',
      kind: 'list',
      query: 'filters[weight]=5e-324',
      state,
    })
    expect(JSON.parse(data ?? '')).toMatchObject([{ attributes: { ...given, pages: null } }])

    const titles = ['a', 'b', 'c', 'd', 'e', 'f']
    const put = (title: string) =>
      write({ type: homes, action: 'update', input: { title }, query: '', state })
    await Promise.all(titles.map(put))
    expect(await store.query('select count(*) from homes')).toEqual([['1']])
  })

  it('ends no wait for a lock, no session and no transaction', async () => {
    const first = await open()
    const [[name] = []] = await first.store.query('select current_database()')
    const timeouts = ['idle_session_timeout', 'lock_timeout', 'transaction_timeout'] // the last one since PostgreSQL 17
    const known = await first.store.query('select name from pg_settings where name = any($1) order by name', [
      timeouts,
    ])
    for (const [timeout] of known) await first.store.query(`alter database "${name}" set ${timeout} to '5s'`)
    await first.close()

    const { store } = await open()
    await store.listen('sleepers', () => {})
    const settings = await store.query(
      'select name, setting from pg_settings where name = any($1) order by name',
      [timeouts],
    )
    expect(settings).toEqual(known.map(([timeout]) => [timeout, '0']))
    // PostgreSQL would end the session before it has been idle for so long.
    await vi.waitFor(async () => {
      const [[idle] = []] = await store.query(
        `select count(*) from pg_stat_activity where datname = $1 and application_name = 'octavo-listen' and now() - state_change > interval '6 s'`,
        [String(name)],
      )
      expect(idle).toBe('1')
    }, 60_000)
  }, 120_000)

  it('that make it read-only are named at the start', async () => {
    const first = await open()
    const [[name, role] = []] = await first.store.query('select current_database(), current_user')
    await first.store.query(`alter database "${name}" set default_transaction_read_only to on`)
    await first.close()

    await expect(createOctavo({ contentTypes: [book], database: database.url })).rejects.toThrow(
      `The database "${name}" refuses writes of the user "${role}", and a start writes: default_transaction_read_only is on (source: database).`,
    )
  })

  it.each(['LATIN1', 'SQL_ASCII'])('is refused at the start in the encoding %s', async (encoding) => {
    const { store } = await open()
    const [[name] = []] = await store.query('select current_database()')
    const other = `${name}_${encoding.toLowerCase()}`
    await store.query(
      `create database ${other} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`,
    )
    try {
      const url = String(database.url).replace(String(name), other)
      await expect(createOctavo({ contentTypes: [book], database: url })).rejects.toThrow(
        `The database "${other}" has the encoding ${encoding}, in which many characters cannot be stored. Octavo needs one with UTF8: create database`,
      )
    } finally {
      await store.query(`drop database ${other} with (force)`)
    }
  })
})
