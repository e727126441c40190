import type { Store } from '@octavo/database'
import { openStore, silentLogger } from '@octavo/database'
import { createTestDatabase, type TestDatabase, testEngine } from '@octavo/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LinkType, SiblingsType } from '../../src/content-type/attribute-type.ts'
import type { ContentTypeDefinition } from '../../src/content-type/definition/definition.ts'
import { SchemaError } from '../../src/schema/schema-error.ts'
import { tablesOf } from '../../src/schema/tables/tables.ts'
import { updateSchema } from '../../src/schema/update-schema.ts'
import { usedIds } from '../../src/schema/used-ids.ts'
import { collection, registryOf } from '../support/registry.ts'

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await createTestDatabase()
  store = await open()
})
// One database for several tests: an embedded one takes seconds to start.
beforeEach(async () => {
  await store.query('drop schema public cascade')
  await store.query('create schema public')
})
afterAll(async () => {
  await store?.close()
  await database?.drop()
})

const open = () =>
  openStore({
    database: database.url,
    limits: { statementTime: 60_000, connectionTime: 15_000, queueTime: 10_000 },
    logger: silentLogger,
  })
const books = (attributes: Parameters<typeof collection>[1]) => registryOf([collection('book', attributes)])
const columns = async (table: string) => {
  const rows = await store.query(
    `select column_name from information_schema.columns where table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows.flat()
}
const indexes = async (table: string) => {
  const rows = await store.query('select indexdef from pg_indexes where tablename = $1 order by indexname', [
    table,
  ])
  return rows.map(([definition]) => String(definition).replace(/^.* USING btree /, ''))
}
const refusal = async (work: Promise<unknown>): Promise<SchemaError> => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(SchemaError)
  return error as SchemaError // checked on the line before
}

describe('the update of the schema', () => {
  it('makes the tables once, and no changes afterwards, with any check', async () => {
    const registry = books({
      title: { type: 'string' },
      pages: { type: 'integer' },
      price: { type: 'decimal' },
    })
    const first = await updateSchema(store, registry)
    expect(first.statements[0]).toMatch(/^create table "books"/)
    expect(await columns('books')).toEqual(['id', 'title', 'pages', 'price', 'created_at', 'updated_at'])
    expect((await updateSchema(store, registry)).statements).toEqual([])
    expect((await updateSchema(store, registry, { check: 'always' })).statements).toEqual([])
  })

  describe('meets a condition of the database that passes', () => {
    /** Has every change of a table that exists raise an error with this SQLSTATE, while a condition holds. */
    const raise = async (state: string, condition: string): Promise<void> => {
      await store.query('create sequence attempts')
      await store.query(
        `create function refuse() returns event_trigger language plpgsql as $$ begin if ${condition} then raise exception 'not now' using errcode = '${state}'; end if; end $$`,
      )
      await store.query(
        `create event trigger refusing on ddl_command_start when tag in ('ALTER TABLE') execute function refuse()`,
      )
    }
    const extended = books({ title: { type: 'string' }, pages: { type: 'integer' } })
    beforeEach(() => updateSchema(store, books({ title: { type: 'string' } })))
    afterEach(() => store.query('drop event trigger if exists refusing'))

    it('such as a full disk: it fails with that, not as a change that could lose data, and the next one makes it', async () => {
      await raise('53100', 'true')
      await expect(updateSchema(store, extended)).rejects.toMatchObject({ code: 'database/full' })
      expect(await columns('books')).not.toContain('pages')
      await store.query('drop event trigger refusing')
      await updateSchema(store, extended)
      expect(await columns('books')).toContain('pages')
    })

    it('such as a deadlock with a process that serves requests: it is made again', async () => {
      // Sequences are not part of the transaction that is rolled back.
      await raise('40P01', `nextval('attempts') = 1`)
      await updateSchema(store, extended)
      expect(await columns('books')).toContain('pages')
    })
  })

  it('makes every attribute type, relation, component, link and sibling such that they compare equal', async () => {
    const types = [
      'string',
      'text',
      'richtext',
      'email',
      'password',
      'uid',
      'date',
      'time',
      'datetime',
      'timestamp',
    ]
    const more = ['integer', 'biginteger', 'float', 'decimal', 'boolean', 'json', 'array', 'blocks']
    const everything = Object.fromEntries([...types, ...more].map((type) => [`a${type}`, { type }]))
    const files: LinkType = {
      kind: 'link',
      name: 'media',
      target: 'api::file.file',
      table: 'files_related',
      column: 'file_id',
      many: () => true,
      filterable: true,
      empty: 'list',
      check: () => [],
    }
    const siblings: SiblingsType = { kind: 'siblings', name: 'localizations', column: 'locale_group' }
    const registry = registryOf(
      [
        collection('file', { name: { type: 'string' } }),
        collection('thing', {
          ...everything,
          kind: { type: 'enumeration', enum: ['a', 'b'] },
          parent: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::thing.thing',
            inversedBy: 'children',
          },
          children: {
            type: 'relation',
            relation: 'oneToMany',
            target: 'api::thing.thing',
            mappedBy: 'parent',
          },
          friends: {
            type: 'relation',
            relation: 'manyToMany',
            target: 'api::thing.thing',
            inversedBy: 'friendOf',
          },
          friendOf: {
            type: 'relation',
            relation: 'manyToMany',
            target: 'api::thing.thing',
            mappedBy: 'friends',
          },
          tags: { type: 'relation', relation: 'oneToMany', target: 'api::file.file' },
          pictures: { type: 'media' },
          localizations: { type: 'localizations' },
          parts: { type: 'component', component: 'a.part', repeatable: true },
        }),
      ],
      [{ uid: 'a.part', attributes: { name: { type: 'string' }, file: { type: 'media' } } }],
      [files, siblings],
    )
    await updateSchema(store, registry)
    expect((await updateSchema(store, registry, { check: 'always' })).statements).toEqual([])
    expect(await columns('files_related')).toEqual([
      'id',
      'file_id',
      'owner_type',
      'owner_id',
      'field',
      'position',
    ])
    expect(await indexes('files_related')).toEqual([
      '(file_id)',
      '(owner_id, owner_type, field, "position")',
      '(id)',
    ])
    expect(await indexes('things')).toEqual(
      expect.arrayContaining(['(locale_group)', '(parent_id, parent_position)', '(auid)']),
    )
  })

  it('adds a column without changing the rows', async () => {
    await updateSchema(store, books({ title: { type: 'string' } }))
    await store.query(`insert into books (title) values ('Emma')`)
    await updateSchema(store, books({ title: { type: 'string' }, year: { type: 'integer', required: true } }))
    expect(await store.query('select title, year from books')).toEqual([['Emma', null]])
  })

  it('does not change tables and columns without a definition, and accepts inserts beside them', async () => {
    await updateSchema(
      store,
      registryOf([
        collection('author', { name: { type: 'string' } }),
        collection('book', {
          isbn: { type: 'string', required: true, unique: true },
          author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        }),
      ]),
    )
    await store.query(`insert into authors (name) values ('Austen')`)
    await store.query(`insert into books (isbn, author_id) values ('1', 1)`)
    // `code` has the type of `isbn`: it is not taken for its new name.
    await updateSchema(store, books({ code: { type: 'string' } }))
    expect(await store.query('select isbn, author_id, code from books')).toEqual([['1', '1', null]])
    expect(await store.query('select name from authors')).toEqual([['Austen']])
    await store.query(`insert into books (code) values ('2'), ('3')`)
    await store.query('delete from authors')
    expect(await store.query('select author_id from books where isbn is not null')).toEqual([[null]])
  })

  it('does not change objects that an operator made', async () => {
    await updateSchema(store, books({ title: { type: 'string' } }))
    await store.query('create table visits (id int primary key, page text)')
    await store.query('alter table books add column shelf text not null default $$A$$')
    await store.query('create index books_shelf on books (shelf)')
    await store.query('create index books_lower on books (lower(title))')
    await store.query('create unique index books_title_key on books (title)')
    await store.query('create view shelves as select shelf from books')
    const before = await indexes('books')
    await updateSchema(store, books({ title: { type: 'string' }, year: { type: 'integer' } }), {
      check: 'always',
    })
    expect(await indexes('books')).toEqual(before)
    expect(await columns('books')).toContain('shelf')
    expect(await columns('visits')).toEqual(['id', 'page'])
  })

  it('gives a unique attribute and a uid an index of their own, and takes it back', async () => {
    await updateSchema(store, books({ isbn: { type: 'string', unique: true }, slug: { type: 'uid' } }))
    await store.query(`insert into books (isbn, slug) values ('1', 'a'), (null, null), (null, null)`)
    await expect(store.query(`insert into books (isbn) values ('1')`)).rejects.toMatchObject({
      code: '23505',
    })
    await expect(store.query(`insert into books (slug) values ('a')`)).rejects.toMatchObject({
      code: '23505',
    })
    await updateSchema(store, books({ isbn: { type: 'string' }, slug: { type: 'uid' } }))
    await store.query(`insert into books (isbn) values ('1')`)
  })

  it('creates declared indexes, and drops them when no longer declared; a dry run lists the statements', async () => {
    const shop = (...declared: readonly object[]) =>
      registryOf([
        {
          ...collection('book', {
            isbn: { type: 'string' },
            year: { type: 'integer' },
            author: { type: 'relation', relation: 'manyToOne', target: 'api::book.book' },
          }),
          options: { indexes: declared as never },
        },
      ])
    await updateSchema(store, shop())
    const own = await indexes('books')
    await updateSchema(
      store,
      shop(
        { attributes: ['author', 'year', 'id'] },
        { attributes: ['isbn', 'year'], unique: true },
        { attributes: ['author'] },
      ),
    )
    const all = await indexes('books')
    expect(all.filter((index) => !own.includes(index)).toSorted()).toEqual([
      '(author_id, year, id)',
      '(isbn, year)',
    ])
    await store.query(`insert into books (isbn, year) values ('1', 1), ('1', 2), ('1', null), ('1', null)`)
    await expect(store.query(`insert into books (isbn, year) values ('1', 1)`)).rejects.toMatchObject({
      code: '23505',
    })
    const { statements } = await updateSchema(store, shop({ attributes: ['author', 'year', 'id'] }), {
      dryRun: true,
    })
    expect(statements).toEqual([expect.stringMatching(/drop constraint "books_isbn_year_unique"/)])
    expect(await indexes('books')).toEqual(all)
    await updateSchema(store, shop())
    expect(await indexes('books')).toEqual(own)
  })

  it('deletes dependent rows of an entry, and clears references to it', async () => {
    await updateSchema(
      store,
      registryOf([
        collection('tag', { name: { type: 'string' } }),
        collection('book', {
          main: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        }),
      ]),
    )
    const [join] = (
      await store.query(`select tablename from pg_tables where tablename like 'books_tags%'`)
    ).flat()
    await store.query(`insert into tags (name) values ('a')`)
    await store.query('insert into books (main_id) values (1)')
    await store.query(`insert into ${join} (owner_id, target_id) values (1, 1)`)
    await expect(
      store.query(`insert into ${join} (owner_id, target_id) values (1, 1)`),
    ).rejects.toMatchObject({ code: '23505' })
    await store.query('delete from tags')
    expect(await store.query('select main_id from books')).toEqual([[null]])
    expect(await store.query(`select * from ${join}`)).toEqual([])
  })
})

describe('the update of the schema refuses', () => {
  it('to change the type of a column, and names table, column and the SQL', async () => {
    await updateSchema(store, books({ year: { type: 'string' }, title: { type: 'string' } }))
    await store.query(`insert into books (year) values ('1815')`)
    const changed = books({ year: { type: 'integer' }, title: { type: 'string' }, added: { type: 'string' } })
    const { message, refusals } = await refusal(updateSchema(store, changed))
    expect(message).toContain('table "books", column "year": it is text, and the definition needs int')
    expect(refusals).toMatchObject([
      { table: 'books', column: 'year', sql: expect.stringContaining('alter table "books"') },
    ])
    expect(await columns('books')).not.toContain('added')
    // The SQL works, and then there is nothing in the way.
    for (const sql of String(refusals[0]?.sql)
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean))
      await store.query(sql)
    await updateSchema(store, changed)
    expect(await store.query('select year + 1 from books')).toEqual([['1816']])
  })

  it.each([
    ['unique values', { unique: true }, {}],
    ['an index', {}, { indexes: [{ attributes: ['text'] }] }],
  ])('values that are too long for %s, also in a dry run', async (_, attribute, options) => {
    const textOf = (length: number) =>
      `(select left(string_agg(md5(i::text), ''), ${length}) from generate_series(1, 200) i)`
    const declared = (more: object, own: NonNullable<ContentTypeDefinition['options']> = {}) =>
      registryOf([{ ...collection('book', { text: { type: 'string', ...more } }), options: own }])
    await updateSchema(store, declared({}))
    // The second one is compressed, and fits.
    await store.query(`insert into books ("text") values (${textOf(2_600)}), (repeat('long', 10000)), (null)`)
    await updateSchema(store, declared(attribute, options), { dryRun: true })
    await store.query(`insert into books ("text") values (${textOf(3_000)})`)
    for (const dryRun of [true, false]) {
      const { message, refusals } = await refusal(
        updateSchema(store, declared(attribute, options), { dryRun }),
      )
      expect(message).toMatch(
        /table "books", column "text": api::book\.book (requires unique values|has an index), and a value is too long for one, which takes 2696 bytes, compressed: the one of 4 \(300\d bytes\)/,
      )
      expect(await store.query(refusals[0]?.sql ?? '')).toEqual([['4', '3000']])
    }
    await store.query('update books set "text" = left("text", 100) where id = 4')
    const { statements } = await updateSchema(store, declared(attribute, options))
    expect(statements).toHaveLength(1)
  })

  it('uniqueness that the values do not have, and shows some', async () => {
    await updateSchema(store, books({ isbn: { type: 'string' } }))
    await store.query(
      `insert into books (isbn) values ('x"y'), ('x"y'), ('x"y'), ('b'), ('b'), ('c'), (null), (null)`,
    )
    const { message, refusals } = await refusal(
      updateSchema(store, books({ isbn: { type: 'string', unique: true } })),
    )
    expect(message).toContain(
      'table "books", column "isbn": api::book.book requires unique values, and some occur more than once: ',
    )
    expect(message).toContain('"x\\"y" (3 times), "b" (2 times).')
    expect(await store.query(String(refusals[0]?.sql.split(';')[0]))).toHaveLength(5)
  })

  it('a table of another program, until it is adopted', async () => {
    await store.query('create table books (id int generated by default as identity primary key, title text)')
    await store.query(`insert into books (title) values ('mine')`)
    const registry = books({ title: { type: 'string' } })
    const { message } = await refusal(updateSchema(store, registry))
    expect(message).toContain('table "books": the table exists, but Octavo did not create it.')
    expect(await columns('books')).toEqual(['id', 'title'])
    await store.query('create table octavo_schema (key text primary key, value text not null)')
    await store.query(String(/insert into.*$/m.exec(message)?.[0]))
    await updateSchema(store, registry)
    expect(await columns('books')).toContain('created_at')
    expect(await store.query('select title from books')).toEqual([['mine']])
  })

  it('a database that a later version of Octavo has written, before anything of it is read or changed', async () => {
    await updateSchema(store, books({ title: { type: 'string' } }))
    await store.query(`update octavo_schema set value = 'of the later version' where key = 'fingerprint'`)
    await store.query(`update octavo_schema set value = '2' where key = 'layout'`)
    const before = await store.query('select key, value from octavo_schema order by key')
    const registry = books({ title: { type: 'string' }, pages: { type: 'integer' } })
    const later =
      /^The database was written by a later version of Octavo: its tables have layout 2, .* Nothing was changed\./
    await expect(updateSchema(store, registry)).rejects.toThrow(later)
    await expect(updateSchema(store, registry, { dryRun: true })).rejects.toThrow(later)
    expect(await columns('books')).not.toContain('pages')
    expect(await store.query('select key, value from octavo_schema order by key')).toEqual(before)
  })

  it('lists all refusals in one message', async () => {
    await updateSchema(store, books({ a: { type: 'string' }, b: { type: 'string' } }))
    const { refusals } = await refusal(
      updateSchema(store, books({ a: { type: 'integer' }, b: { type: 'boolean' } })),
    )
    expect(refusals.map(({ column }) => column)).toEqual(['a', 'b'])
  })
})

describe('the update of a schema in use', () => {
  it('adds a content-type to a running store', async () => {
    const book = collection('book', { title: { type: 'string' } })
    await updateSchema(store, registryOf([book]))
    const review = collection('review', {
      text: { type: 'text' },
      book: { type: 'relation', relation: 'manyToOne', target: 'api::book.book' },
    })
    const { statements } = await updateSchema(store, registryOf([book, review]))
    expect(statements.filter((sql) => sql.startsWith('create table'))).toHaveLength(1)
    await store.query(`insert into books (title) values ('Emma')`)
    await store.query('insert into reviews (book_id) values (1)')
  })

  it.runIf(testEngine() === 'postgresql')(
    'is done by one of several processes that start at once',
    async () => {
      const registry = books({ title: { type: 'string', unique: true } })
      const stores = await Promise.all([open(), open(), open(), open()])
      const updates = await Promise.all(stores.map((store) => updateSchema(store, registry)))
      expect(updates.filter(({ statements }) => statements.length > 0)).toHaveLength(1)
      await Promise.all(stores.map((store) => store.close()))
    },
  )

  it.runIf(testEngine() === 'postgresql')(
    'waits for another process for longer than a statement of a request may take',
    async () => {
      const registry = books({ title: { type: 'string' } })
      const other = await open()
      // Only the statements of the update have this limit, so that a slow machine does not exceed it in others.
      const hurried: Store = {
        ...other,
        transaction: (work, demand) =>
          other.transaction(async (tx) => {
            await tx.query('set local statement_timeout to 1000')
            return work(tx)
          }, demand),
      }
      const updating = await store.transaction(async (tx) => {
        await tx.lock('schema')
        const update = updateSchema(hurried, registry)
        const ended = update.then(
          () => true,
          () => true,
        )
        const hasWaited = async (): Promise<boolean> => {
          const [row] = await store.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
              and now() - query_start > interval '1.5 seconds'`,
          )
          return row !== undefined
        }
        while (!(await hasWaited()) && !(await Promise.race([ended, pause(20)])));
        return { update }
      })
      await expect(updating.update).resolves.toMatchObject({ statements: [expect.any(String)] })
      await other.close()
    },
  )
})

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

