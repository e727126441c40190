/** Hooks of inputs that write further entries, with writes that are refused. */
import { definePlugin } from '@octavo/core/plugin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BookShop, openBooks } from '../support/books.ts'

/** Creates a second book with each book of the caller. */
const pairs = definePlugin({
  name: 'pairs',
  setup(host) {
    host.hook('entry:input', async (input, { by, type, entries }) => {
      if (by === 'caller') await entries.create(type.uid, { title: 'Further' })
      return input
    })
  },
})

describe('What a hook of an input has written', () => {
  let shop: BookShop
  beforeAll(async () => {
    shop = await openBooks([pairs])
  })
  afterAll(() => shop?.close())
  const titles = async () =>
    (await shop.octavo.store.query('select "title" from "books" order by "id"')).flat()
  beforeEach(async () => {
    await shop.octavo.store.query('truncate "books" restart identity')
    await shop.books().create({ title: 'Emma', isbn: '1' })
    expect(await titles()).toEqual(['Further', 'Emma'])
  })

  it('is undone when the create is refused', async () => {
    await expect(shop.books().create({ title: 'Again', isbn: '1' })).rejects.toThrow('unique')
    expect(await titles()).toEqual(['Further', 'Emma'])
  })

  it('is undone when the update is refused', async () => {
    await expect(shop.books().update(1, { isbn: '1' })).rejects.toThrow('unique')
    expect(await titles()).toEqual(['Further', 'Emma'])
  })

  it('is undone when there is no entry to update', async () => {
    await expect(shop.books().update(9, { title: 'None' })).rejects.toThrow()
    expect(await titles()).toEqual(['Further', 'Emma'])
  })
})
