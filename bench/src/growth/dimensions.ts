import { type ContentTypeDefinition, defineComponent } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import type { Client } from 'pg'
import { secret } from '../users.ts'
import type { Dimension } from './dimension.ts'

const type = (
  singularName: string,
  attributes: ContentTypeDefinition['attributes'],
  rest: Pick<ContentTypeDefinition, 'options' | 'pluginOptions'> = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  attributes,
  ...rest,
})

const title = { type: 'string', required: true } as const

/** Sets the sequences of the ids after rows with ids were inserted. */
const setSequences = (client: Client, ...tables: readonly string[]): Promise<unknown> =>
  client.query(
    tables
      .map(
        (table) =>
          `select setval(pg_get_serial_sequence('"${table}"', 'id'), max(id)) from "${table}"; analyze "${table}"`,
      )
      .join(';'),
  )

/** Makes the indexes of a table anew after many rows were inserted, which takes a part of the time of inserting into them. */
async function withoutIndexes(client: Client, table: string, insert: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select quote_ident(i.relname) as name, pg_get_indexdef(i.oid) as made from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = '"${table}"'::regclass and not x.indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await insert()
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { made } of rows) await client.query(made)
}

const entries: Dimension = {
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

const relations: Dimension = {
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

const depth: Dimension = {
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

const parts: Dimension = {
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

const locales: Dimension = {
  name: 'Locales',
  unit: 'locales, each entry in all of them',
  sizes: [1, 5, 20],
  server: (size) => ({
    contentTypes: [
      type(
        'text',
        {
          title: { ...title, pluginOptions: { i18n: { localized: true } } },
          number: { type: 'integer', pluginOptions: { i18n: { localized: false } } },
        },
        { pluginOptions: { i18n: { localized: true } } },
      ),
    ],
    plugins: [i18n({ locales: localeCodes(size) })],
  }),
  fill: async (client, size) => {
    const { rows } = await client.query(
      `select column_name::text as name, data_type from information_schema.columns where table_name = 'texts' and column_name not in ('id', 'title', 'number', 'locale', 'created_at', 'updated_at')`,
    )
    const group = rows[0]?.name
    await client.query(
      `insert into texts (id, title, number, locale, created_at, updated_at, "${group}") select (n - 1) * ${size} + l, 'Text ' || n, n, (array['${localeCodes(size).join("','")}'])[l], now(), now(), (n - 1) * ${size} + 1 from generate_series(1, 1000) as n, generate_series(1, ${size}) as l`,
    )
    await setSequences(client, 'texts')
  },
  requests: () => ({
    'list of 25 in a locale': { path: '/api/texts?locale=en' },
    'page 40 in a locale': { path: '/api/texts?locale=en&pagination[page]=40' },
    'one by id': { path: '/api/texts/1' },
    'filter in a locale': { path: '/api/texts?locale=en&filters[title][$eq]=Text 500' },
    'search in a locale': { path: '/api/texts?locale=en&_q=Text 500' },
    create: { method: 'POST', path: '/api/texts', body: { title: 'New', number: 7 } },
    'one with its localizations': { path: '/api/texts/1?populate=localizations' },
    'list of 25 with their localizations': { path: '/api/texts?populate=localizations' },
    'update of a shared attribute': { method: 'PUT', path: '/api/texts/1', body: { number: 7 } },
  }),
}

const codes = 'en de fr es it pt nl sv da fi pl cs hu ro tr el he ar ja ko'.split(' ')
const localeCodes = (size: number): readonly [string, ...string[]] =>
  codes.slice(0, size) as [string, ...string[]] // at least one

const types: Dimension = {
  name: 'Content-types',
  unit: 'content-types',
  sizes: [10, 100, 1_000],
  server: (size) => ({
    contentTypes: Array.from({ length: size }, (_, i) => {
      const next = (i + 1) % size
      return type(`thing-${i}`, {
        title,
        slug: { type: 'uid', targetField: 'title' },
        text: { type: 'richtext' },
        next: { type: 'relation', relation: 'manyToOne', target: `api::thing-${next}.thing-${next}` },
      })
    }),
  }),
  fill: (client) =>
    client.query(`insert into thing_7s (title) select 'Thing ' || n from generate_series(1, 100) as n`),
  requests: () => ({
    'list of 25': { path: '/api/thing-7s' },
    'one by id': { path: '/api/thing-7s/50' },
    filter: { path: '/api/thing-7s?filters[title][$eq]=Thing 50' },
    search: { path: '/api/thing-7s?_q=Thing 50' },
    'list of 25, populate=*': { path: '/api/thing-7s?populate=*' },
    create: { method: 'POST', path: '/api/thing-7s', body: { title: 'New' } },
  }),
}

const conditions: Dimension = {
  name: 'Conditions',
  unit: 'roles, and terms of the condition of each',
  sizes: [1, 5, 20, 100],
  server: (size) => {
    const where = { $or: Array.from({ length: size }, (_, i) => ({ number: { $eq: i } })) }
    const actions = ['api::note.note.find', 'api::note.note.findOne', 'api::note.note.update'] as const
    const permissions = actions.map((action) => ({ action, where }))
    const further = Array.from({ length: size - 1 }, (_, i) => [`role-${i}`, permissions] as const)
    return {
      contentTypes: [type('note', { title, number: { type: 'integer' } })],
      plugins: [
        usersPermissions({
          jwt: { secret },
          permissions: Object.fromEntries([...further, ['public', permissions]]),
        }),
      ],
    }
  },
  fill: async (client) => {
    await client.query(
      `insert into notes (id, title, number) select n, 'Note ' || n, n % 200 from generate_series(1, 10000) as n`,
    )
    await setSequences(client, 'notes')
  },
  requests: () => ({
    'list of 25': { path: '/api/notes' },
    'list of 25 without a total': { path: '/api/notes?pagination[withCount]=false' },
    filter: { path: '/api/notes?filters[title][$eq]=Note 200' },
    search: { path: '/api/notes?_q=Note 200' },
    'one by id': { path: '/api/notes/200' },
    update: { method: 'PUT', path: '/api/notes/400', body: { title: 'Another' } },
  }),
}

export const dimensions: readonly Dimension[] = [entries, relations, depth, parts, locales, types, conditions]
