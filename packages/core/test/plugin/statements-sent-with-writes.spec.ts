/** The statements that a hook behind a write sends with it. */
import { sql, unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import { countMessages } from '@octavo/testing/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BookShop, openBooks, steps } from '../support/books.ts'

/** The titles before and behind each write, as they were when the handler ran. */
let seen: unknown[] = []
const watch = definePlugin({
  name: 'watch',
  setup(host) {
    const titles = new WeakMap<object, unknown[]>()
    host.hook('entry:afterUpdate', ({ id, input }) => void seen.push([id, ...(titles.get(input) ?? [])]), {
      when: ({ input }) => 'title' in input,
      sends: ({ type, id = 0, input }) => {
        const all: unknown[] = []
        titles.set(input, all)
        const statement = sql`select "title" from ${sql.id(type.table)} where "id" = ${id}`
        return (['before', 'after'] as const).map((when) => ({
          when,
          statement,
          receive: ([title]: readonly unknown[]) => all.push(title),
        }))
      },
    })
  },
})

describe.each([
  ['a message that hooks follow', [watch]],
  ['done step by step', [watch, steps]],
])('Statements that a hook sends with a write, which is %s', (_, plugins) => {
  let shop: BookShop
  beforeAll(async () => {
    shop = await openBooks(plugins)
  })
  afterAll(() => shop?.close())
  const books = () => shop.books()
  beforeEach(() => {
    seen = []
  })

  it('give the handler what was before the write, and what is behind it', async () => {
    const { id } = await books().create({ title: 'Emma' })
    await books().update(id, { title: 'Persuasion' })
    await books().update(id, { sold: true })
    expect(seen).toEqual([[id, 'Emma', 'Persuasion']])
  })

  it('are sent with each write of a list', async () => {
    const ids = [await books().create({ title: 'a' }), await books().create({ title: 'b' })].map(
      ({ id }) => id,
    )
    const update = ids.map((id) => ({ id, title: `new ${id}` }))
    const type = shop.octavo.registry.contentType('api::book.book')
    await shop.octavo.bulk({ type, update, state: unrestricted('changes books') })
    expect(seen).toEqual([
      [ids[0], 'a', `new ${ids[0]}`],
      [ids[1], 'b', `new ${ids[1]}`],
    ])
  })

  it('are those of each write, where several have the same input', async () => {
    const ids = [await books().create({ title: 'a' }), await books().create({ title: 'b' })].map(
      ({ id }) => id,
    )
    const input = { title: 'new' }
    await Promise.all(ids.map((id) => books().update(id, input)))
    expect(seen.toSorted()).toEqual([
      [ids[0], 'a', 'new'],
      [ids[1], 'b', 'new'],
    ])
  })

  it('change nothing about a write that is refused', async () => {
    await books().create({ title: 'Emma', isbn: '1' })
    const { id } = await books().create({ title: 'Persuasion' })
    await expect(books().update(id, { title: 'Emma', isbn: '1' })).rejects.toThrow(
      'This attribute must be unique',
    )
    await expect(books().update(id + 1, { title: 'Emma' })).rejects.toThrow()
    expect(seen).toEqual([])
    expect((await books().findOne(id))?.attributes.title).toBe('Persuasion')
  })

  // The embedded engine has no messages.
  it.runIf(testEngine() === 'postgresql')('take no message of their own', async () => {
    const { id } = await books().create({ title: 'Emma' })
    const messagesOf = async (input: object) =>
      (
        await countMessages(async () => {
          await books().update(id, input)
          return { status: 200 }
        })
      ).messages
    const [without, withThem] = [await messagesOf({ sold: true }), await messagesOf({ title: 'Persuasion' })]
    // Where a hook follows a write, its answer is a message of its own.
    expect(withThem).toBe(without + 1)
  })
})

it('A hook that is not behind a write sends nothing', async () => {
  const early = definePlugin({
    name: 'early',
    setup: (host) => host.hook('entry:beforeUpdate', () => {}, { sends: () => [] }),
  })
  await expect(openBooks([early])).rejects.toThrow(
    'only the hooks after a write, entry:after…, send statements with it',
  )
})
