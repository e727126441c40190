/** Strapi 4 and 5 as bare projects: three content-types, core routes that are open to everybody, no admin panel. */
import type { ContentTypeDefinition } from '@octavo/core'
import type { Api, Asked, Content, Entry, Peer, Questions } from './peer.ts'
import { createContent, filteredAuthor, newArticle, spread } from './peer.ts'

const relation = (kind: string, target: string, otherSide: object) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...otherSide,
})
const types = {
  author: {
    name: { type: 'string' },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
  },
  category: {
    name: { type: 'string' },
    articles: relation('manyToMany', 'article', { mappedBy: 'categories' }),
  },
  article: {
    title: { type: 'string', required: true },
    body: { type: 'text' },
    summary: { type: 'text' },
    views: { type: 'integer' },
    author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
    categories: relation('manyToMany', 'category', { inversedBy: 'articles' }),
  },
}
const plural = (name: string): string => (name === 'category' ? 'categories' : `${name}s`)

/** The content-types as `schema.json`, which Octavo reads as well. */
export const schemas = Object.entries(types).map(
  ([name, attributes]): ContentTypeDefinition => ({
    kind: 'collectionType',
    collectionName: plural(name),
    info: { singularName: name, pluralName: plural(name), displayName: name },
    options: { draftAndPublish: false },
    attributes,
  }),
)

const factory = (kind: string, uid: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('${uid}')\n`
/** Everybody is authenticated and may do everything; with `auth: false` in routes, Strapi leaves relations out of answers. */
const open = `module.exports = {
  register({ strapi }) {
    // Version 5 is its container.
    const container = strapi.container ?? strapi
    container.get('auth').register('content-api', { name: 'open', authenticate: () => ({ authenticated: true, credentials: {} }), verify() {} })
  },
  bootstrap() {},
}
`

const files: Record<string, string> = {
  'config/server.js': `module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['a', 'b'] } })\n`,
  'config/admin.js': `module.exports = { serveAdminPanel: false, auth: { secret: 'secret' }, apiToken: { salt: 'salt' }, transfer: { token: { salt: 'salt' } }, flags: { nps: false, promoteEE: false }, secrets: { encryptionKey: 'abcdefghijklmnopqrstuvwxyz012345' } }\n`,
  'config/api.js': `module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } }\n`,
  'config/logger.js': `module.exports = { level: 'error' }\n`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::poweredBy', 'strapi::query', 'strapi::body', 'strapi::favicon', 'strapi::public']\n`,
  'config/database.js': `module.exports = ({ env }) => ({ connection: { client: 'postgres', connection: { connectionString: env('DATABASE_URL') }, pool: { min: 2, max: 10 } } })\n`,
  'src/index.js': open,
  'public/uploads/.gitkeep': '',
}
for (const schema of schemas) {
  const name = schema.info.singularName
  const uid = `api::${name}.${name}`
  const folder = `src/api/${name}`
  files[`${folder}/content-types/${name}/schema.json`] = JSON.stringify(schema, null, 2)
  files[`${folder}/routes/${name}.js`] = factory('Router', uid)
  files[`${folder}/controllers/${name}.js`] = factory('Controller', uid)
  files[`${folder}/services/${name}.js`] = factory('Service', uid)
}

interface Received {
  readonly data: object | readonly object[]
  readonly meta: { readonly pagination?: { readonly total: number } }
}

interface Created {
  /** Version 5 names entries by `documentId`. */
  readonly data: { readonly id: number; readonly documentId?: string }
}

/** Flat in version 5; in version 4 the fields are in `attributes` and relations in `data`. */
interface Row {
  readonly attributes?: Row
  readonly title: string
  readonly views: number
  readonly name: string
  readonly author?: Row | { readonly data: Row } | null
  readonly categories?: readonly Row[] | { readonly data: readonly Row[] }
}

const inside = <T extends object>(value: T | { readonly data: T }): T =>
  'data' in value ? value.data : value
const nameOf = (row: Row): string => (row.attributes ?? row).name

function entryOf(row: Row): Entry {
  const { title, views, author, categories } = row.attributes ?? row
  return {
    title,
    views,
    ...(author && { author: nameOf(inside(author)) }),
    ...(categories && { categories: inside(categories).map(nameOf).toSorted() }),
  }
}

