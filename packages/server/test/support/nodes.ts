import { defineComponent, defineContentType } from '@octavo/core'
import { openSite, type Site } from './site.ts'

const node = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'node', pluralName: 'nodes' },
  attributes: {
    name: { type: 'string' },
    up: { type: 'relation', relation: 'manyToMany', target: 'api::node.node', inversedBy: 'down' },
    down: { type: 'relation', relation: 'manyToMany', target: 'api::node.node', mappedBy: 'up' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::node.node', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::node.node', mappedBy: 'parent' },
    parts: { type: 'component', component: 'list.part', repeatable: true },
  },
})
const part = defineComponent({
  uid: 'list.part',
  attributes: {
    text: { type: 'string' },
    node: { type: 'relation', relation: 'manyToOne', target: 'api::node.node' },
  },
})
const person = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'person', pluralName: 'people' },
  attributes: {
    name: { type: 'string' },
    salary: { type: 'integer' },
    owner: { type: 'string' },
    nodes: { type: 'relation', relation: 'manyToMany', target: 'api::node.node' },
  },
})

/** Forty nodes, each related to all, children of the first one, with five parts; and people: half of them of others, who earn 50,000. */
export async function openNodes(options: Parameters<typeof openSite>[0] = {}): Promise<Site> {
  const site = await openSite({ contentTypes: [node, person], components: [part], ...options }, false)
  const { store } = site.server.octavo
  await store.transaction(async (tx) => {
    await tx.query('set local statement_timeout to 0')
    await tx.query(`insert into nodes (name) select 'n' || n from generate_series(1, 40) n`)
    await tx.query(
      `insert into nodes_up_links (owner_id, target_id, position, inverse_position) select a.id, b.id, b.id, a.id from nodes a, nodes b`,
    )
    await tx.query('update nodes set parent_id = 1')
    await tx.query(
      `insert into components_list_part (owner_type, owner_id, field, position, text, node_id) select 'api::node.node', a.id, 'parts', n, 't' || n, a.id from nodes a, generate_series(1, 5) n`,
    )
    await tx.query(
      `insert into people (name, salary, owner) select 'p' || n, case when n = 1 then 49000 else 50000 end, 'other' from generate_series(1, 1500) n`,
    )
    await tx.query(
      `insert into people (name, owner) select 'own ' || n, 'me' from generate_series(1, 1500) n`,
    )
    await tx.query(
      `insert into people (name, salary, owner) values ('mine', 49000, 'me'), ('my', 50000, 'me')`,
    )
    for (const table of ['nodes', 'components_list_part', 'nodes_up_links', 'people'])
      await tx.query(`analyze ${table}`)
  })
  return site
}
