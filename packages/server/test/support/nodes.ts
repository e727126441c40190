import { defineContentType } from '@octavo/core'
import { openSite, type Site } from './site.ts'

const node = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'node', pluralName: 'nodes' },
  attributes: {
    name: { type: 'string' },
    up: { type: 'relation', relation: 'manyToMany', target: 'api::node.node', inversedBy: 'down' },
    down: { type: 'relation', relation: 'manyToMany', target: 'api::node.node', mappedBy: 'up' },
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

/** Forty nodes, each related to all, and people: half of them of others, who earn 50,000. */
export async function openNodes(options: Parameters<typeof openSite>[0] = {}): Promise<Site> {
  const site = await openSite({ contentTypes: [node, person], ...options }, false)
  const { store } = site.server.octavo
  await store.transaction(async (tx) => {
    await tx.query('set local statement_timeout to 0')
    await tx.query(`insert into nodes (name) select 'n' || n from generate_series(1, 40) n`)
    await tx.query(
      `insert into nodes_up_links (owner_id, target_id, position, inverse_position) select a.id, b.id, b.id, a.id from nodes a, nodes b`,
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
    for (const table of ['nodes', 'nodes_up_links', 'people']) await tx.query(`analyze ${table}`)
  })
  return site
}