function read(body: unknown) {
  const { data, meta } = body as Received // the shape of every answer
  const rows = [data].flat() as readonly Row[]
  const total = meta.pagination?.total
  return { entries: rows.map(entryOf), ...(total !== undefined && { total }) }
}

const few = 'sort: "id", pagination: { limit: 5 }'
/** Articles, their author and categories, the articles of each, and their authors and categories. */
const nestedQuery = `{ articles(sort: "id", pagination: { limit: 25 }) { data { id attributes { title
  author { data { attributes { name articles(${few}) { data { attributes { title categories(${few}) { data { attributes { name } } } } } } } } }
  categories(${few}) { data { attributes { name articles(${few}) { data { attributes { title author { data { attributes { name } } } } } } } } }
} } } }`

const nested: Asked = {
  method: 'POST',
  paths: ['/graphql'],
  body: JSON.stringify({ query: nestedQuery }),
  read: (body) => ({ entries: [], nested: (body as { readonly data: unknown }).data }), // the shape of every answer
}

const fill = async (api: Api, content: Content): Promise<Questions> => ({
  ...(await fillForRest(api, content)),
  'GraphQL: three relations deep': nested,
})

async function fillForRest(api: Api, content: Content): Promise<Questions> {
  const ids = await createContent(content, async (path, data) => {
    const answer = (await api.send('POST', `/api/${path}`, { data })) as Created
    return answer.data.documentId ?? answer.data.id
  })
  const get = (...paths: readonly string[]): Asked => ({ method: 'GET', paths, read })
  const name = encodeURIComponent(content.authors[filteredAuthor] ?? '')
  return {
    'list of 25 with total': get('/api/articles?sort=id'),
    'one by id': get(...spread(ids).map((id) => `/api/articles/${id}`)),
    'list with author and categories': get('/api/articles?sort=id&populate[0]=author&populate[1]=categories'),
    'filter by author, sorted': get(`/api/articles?filters[author][name][$eq]=${name}&sort=views:desc`),
    create: { method: 'POST', paths: ['/api/articles'], body: JSON.stringify({ data: newArticle }), read },
  }
}

const env = (database: URL, port: number) => ({
  NODE_ENV: 'production',
  DATABASE_URL: database.href,
  PORT: String(port),
  STRAPI_TELEMETRY_DISABLED: 'true',
  JWT_SECRET: 'secret',
})
const shared = {
  files,
  npm: ['--legacy-peer-deps'],
  start: ['node_modules/@strapi/strapi/bin/strapi.js', 'start'],
  env,
  ready: '/api/articles',
  fill: fillForRest,
}
const react = { react: '18.3.1', 'react-dom': '18.3.1' }

export const strapi4: Peer = {
  ...shared,
  files: {
    ...files,
    'config/plugins.js': `module.exports = { graphql: { enabled: true, config: { endpoint: '/graphql', amountLimit: 100, defaultLimit: 25, depthLimit: 20 } } }\n`,
  },
  fill,
  key: 'strapi4',
  name: 'Strapi 4.26.2',
  note: 'Strapi 4 runs on Node 20.',
  node: '20',
  manifest: {
    dependencies: {
      ...{ '@strapi/strapi': '4.26.2', '@strapi/plugin-graphql': '4.26.2', pg: '8.13.1', ...react },
      // Without peer dependencies npm puts ajv 6 where ajv-draft-04 needs 8.
      ...{ 'react-router-dom': '5.3.4', 'styled-components': '5.3.11', ajv: '8.17.1' },
    },
    // Later versions have no prebuilt binaries for the libc that Strapi 4 asks for.
    overrides: { sharp: '0.33.5' },
  },
}

export const strapi5: Peer = {
  ...shared,
  key: 'strapi5',
  name: 'Strapi 5.54.0',
  manifest: {
    dependencies: {
      ...{ '@strapi/strapi': '5.54.0', pg: '8.20.0', ...react },
      ...{ 'react-router-dom': '6.30.1', 'styled-components': '6.1.19' },
    },
  },
}

/** Octavo on the same definitions. */
export const octavo: Peer = {
  key: 'octavo',
  name: 'Octavo',
  files: {},
  start: [new URL('./octavo-server.ts', import.meta.url).pathname],
  env,
  ready: '/api/articles',
  fill,
}
