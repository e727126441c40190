/** The checks that plugins add to writes, which are one message, run step by step, or are many at once. */
import { ApplicationError, OctavoError, sql, unrestricted } from '@octavo/core'
import { definePlugin, defineProblems, lockOf, param } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import { countMessages } from '@octavo/testing/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BookShop, followed, openBooks, steps } from '../support/books.ts'

const problem = defineProblems({
  'shop/shelf-full': {
    error: ApplicationError,
    message: 'The shelf is full',
    when: 'a third book of a title',
  },
  'shop/sold': {
    error: ApplicationError,
    message: 'The book is sold',
    when: 'a write of a book that is sold',
  },
})

/** The numbers that the checks found, for each refusal. */
let found: (readonly number[])[] = []
/** Two books of a title at most, and no write of a book that is sold. */
const shelf = definePlugin({
  name: 'shelf',
  setup(host) {
    host.hook('entry:checks', ({ type, action, id, input }) => {
      const table = sql.id(type.table)
      if (action !== 'create')
        return [
          {
            finds: sql`select "id" from ${table} where "id" = ${param(id ?? null, 'int4')} and "sold"`,
            refusal: () => problem('shop/sold'),
          },
        ]
      const title = param(String(input.title), 'text')
      return [
        {
          lock: lockOf('the shelf'),
          finds: sql`select "id" from ${table} where "title" = ${title} order by "id" offset 1`,
          refusal: (numbers) => {
            found.push(numbers)
            return problem('shop/shelf-full')
          },
        },
      ]
    })
  },
})

describe.each([
  ['one message', [shelf]],
  ['one message that hooks follow', [shelf, followed]],
  ['step by step', [shelf, steps]],
])('The checks that a plugin adds to a write, which is %s', (_, plugins) => {
  let shop: BookShop
  beforeAll(async () => {
    shop = await openBooks(plugins)
  })
  afterAll(() => shop?.close())
  beforeEach(async () => {
    await shop.octavo.store.query('truncate "books" restart identity')
    for (const title of ['Emma', 'Emma']) await shop.books().create({ title })
    await shop.books().create({ title: 'Persuasion', sold: true })
    found = []
  })
  const stored = async () =>
    (await shop.octavo.store.query('select "id", "title" from "books" order by "id"')).map((row) =>
      row.join(' '),
    )
  const before = ['1 Emma', '2 Emma', '3 Persuasion']
  const code = (write: Promise<unknown>) =>
    write.then(
      () => 'written',
      (error: unknown) => (error instanceof OctavoError ? error.code : error),
    )

  it('refuse a create with their error, which has what they found, and write others', async () => {
    expect(await code(shop.books().create({ title: 'Emma' }))).toBe('shop/shelf-full')
    expect(found).toEqual([[2]])
    expect(await stored()).toEqual(before)
    expect(await code(shop.books().create({ title: 'Persuasion' }))).toBe('written')
  })

  it('read the entry of an update or a delete as it was', async () => {
    expect(await code(shop.books().update(3, { title: 'x' }))).toBe('shop/sold')
    expect(await code(shop.books().delete(3))).toBe('shop/sold')
    expect(await stored()).toEqual(before)
    expect(await code(shop.books().update(1, { sold: true }))).toBe('written')
    expect(await code(shop.books().update(1, { sold: false }))).toBe('shop/sold')
    expect(await code(shop.books().delete(2))).toBe('written')
  })

  it('refuse an entry that does not exist as any other write does', async () => {
    expect(await code(shop.books().update(9, { title: 'x' }))).toBe('entry/not-found')
    expect(await code(shop.books().delete(9))).toBe('entry/not-found')
  })

  it('come before the mistakes of the input', async () => {
    await shop.books().create({ title: 'x', isbn: '1' })
    expect(await code(shop.books().create({ title: 'Emma', isbn: '1' }))).toBe('shop/shelf-full')
    expect(await code(shop.books().create({ title: 'y', isbn: '1' }))).toBe('entry/invalid')
  })

  const bulk = (create: Record<string, unknown>[], remove: number[] = []) => {
    const type = shop.octavo.registry.contentType('api::book.book')
    return shop.octavo.bulk({ type, create, delete: remove, state: unrestricted('writes books') })
  }

  it('refuse a whole bulk write', async () => {
    expect(await code(bulk([{ title: 'a' }, { title: 'Emma' }]))).toBe('shop/shelf-full')
    expect(await code(bulk([{ title: 'a' }], [1, 3]))).toBe('shop/sold')
    expect(await stored()).toEqual(before)
  })

  it('see the entries that the same bulk write has created', async () => {
    const two = [{ title: 'Sanditon' }, { title: 'Sanditon' }]
    expect(await code(bulk([...two, { title: 'Sanditon' }]))).toBe('shop/shelf-full')
    expect(await stored()).toEqual(before)
    expect(await code(bulk(two))).toBe('written')
  })

  it('are made one after the other where they lock the same', async () => {
    const writes = Array.from({ length: 8 }, () => code(shop.books().create({ title: 'Sanditon' })))
    const answers = (await Promise.all(writes)).toSorted()
    expect(answers).toEqual([...Array(6).fill('shop/shelf-full'), 'written', 'written'])
  })

  // The embedded engine has no messages.
  it.runIf(testEngine() === 'postgresql' && plugins.length === 1)(
    'need no message of their own',
    async () => {
      const of = (write: () => Promise<unknown>) =>
        countMessages(async () => ({ status: await code(write()) }))
      expect(await of(() => shop.books().create({ title: 'Emma' }))).toEqual({
        messages: 1,
        status: 'shop/shelf-full',
      })
      expect(await of(() => shop.books().create({ title: 'a' }))).toEqual({ messages: 1, status: 'written' })
      expect(await of(() => shop.books().update(3, { title: 'a' }))).toEqual({
        messages: 1,
        status: 'shop/sold',
      })
      expect(await of(() => shop.books().delete(3))).toEqual({ messages: 1, status: 'shop/sold' })
    },
  )
  it.runIf(testEngine() === 'postgresql' && plugins.includes(followed))(
    'are in the message that hooks follow, and a second one reads the answer',
    async () => {
      const of = (write: () => Promise<unknown>) =>
        countMessages(async () => ({ status: await code(write()) }))
      const written = { messages: 2, status: 'written' }
      expect(await of(() => shop.books().create({ title: 'a' }))).toEqual(written)
      expect(await of(() => shop.books().update(1, { title: 'a' }))).toEqual(written)
    },
  )
})
