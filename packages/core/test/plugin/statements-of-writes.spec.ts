/** The statements that plugins add to writes, which are one message, run step by step, or are many at once. */
import { sql, unrestricted } from '@octavo/core'
import { definePlugin, isNull, rowJson } from '@octavo/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BookShop, followed, openBooks, steps } from '../support/books.ts'

/** The rows of the statements before the writes. */
let former: unknown[] = []
const logs = definePlugin({
  name: 'logs',
  setup(host) {
    const log = host.table('octavo_book_log', {
      columns: { entry: { type: 'bigint' }, what: { type: 'text' } },
    })
    host.hook('entry:change', ({ type, input }) => {
      const sold = type.attributes.get('sold')
      return input.sold === true && sold?.kind === 'scalar' ? { name: 'sold', if: isNull(sold) } : undefined
    })
    host.hook('entry:statements', ({ type, written, changes }) => {
      const row = rowJson(type, ['title'], 't')
      return [
        {
          when: 'before',
          statement: sql`select ${row} from ${written} as "w" join ${sql.id(type.table)} as "t" on "t"."id" = "w"."id"`,
          receive: ([json]) => former.push(JSON.parse(String(json))),
        },
        {
          when: 'after',
          statement: sql`insert into ${sql.id(log.table)} ("entry", "what") select "w"."id", "w"."change" || ${` of ${changes.join(' or ')}`} || (select count(*) from ${sql.id(type.table)} where "id" = "w"."id") from ${written} as "w"`,
        },
      ]
    })
  },
})
/** A plugin whose one statement changes the written entry. */
const numbers = definePlugin({
  name: 'numbers',
  setup(host) {
    host.hook('entry:statements', ({ type, written }) => [
      {
        when: 'after',
        statement: sql`update ${sql.id(type.table)} as "t" set "isbn" = 'n' || "t"."id" from ${written} as "w" where "t"."id" = "w"."id"`,
      },
    ])
  },
})
describe.each([
  ['one message', [logs]],
  ['one message that hooks follow', [logs, followed]],
  ['step by step', [logs, steps]],
])('The statements that a plugin adds to a write, which is %s', (_, plugins) => {
  let shop: BookShop
  beforeAll(async () => {
    shop = await openBooks(plugins)
  })
  afterAll(() => shop?.close())
  beforeEach(async () => {
    await shop.octavo.store.query('truncate "books", "octavo_book_log" restart identity')
    await books().create({ title: 'Emma', isbn: '1' })
    await shop.octavo.store.query('truncate "octavo_book_log" restart identity')
    former = []
  })
  const books = () => shop.books()
  const log = async () =>
    (await shop.octavo.store.query('select entry || $1 || what from octavo_book_log order by id', [' ']))
      .flat()
      .map(String)

  it('have the id of a new entry, whose row is there', async () => {
    await books().create({ title: 'Persuasion' })
    expect(await log()).toEqual(['2 created of created1'])
    expect(former).toEqual([])
  })

  it('see the entry before an update and after it', async () => {
    await books().update(1, { title: 'Emma, revised' })
    expect(await log()).toEqual(['1 updated of updated1'])
    expect(former).toEqual([{ title: 'Emma' }])
  })

  it('have the name of an update, where the entry met its condition', async () => {
    await books().update(1, { sold: true })
    await books().update(1, { sold: true, title: 'Sold again' })
    expect(await log()).toEqual(['1 sold of sold or updated1', '1 updated of sold or updated1'])
  })

  it('see the entry before its deletion only', async () => {
    await books().delete(1)
    expect(await log()).toEqual(['1 deleted of deleted0'])
    expect(former).toEqual([{ title: 'Emma' }])
  })

  it('do nothing when the write is refused', async () => {
    await expect(books().create({ title: 'Emma, again', isbn: '1' })).rejects.toThrow('unique')
    await expect(books().update(9, { title: 'None' })).rejects.toThrow()
    await expect(books().delete(9)).rejects.toThrow()
    expect(await log()).toEqual([])
    expect(former).toEqual([])
  })

  it('run for each entry of a bulk write', async () => {
    const type = shop.octavo.registry.contentType('api::book.book')
    await shop.octavo.bulk({
      type,
      create: [{ title: 'a' }, { title: 'b' }],
      update: [{ id: 1, sold: true }],
      delete: [],
      state: unrestricted('writes books'),
    })
    expect(await log()).toEqual([
      '2 created of created1',
      '3 created of created1',
      '1 sold of sold or updated1',
    ])
  })

  it('are undone with their transaction', async () => {
    const undone = shop.octavo.transaction(async (tx) => {
      await tx.entries('book').update(1, { title: 'Emma, revised' })
      throw new Error('undone')
    }, unrestricted('writes books'))
    await expect(undone).rejects.toThrow('undone')
    expect(await log()).toEqual([])
  })
})

describe.each([
  ['one message', [numbers]],
  ['one message that hooks follow', [numbers, followed]],
  ['step by step', [numbers, steps]],
])('A statement after the rows only, of a write which is %s', (_, plugins) => {
  let shop: BookShop
  beforeAll(async () => {
    shop = await openBooks(plugins)
  })
  afterAll(() => shop?.close())
  const books = () => shop.books()

  it('may change the entry, and the answer shows it', async () => {
    const shown = { id: 1, attributes: { title: 'Emma', isbn: 'n1' } }
    expect(await books().create({ title: 'Emma' })).toMatchObject(shown)
    expect(await books().update(1, { isbn: 'given' })).toMatchObject(shown)
    expect(await books().delete(1)).toMatchObject(shown)
  })
})
