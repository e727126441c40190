/** The dimensions in which the rows of content grow. */

import { defineComponent } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import type { Dimension } from './dimension.ts'
import { setSequences, title, type, withoutIndexes } from './filling.ts'

export const entries: Dimension = {
  name: 'Entries',
  unit: 'entries of a type',
  sizes: [100, 10_000, 1_000_000, 10_000_000],
  server: () => ({
    contentTypes: [
      type(
        'item',
        { title, text: { type: 'text' }, number: { type: 'integer' } },
        {
          options: {
            draftAndPublish: true,
            totals: 'kept',
            indexes: [{ attributes: ['number'] }],
            search: { attributes: ['title'] },
          },
        },
      ),
    ],
    plugins: [draftPublish()],
  }),
  fill: async (client, size) => {
    await withoutIndexes(client, 'items', () =>
      client.query(
        `insert into items (id, title, text, number, created_at, updated_at, published_at) select n, 'Item ' || left(md5(n::text), 8), 'The text of number ' || n, n % 1000, now(), now(), now() from generate_series(1, ${size}) as n`,
      ),
    )
    await setSequences(client, 'items')
  },
  requests: (size) => ({
    'list of 25': { path: '/api/items' },
    'one by id': { path: `/api/items/${Math.ceil(size / 2)}` },
    'page 1,000 by number': { path: `/api/items?pagination[page]=${Math.min(1_000, Math.ceil(size / 25))}` },
    'next page by cursor': {
      path: '/api/items?pagination[after]=',
      next: (answer: { meta: { pagination: { cursors: { after: string | null } } } }) =>
        `/api/items?pagination[after]=${encodeURIComponent(answer.meta.pagination.cursors.after ?? '')}`,
    },
    'filter by an indexed attribute': {
      path: '/api/items?filters[number][$eq]=7&pagination[withCount]=false',
    },
    'search with an index': { path: '/api/items?_q=c4ca4238&pagination[withCount]=false' },
    create: { method: 'POST', path: '/api/items', body: { title: 'New', text: 'Some text', number: 7 } },
    update: { method: 'PUT', path: `/api/items/${Math.ceil(size / 3)}`, body: { text: 'Another text' } },
  }),
}

export const relations: Dimension = {
  name: 'Relations',
  unit: 'related entries of one entry',
  sizes: [1, 10, 100, 1_000, 10_000],
  server: () => ({
    contentTypes: [
      type('parent', {
        title,
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'parents' },
      }),
      type('tag', {
        title,
        parents: { type: 'relation', relation: 'manyToMany', target: 'api::parent.parent', mappedBy: 'tags' },
      }),
    ],
  }),
  fill: async (client, size) => {
    await client.query(
      `insert into parents (id, title) select n, 'Parent ' || n from generate_series(1, 100) as n`,
    )
    await client.query(
      `insert into tags (id, title) select n, 'Tag ' || n from generate_series(1, ${size + 1}) as n`,
    )
    const { rows } = await client.query(
      `select c.table_name, array_agg(c.column_name::text order by c.ordinal_position) as columns from information_schema.columns c where c.table_name like '%parents%tags%' group by 1`,
    )
    const [{ table_name: table, columns }] = rows
    const [parent, tag, ...positions] = columns.filter((name: string) => name !== 'id')
    await client.query(
      `insert into "${table}" ("${[parent, tag, ...positions].join('", "')}") select p, t${positions.map(() => ', t').join('')} from generate_series(1, 5) as p, generate_series(1, ${size}) as t; analyze "${table}"`,
    )
    await setSequences(client, 'parents', 'tags')
  },
  requests: (size) => ({
    'list of 25': { path: '/api/parents' },
    'list of 25 with the first of them': { path: '/api/parents?populate[tags][limit]=1' },
    'one without them': { path: '/api/parents/1' },
    'one with the first 25 of them': { path: '/api/parents/1?populate[tags][limit]=25' },
    'one with all of them': { path: '/api/parents/1?populate=tags' },
    'filter by one of them': { path: `/api/parents?filters[tags][id][$eq]=${size}` },
    'connect one': { method: 'PUT', path: '/api/parents/2', body: { tags: { connect: [size + 1] } } },
    'connect one before another': {
      method: 'PUT',
      path: '/api/parents/3',
      body: { tags: { connect: [{ id: size + 1, position: { before: 1 } }] } },
    },
    'create with all of them': {
      method: 'POST',
      path: '/api/parents',
      body: { title: 'New', tags: Array.from({ length: size }, (_, i) => i + 1) },
    },
    'replace the list by itself': {
      method: 'PUT',
      path: '/api/parents/4',
      body: { tags: Array.from({ length: size }, (_, i) => i + 1) },
    },
  }),
}

