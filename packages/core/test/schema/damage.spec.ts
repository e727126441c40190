/** `octavo check --counts`: what two processes that wrote to one folder, and triggers that were off, leave in a database. */
import { createOctavo, defineComponent, defineContentType, type Octavo } from '@octavo/core'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkDamage } from '../../src/schema/damage/check-damage.ts'
import { checkTotals } from '../../src/schema/totals/check-totals.ts'

const book = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  options: { totals: 'kept' },
  attributes: {
    title: { type: 'string' },
    isbn: { type: 'string', unique: true },
    authors: { type: 'relation', relation: 'manyToMany', target: 'api::author.author', inversedBy: 'books' },
    editor: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    quote: { type: 'component', component: 'shared.quote', repeatable: true },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string' },
    books: { type: 'relation', relation: 'manyToMany', target: 'api::book.book', mappedBy: 'authors' },
  },
})
const quote = defineComponent({
  uid: 'shared.quote',
  attributes: { text: { type: 'string' }, source: { type: 'component', component: 'shared.source' } },
})
const source = defineComponent({ uid: 'shared.source', attributes: { name: { type: 'string' } } })

let database: TestDatabase
let octavo: Octavo
// One database for all tests, each of which leaves it whole.
beforeAll(async () => {
  database = await createTestDatabase()
  octavo = await createOctavo({
    contentTypes: [book, author],
    components: [quote, source],
    database: database.url,
  })
  const authors = octavo.entries('author')
  for (const name of ['Ada', 'Bert', 'Cleo']) await authors.create({ name })
  const books = octavo.entries('book')
  for (let i = 1; i <= 6; i++)
    await books.create({
      title: `Book ${i}`,
      isbn: `isbn ${i}`,
      authors: [1, 2, 3],
      editor: 3,
      quote: [{ text: `Quote ${i}`, source: { name: 'A source' } }],
    })
})
afterAll(async () => {
  await octavo.close()
  await database.drop()
})

const run = (text: string) => octavo.store.query(text)

/** Runs statements as if the triggers and keys were not there, which is how lost pages of a table look. */
const withoutTriggers = (...statements: readonly string[]): Promise<void> =>
  octavo.store.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const statement of statements) await tx.query(statement)
  })

/** Runs statements while the indexes of a table do not see them, which is how lost pages of an index look. */
async function withoutIndexes(table: string, ...statements: readonly string[]): Promise<void> {
  const switched = (isOn: boolean) =>
    `update pg_index set indisready = ${isOn}, indisvalid = ${isOn} where indrelid = '"${table}"'::regclass`
  await octavo.store.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const statement of [switched(false), ...statements, switched(true)]) await tx.query(statement)
  })
}

const checked = (repair = false) => checkDamage(octavo.store, octavo.registry, { repair })

/** The damage that is found, found again and mended, and then not found any more. */
async function mended(): Promise<readonly string[]> {
  const found = await checked()
  expect(found.every(({ isMended }) => !isMended)).toBe(true)
  const texts = found.map(({ text }) => text)
  const repaired = await checked(true)
  expect(repaired.filter(({ isMended }) => !isMended)).toEqual([])
  expect(repaired.map(({ text }) => text)).toEqual(expect.arrayContaining(texts))
  expect(await checked()).toEqual([])
  await checkTotals(octavo.store, octavo.registry, { repair: true })
  expect(await checkTotals(octavo.store, octavo.registry)).toEqual([])
  return texts
}

const titles = async (): Promise<readonly unknown[]> => {
  const { data } = await octavo.entries('book').find({ sort: 'title', pagination: { pageSize: 100 } })
  return data.map(({ attributes }) => attributes.title)
}

it('The check finds nothing in a whole database', async () => {
  expect(await checked()).toEqual([])
  expect(await checked(true)).toEqual([])
})

it('The check finds entries that an index has lost', async () => {
  await withoutIndexes('books', `insert into books (title, isbn) values ('Lost', 'isbn 7')`)
  const texts = await mended()
  expect(texts).toContainEqual(expect.stringMatching(/^api::book\.book: the index \w+ has 6 of the 7 rows/))
  expect(await octavo.entries('book').find({ filters: { isbn: 'isbn 7' } })).toMatchObject({
    data: [{ attributes: { title: 'Lost' } }],
  })
})

it('The repair gives entries with the same id ids of their own, and loses none', async () => {
  await withoutIndexes('books', `insert into books (id, title, isbn) values (4, 'Second', 'isbn 8')`)
  expect(await mended()).toContainEqual('api::book.book: several rows have the same id: 4')
  expect(await titles()).toEqual([...[1, 2, 3, 4, 5, 6].map((i) => `Book ${i}`), 'Lost', 'Second'])
  const { data } = await octavo.entries('book').find({ filters: { title: 'Second' } })
  expect(data).toMatchObject([{ id: 8 }])
})

it('The repair removes links that are there twice', async () => {
  const [[table] = []] = await run(
    `select c.conrelid::regclass::text from pg_constraint c where c.contype = 'f' and c.confrelid = 'authors'::regclass and c.conrelid <> 'books'::regclass`,
  )
  await withoutIndexes(String(table), `insert into ${table} select * from ${table} limit 1`)
  expect(await mended()).toContainEqual(
    expect.stringContaining('api::book.book.authors: several rows have the same'),
  )
  expect(await run(`select count(*) from ${table}`)).toEqual([['18']])
})

it('sets ids that would be given again', async () => {
  await run(`select setval(pg_get_serial_sequence('books', 'id'), 2)`)
  expect(await mended()).toEqual([
    'api::book.book: the last id that was given is 2, and there is an entry with 8',
  ])
  expect(await octavo.entries('book').create({ title: 'Next' })).toMatchObject({ id: 9 })
})

it('The check names entries with the same unique value, which it cannot decide on', async () => {
  await withoutIndexes('books', `insert into books (title, isbn) values ('Same', 'isbn 1')`)
  const found = await checked(true)
  expect(found.map(({ isMended }) => isMended)).not.toContain(true)
  expect(found.at(-1)?.text).toMatch(
    /^api::book\.book: its indexes cannot be made anew \(.*isbn 1.*\); change one/,
  )
  await run(`delete from books where title = 'Same'`)
  await mended()
})

it('The repair removes links to an entry that is gone, and its parts', async () => {
  await withoutTriggers('delete from authors where id = 3', 'delete from books where id = 2')
  expect(await mended()).toEqual([
    'api::book.book: 5 links lead to rows that the table authors does not have: 3',
    'shared.quote: 1 rows belong to entries that api::book.book does not have: 2',
    'api::book.book.authors: 3 links lead to rows that the table books does not have: 2',
    'api::book.book.authors: 6 links lead to rows that the table authors does not have: 3',
  ])
  const { data } = await octavo
    .entries('book')
    .find({ filters: { title: { $startsWith: 'Book' } }, populate: ['authors', 'editor'] })
  expect(data).toMatchObject(
    [1, 3, 4, 5, 6].map((id) => ({
      id,
      attributes: { authors: { data: [{ id: 1 }, { id: 2 }] }, editor: { data: null } },
    })),
  )
  // The part of the part is gone with it.
  expect(await run('select count(*) from components_shared_source')).toEqual([['5']])
})
