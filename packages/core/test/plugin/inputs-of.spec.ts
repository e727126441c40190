/** The inputs by which a plugin copies an entry and those that it is related to. */
import { createOctavo, type Octavo, unrestricted } from '@octavo/core'
import { definePlugin, type EntryInput, type RelationAttribute } from '@octavo/core/plugin'
import { createTestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const state = unrestricted('writes pages')
/** The relation that the hook follows, and what it is given. */
let relation = 'next'
let given: ReadonlyMap<number, EntryInput> | undefined
const copies = definePlugin({
  name: 'copies',
  setup(host) {
    host.hook('entry:afterUpdate', async ({ id = 0, type, entries }) => {
      const attribute = type.attributes.get(relation) as RelationAttribute
      given = await entries.inputsOf(type.uid, id, ['title', 'parts', 'tags'], attribute)
    })
  },
})

let octavo: Octavo
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createTestDatabase()
  const page = 'api::page.page'
  octavo = await createOctavo({
    contentTypes: [
      {
        kind: 'collectionType',
        info: { singularName: 'page', pluralName: 'pages' },
        attributes: {
          title: { type: 'string' },
          other: { type: 'string' },
          parts: { type: 'component', component: 'page.part', repeatable: true },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
          next: { type: 'relation', relation: 'oneToMany', target: page, mappedBy: 'former' },
          former: { type: 'relation', relation: 'manyToOne', target: page, inversedBy: 'next' },
        },
      },
      {
        kind: 'collectionType',
        info: { singularName: 'tag', pluralName: 'tags' },
        attributes: { name: { type: 'string' } },
      },
    ],
    components: [{ uid: 'page.part', attributes: { text: { type: 'string' } } }],
    plugins: [copies],
    database: database.url,
  })
  drop = async () => {
    await octavo.close()
    await database.drop()
  }
  await octavo.entries('tag', state).create({ name: 'a' } as never)
  const pages = octavo.entries('page', state)
  await pages.create({ title: 'first', other: 'x', parts: [{ text: 'a' }], tags: [1] } as never)
  for (const title of ['second', 'third']) await pages.create({ title, former: 1 } as never)
})
afterAll(() => drop())

const update = (id: number) => octavo.entries('page', state).update(id, { other: 'y' } as never)

it('are those of the entry and of all to which the relation leads, components without ids', async () => {
  relation = 'next'
  await update(1)
  expect([...(given ?? [])]).toEqual([
    [1, { title: 'first', parts: [{ text: 'a' }], tags: [1] }],
    [2, { title: 'second', parts: [], tags: [] }],
    [3, { title: 'third', parts: [], tags: [] }],
  ])
  relation = 'former'
  await update(2)
  expect([...(given?.keys() ?? [])]).toEqual([2, 1])
  await update(1)
  expect([...(given?.keys() ?? [])]).toEqual([1])
})

it('are refused for a relation to another type', async () => {
  relation = 'tags'
  await expect(update(1)).rejects.toMatchObject({
    cause: { message: '"tags" leads to api::tag.tag, not to entries of api::page.page' },
  })
})
