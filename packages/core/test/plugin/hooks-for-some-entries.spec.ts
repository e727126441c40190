/** Hooks of updates that have something to do for some stored entries only: the message asks, and the write begins anew where they have. */
import { sql } from '@octavo/core'
import { compare, definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BookShop, openBooks } from '../support/books.ts'

/** The ids for which the hook was called, and those whose writes were committed. */
let called: unknown[] = []
let committed: unknown[] = []
const sales = definePlugin({
  name: 'sales',
  setup(host) {
    const log = host.table('octavo_book_log', { columns: { entry: { type: 'bigint' } } })
    // The log shows it if a tried message writes something.
    host.hook('entry:statements', ({ written }) => [
      {
        when: 'after',
        statement: sql`insert into ${sql.id(log.table)} ("entry") select "w"."id" from ${written} as "w"`,
      },
    ])
    host.hook('entry:afterUpdate', ({ id }) => void called.push(id), {
      when: ({ input }) => 'title' in input,
      if: ({ type }) => {
        const sold = type.attributes.get('sold')
        return sold?.kind === 'scalar' ? compare(sold, '$eq', true) : undefined
      },
    })
    host.hook('entry:committed', ({ id }) => void committed.push(id))
  },
})

let shop: BookShop
beforeAll(async () => {
  shop = await openBooks([sales])
})
afterAll(() => shop.close())

const books = () => shop.books()
/** An entry that is sold, and one that is not. */
async function pair() {
  const [sold, other] = [await books().create({ sold: true }), await books().create({})]
  called = []
  committed = []
  await shop.octavo.store.query('delete from "octavo_book_log"')
  return [sold.id, other.id] as const
}
const logged = async () =>
  (await shop.octavo.store.query('select "entry" from "octavo_book_log" order by 1')).map(([id]) =>
    Number(id),
  )
const titleOf = async (id: number) => (await books().findOne(id))?.attributes.title

describe('A hook of updates with a condition on the stored entry', () => {
  let sold = 0
  let other = 0
  beforeEach(async () => {
    ;[sold, other] = await pair()
  })

  it('runs for entries that meet it, whose update is written once', async () => {
    expect(await books().update(sold, { title: 'x' })).toMatchObject({ id: sold, attributes: { title: 'x' } })
    expect([called, committed, await logged()]).toEqual([[sold], [sold], [sold]])
  })

  it('does not run for others, and looks at the entry as it is before the write', async () => {
    expect(await books().update(other, { title: 'x', sold: true })).toMatchObject({
      attributes: { title: 'x' },
    })
    expect([called, committed, await logged()]).toEqual([[], [other], [other]])
    expect(await books().update(other, { title: 'y' })).toMatchObject({ attributes: { title: 'y' } })
    expect(called).toEqual([other])
  })

  it('leaves an update that is refused, and one of an entry that does not exist, as they are', async () => {
    await books().update(other, { isbn: '1' })
    await shop.octavo.store.query('delete from "octavo_book_log"')
    await expect(books().update(sold, { title: 'x', isbn: '1' })).rejects.toThrow('must be unique')
    await expect(books().update(other + 1_000, { title: 'x' })).rejects.toThrow()
    expect([called, await logged(), await titleOf(sold)]).toEqual([[], [], null])
  })

  it('runs for each of many updates at once', async () => {
    const writes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? sold : other))
    await Promise.all(writes.map((id, n) => books().update(id, { title: `title ${n}` })))
    expect(called).toEqual(Array.from({ length: 20 }, () => sold))
    expect((await logged()).length).toBe(40)
  })
})