describe('a renamed attribute', () => {
  const before = (attributes: Parameters<typeof collection>[1] = {}) =>
    registryOf(
      [
        collection('tag', { name: { type: 'string' } }),
        collection('book', {
          title: { type: 'string' },
          writer: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
          labels: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
          box: { type: 'component', component: 'parts.box' },
          zone: { type: 'dynamiczone', components: ['parts.box'] },
          ...attributes,
        }),
      ],
      [{ uid: 'parts.box', attributes: { position: { type: 'string' } } }],
    )
  const after = (from: boolean) =>
    registryOf(
      [
        collection('tag', { name: { type: 'string' } }),
        collection('book', {
          name: { type: 'string', ...(from && { renamedFrom: 'title' }) },
          author: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::tag.tag',
            ...(from && { renamedFrom: 'writer' }),
          },
          tags: {
            type: 'relation',
            relation: 'manyToMany',
            target: 'api::tag.tag',
            ...(from && { renamedFrom: 'labels' }),
          },
          part: { type: 'component', component: 'parts.box', ...(from && { renamedFrom: 'box' }) },
          parts: {
            type: 'dynamiczone',
            components: ['parts.box'],
            ...(from && { renamedFrom: 'zone' }),
          },
        }),
      ],
      [
        {
          uid: 'parts.box',
          attributes: { place: { type: 'string', ...(from && { renamedFrom: 'position' }) } },
        },
      ],
    )
  const fill = async () => {
    await updateSchema(store, before())
    await store.query(`insert into tags (name) values ('x')`)
    await store.query(`insert into books (title, writer_id) values ('Emma', 1)`)
    await store.query('insert into books_labels_links (owner_id, target_id) values (1, 1)')
    await store.query(
      `insert into components_parts_box (owner_type, owner_id, field, attr_position) values ('api::book.book', 1, 'box', 'a'), ('api::book.book', 1, 'zone', 'b')`,
    )
  }

  it('moves its values, links and components', async () => {
    await fill()
    const { statements, warnings } = await updateSchema(store, after(true))
    expect(statements.length).toBeGreaterThan(5)
    expect(warnings).toEqual([])
    expect(await store.query('select name, author_id from books')).toEqual([['Emma', '1']])
    expect(await store.query('select owner_id, target_id from books_tags_links')).toEqual([['1', '1']])
    expect(await store.query('select field, place from components_parts_box order by id')).toEqual([
      ['part', 'a'],
      ['parts', 'b'],
    ])
    expect(await columns('books')).not.toContain('title')
    expect((await updateSchema(store, after(true), { check: 'always' })).statements).toEqual([])
  })

  it('is shown by a dry run, which changes nothing', async () => {
    await fill()
    const { statements } = await updateSchema(store, after(true), { dryRun: true })
    expect(statements).toContain('alter table "books" rename column "title" to "name"')
    expect(await columns('books')).toContain('title')
  })

  it('leaves values behind without renamedFrom: a warning names each place, and renamedFrom still works later', async () => {
    await fill()
    const { warnings } = await updateSchema(store, after(false))
    expect(warnings).toHaveLength(6)
    for (const field of ['box', 'zone'])
      expect(warnings.join('\n')).toContain(
        `api::book.book: the table "components_parts_box" has rows of "${field}" that no attribute reads (1)`,
      )
    expect(warnings.join('\n')).toMatch(
      /api::book\.book: the column "title" of the table "books" has values that no attribute reads/,
    )
    expect(warnings.join('\n')).toMatch(/api::book\.book\.labels: the table "books_labels_links" has links/)
    expect((await updateSchema(store, after(true))).warnings).toEqual([])
    expect(await store.query('select name, author_id from books')).toEqual([['Emma', '1']])
  })

  it('is refused when both names have values', async () => {
    await fill()
    await updateSchema(store, after(false))
    await store.query(`insert into books (name) values ('Persuasion')`)
    const { refusals } = await refusal(updateSchema(store, after(true)))
    expect(refusals).toMatchObject([{ table: 'books', column: 'name' }])
    for (const statement of String(refusals[0]?.sql)
      .split('\n')
      .filter((line) => !line.startsWith('--')))
      await store.query(statement.replace(/;$/, ''))
    await updateSchema(store, after(true))
    expect(await store.query('select name from books order by id')).toEqual([['Emma'], ['Persuasion']])
  })

  it('has the same name in the database, where only its spelling differs', async () => {
    const spelt = (title: string, labels: string) =>
      registryOf([
        collection('tag', {}),
        collection('book', {
          [title]: { type: 'string', renamedFrom: 'metaTitle' },
          [labels]: {
            type: 'relation',
            relation: 'manyToMany',
            target: 'api::tag.tag',
            renamedFrom: 'bookLabels',
          },
        }),
      ])
    await updateSchema(store, spelt('metaTitle', 'bookLabels'))
    await store.query('insert into tags default values')
    const renamed = spelt('meta_title', 'book_labels')
    expect((await updateSchema(store, renamed)).statements).toEqual([])
    await store.query(`insert into books (meta_title) values ('Emma')`)
    await store.query('insert into books_book_labels_links (owner_id, target_id) values (1, 1)')
    expect((await updateSchema(store, renamed, { check: 'always' })).statements).toEqual([])
  })

  it('is refused when an attribute of the former name has the values, until both names exist', async () => {
    const name = { type: 'string' } as const
    const both = books({ title: { type: 'string', renamedFrom: 'name' }, name })
    await updateSchema(store, books({ name }))
    await store.query(`insert into books (name) values ('Emma')`)
    const { refusals } = await refusal(updateSchema(store, both))
    expect(refusals).toMatchObject([
      {
        table: 'books',
        column: 'title',
        reason:
          'api::book.book: attributes.title.renamedFrom: "name" is an attribute as well, and the values would stay there. Start once without the attribute "name", so that "title" gets them, or remove renamedFrom.',
      },
    ])
    const [, statement = ''] = String(refusals[0]?.sql).split('\n')
    await store.query(statement.replace(/;$/, ''))
    await updateSchema(store, both)
    expect(await store.query('select title, name from books')).toEqual([['Emma', null]])
    await store.query(`update books set name = 'A novel'`)
    expect((await updateSchema(store, both, { check: 'always' })).statements).toEqual([])
  })

  it('takes the links of a polymorphic relation along', async () => {
    const things = (attributes: Parameters<typeof collection>[1]) =>
      registryOf([collection('book', attributes), collection('tag', {})])
    const morph = { type: 'relation', relation: 'morphToMany' } as const
    await updateSchema(store, things({ things: morph }))
    await store.query('insert into books default values')
    await store.query(
      `insert into books_things_morphs (target_id, owner_type, owner_id, field) values (1, 'api::tag.tag', 1, '')`,
    )
    const left = 'the table "books_things_morphs" has links that no attribute reads'
    for (const without of [{}, { objects: morph }]) {
      const { warnings } = await updateSchema(store, things(without))
      expect(warnings).toEqual([expect.stringContaining(left)])
    }
    const renamed = things({ objects: { ...morph, renamedFrom: 'things' } })
    expect((await updateSchema(store, renamed)).warnings).toEqual([])
    expect(await store.query('select owner_type from books_objects_morphs')).toEqual([['api::tag.tag']])
    expect((await updateSchema(store, renamed, { check: 'always' })).statements).toEqual([])
  })

  it('is refused when rows have both names, in any table of a zone, with the SQL that merges them', async () => {
    const lid = { uid: 'parts.lid', attributes: { name: { type: 'string' } } }
    const box = { uid: 'parts.box', attributes: { name: { type: 'string' } } }
    const zone = (renamedFrom?: string) => ({
      type: 'dynamiczone' as const,
      components: ['parts.box', 'parts.lid'],
      ...(renamedFrom && { renamedFrom }),
    })
    await updateSchema(store, registryOf([collection('book', { old: zone(), now: zone() })], [box, lid]))
    const row = (table: string, id: number, field: string) =>
      store.query(
        `insert into components_parts_${table} (owner_type, owner_id, field, name) values ('api::book.book', $1, $2, $2)`,
        [id, field],
      )
    await row('box', 1, 'old')
    await row('lid', 1, 'now')
    await row('box', 2, 'old')
    await row('lid', 2, 'old')
    const registry = registryOf([collection('book', { now: zone('old') })], [box, lid])
    const { refusals } = await refusal(updateSchema(store, registry))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]?.reason).toBe(
      'renamedFrom of api::book.book names "old", and there are rows of both "old" and "now".',
    )
    await store.query(String(refusals[0]?.sql).replace(/;$/, ''))
    expect((await updateSchema(store, registry)).warnings).toEqual([])
    const rows = (table: string) =>
      store.query(`select owner_id, field, name from components_parts_${table} order by 1`)
    expect(await rows('box')).toEqual([['2', 'now', 'old']])
    expect(await rows('lid')).toEqual([
      ['1', 'now', 'now'],
      ['2', 'now', 'old'],
    ])
  })

  it('is refused with the names that the database has, so that the SQL can be run', async () => {
    await updateSchema(store, books({ pages: { type: 'string' }, code: { type: 'string' } }))
    await store.query(`insert into books (pages, code) values ('1', 'a'), ('2', 'a')`)
    const renamed = books({
      length: { type: 'integer', renamedFrom: 'pages' },
      isbn: { type: 'string', unique: true, renamedFrom: 'code' },
    })
    const { refusals } = await refusal(updateSchema(store, renamed))
    expect(refusals.map(({ column }) => column)).toEqual(['pages', 'code'])
    for (const { sql } of refusals) await store.query(String(sql.split(';')[0]))
    await store.query(`update books set code = 'b' where id = 2`)
    await updateSchema(store, renamed)
    expect(await store.query('select length, isbn from books order by id')).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ])
  })

  it('is not made anew, and empty, by earlier definitions: of a chain of renames, and of components', async () => {
    const box = { uid: 'parts.box', attributes: { name: { type: 'string' } } }
    const version = (title: string, part: string, from?: readonly [string, string]) =>
      registryOf(
        [
          collection('book', {
            [title]: { type: 'string', ...(from && { renamedFrom: from[0] }) },
            [part]: { type: 'component', component: 'parts.box', ...(from && { renamedFrom: from[1] }) },
          }),
        ],
        [box],
      )
    await updateSchema(store, version('a', 'd'))
    await store.query(`insert into books (a) values ('x')`)
    await store.query(
      `insert into components_parts_box (owner_type, owner_id, field) values ('api::book.book', 1, 'd')`,
    )
    await updateSchema(store, version('b', 'e', ['a', 'd']))
    await updateSchema(store, version('c', 'f', ['b', 'e']))
    for (const [title, part] of [
      ['a', 'd'],
      ['b', 'e'],
    ] as const) {
      const { refusals } = await refusal(updateSchema(store, version(title, part)))
      expect(refusals).toMatchObject([
        { table: 'components_parts_box', reason: expect.stringContaining('under the name "f"') },
        { table: 'books', column: title, reason: expect.stringContaining('under the name "c"') },
      ])
    }
    const { refusals } = await refusal(updateSchema(store, version('a', 'd')))
    for (const { sql } of refusals) await store.query(sql.replace(/;$/, ''))
    expect((await updateSchema(store, version('a', 'd'))).warnings).toEqual([])
    expect(await store.query('select a from books')).toEqual([['x']])
    expect(await store.query('select field from components_parts_box')).toEqual([['d']])
  })

  it('does not change another attribute that has the old name', async () => {
    await fill()
    await refusal(updateSchema(store, before({ name: { type: 'string', renamedFrom: 'title' } })))
    expect(await store.query('select title from books')).toEqual([['Emma']])
    expect(await columns('books')).not.toContain('name')
  })
})

