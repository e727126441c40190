import { createOctavo, defineContentType, unrestricted } from '@octavo/core'
import { createTestDatabase } from '@octavo/testing'
import { expect, it } from 'vitest'

const node = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'node', pluralName: 'nodes' },
  attributes: {
    name: { type: 'string' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::node.node', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::node.node', mappedBy: 'parent' },
  },
})

it('children are in the order of the request, whatever the database believes about the size of their table', async () => {
  const database = await createTestDatabase()
  const octavo = await createOctavo({ contentTypes: [node], database: database.url })
  try {
    const nodes = octavo.entries('api::node.node', unrestricted('orders nodes'))
    const { id: parent } = await nodes.create({ name: 'parent' })
    // For a table of one row PostgreSQL plans to look at the given ids again for each row.
    await octavo.store.query('analyze nodes')
    const made: number[] = []
    for (const name of ['a', 'b', 'c', 'd']) made.push((await nodes.create({ name })).id)
    const [a = 0, b = 0, c = 0, d = 0] = made
    const order = async (): Promise<readonly number[]> => {
      const found = await nodes.findOne(parent, { populate: { children: true } })
      return (found?.attributes.children?.data ?? []).map(({ id }) => id)
    }
    await nodes.update(parent, { children: { connect: [d, a] } })
    expect(await order()).toEqual([d, a])
    await nodes.update(parent, { children: { connect: [c, b] } })
    expect(await order()).toEqual([d, a, c, b])
  } finally {
    await octavo.close()
    await database.drop()
  }
})
