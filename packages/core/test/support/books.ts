/** Books on a database of their own, for tests of the hooks of writes. */
import { createOctavo, defineContentType, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, type Plugin } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'

const book = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string' },
    isbn: { type: 'string', unique: true },
    sold: { type: 'boolean' },
  },
})

/** A plugin whose hooks do nothing; with them, each write runs step by step. */
export const steps = definePlugin({
  name: 'steps',
  setup(host) {
    for (const hook of ['entry:beforeCreate', 'entry:beforeUpdate', 'entry:beforeDelete'] as const)
      host.hook(hook, () => {})
  },
})

/** A plugin whose hooks do nothing; with them, each create and update is a message that hooks follow, and a delete runs step by step. */
export const followed = definePlugin({
  name: 'followed',
  setup(host) {
    for (const hook of ['entry:afterCreate', 'entry:afterUpdate', 'entry:afterDelete'] as const)
      host.hook(hook, () => {})
  },
})

export interface BookShop {
  readonly octavo: Octavo
  /** The entries, for a caller who may do everything. */
  books(): ReturnType<typeof booksOf>
  close(): Promise<void>
}

const booksOf = (octavo: Octavo) => octavo.entries('book', unrestricted('writes books'))

export async function openBooks(plugins: readonly Plugin[]): Promise<BookShop> {
  const database = await createTestDatabase()
  const octavo: Octavo = await createOctavo({ contentTypes: [book], database: database.url, plugins })
  return {
    octavo,
    books: () => booksOf(octavo),
    close: async () => {
      await octavo.close()
      await database.drop()
    },
  }
}