export const depth: Dimension = {
  name: 'Depth',
  unit: 'levels of population',
  sizes: [1, 2, 3, 4, 5, 6],
  server: () => ({
    contentTypes: [
      type('node', {
        title,
        next: { type: 'relation', relation: 'manyToOne', target: 'api::node.node', inversedBy: 'former' },
        former: { type: 'relation', relation: 'oneToMany', target: 'api::node.node', mappedBy: 'next' },
      }),
    ],
  }),
  fill: async (client) => {
    await client.query(
      `insert into nodes (id, title) select n, 'Node ' || n from generate_series(1, 1000) as n`,
    )
    await client.query('update nodes set next_id = id + 1 where id < 1000')
    await setSequences(client, 'nodes')
  },
  requests: (size) => {
    const populate = (name: string) =>
      `populate[${Array.from({ length: size }, () => name).join('][populate][')}][fields]=title`
    const filter = (name: string) =>
      `filters[${Array.from({ length: size }, () => name).join('][')}][title][$eq]=Node 40`
    return {
      'list of 25, one at each level': { path: `/api/nodes?${populate('next')}` },
      'list of 25, a list at each level': { path: `/api/nodes?${populate('former')}` },
      'filter through to-one relations': { path: `/api/nodes?${filter('next')}` },
      'filter through to-many relations': { path: `/api/nodes?${filter('former')}` },
    }
  },
}

export const parts: Dimension = {
  name: 'Components',
  unit: 'components in a zone',
  sizes: [1, 10, 50, 200],
  server: () => ({
    contentTypes: [
      type('page', { title, blocks: { type: 'dynamiczone', components: ['blocks.text', 'blocks.link'] } }),
    ],
    components: [
      defineComponent({ uid: 'blocks.text', attributes: { text: { type: 'text' } } }),
      defineComponent({
        uid: 'blocks.link',
        attributes: { label: { type: 'string' }, url: { type: 'string' } },
      }),
    ],
  }),
  fill: async (client, size) => {
    await client.query(
      `insert into pages (id, title) select n, 'Page ' || n from generate_series(1, 100) as n`,
    )
    for (const [table, columns, values, rest] of [
      ['components_blocks_text', 'text', `'Text ' || n`, 0],
      ['components_blocks_link', 'label, url', `'Label', '/' || n`, 1],
    ] as const)
      await client.query(
        `insert into ${table} (owner_type, owner_id, field, position, ${columns}) select 'api::page.page', p, 'blocks', n, ${values} from generate_series(1, 100) as p, generate_series(1, ${size}) as n where n % 2 = ${rest}; analyze ${table}`,
      )
    await setSequences(client, 'pages')
  },
  requests: (size) => ({
    'one with its zone': { path: '/api/pages/1?populate=blocks' },
    'list of 25 with their zones': { path: '/api/pages?populate=blocks' },
    'list of 25 without them': { path: '/api/pages' },
    search: { path: '/api/pages?_q=Page 50' },
    create: {
      method: 'POST',
      path: '/api/pages',
      body: {
        title: 'New',
        blocks: Array.from({ length: size }, (_, i) =>
          i % 2
            ? { __component: 'blocks.text', text: 'Text' }
            : { __component: 'blocks.link', label: 'Label', url: '/' },
        ),
      },
    },
  }),
}