describe('a table whose ids are nearly used up', () => {
  it('is named', async () => {
    const registry = books({ title: { type: 'string' } })
    await updateSchema(store, registry)
    await store.query(`select setval('books_id_seq', 1700000000)`)
    expect(await usedIds(store, tablesOf(registry))).toEqual([])
    await store.query(`select setval('books_id_seq', 1800000000)`)
    expect(await usedIds(store, tablesOf(registry))).toEqual([
      expect.stringMatching(/^api::book\.book: 83 % of its ids are used/),
    ])
  })
})

describe('a table that was changed by hand', () => {
  it('gets a dropped column back at the next start', async () => {
    const registry = books({ title: { type: 'string' }, year: { type: 'integer' } })
    await updateSchema(store, registry)
    await store.query('alter table books drop column year')
    expect((await updateSchema(store, registry)).statements).toHaveLength(1)
    expect(await columns('books')).toContain('year')
  })

  it('is named when another collectionName leaves its rows behind', async () => {
    const book = collection('book', { title: { type: 'string' } })
    await updateSchema(store, registryOf([book]))
    await store.query(`insert into books (title) values ('Emma')`)
    const { warnings } = await updateSchema(store, registryOf([{ ...book, collectionName: 'volumes' }]))
    expect(warnings).toEqual([expect.stringContaining('alter table "books" rename to "volumes"')])
  })
})
