import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { secret } from '../users.ts'
import { depth, entries, parts, relations } from './content-dimensions.ts'
import type { Dimension } from './dimension.ts'
import { setSequences, title, type } from './filling.ts'

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
