/** Directus: three collections and a junction, which everybody may read and create. */
import { createContent, login, spread, users } from './content.ts'
import { uploads } from './files.ts'
import type { Api, Asked, Content, Entry, Peer, Questions } from './peer.ts'
import { changedArticle, filteredAuthor, newArticle } from './peer.ts'

const admin = { email: 'admin@example.org', password: 'a-password-of-the-comparison' }
/** The policy of callers without a token; Directus creates it with this id. */
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'

const id = {
  field: 'id',
  type: 'integer',
  schema: { is_primary_key: true, has_auto_increment: true },
  meta: { hidden: true },
}
const field = (name: string, type: string) => ({ field: name, type, schema: {}, meta: {} })
const collections = {
  authors: [id, field('name', 'string')],
  categories: [id, field('name', 'string')],
  articles: [
    id,
    ...[field('title', 'string'), field('body', 'text'), field('summary', 'text'), field('views', 'integer')],
    field('author', 'integer'),
    // Octavo and Strapi keep these times as well.
    ...['date_created', 'date_updated'].map((name) => ({
      ...{ field: name, type: 'timestamp', schema: {} },
      meta: { special: [name === 'date_created' ? 'date-created' : 'date-updated'] },
    })),
    { field: 'categories', type: 'alias', meta: { special: ['m2m'], interface: 'list-m2m' } },
  ],
  articles_categories: [id, field('articles_id', 'integer'), field('categories_id', 'integer')],
}
const relations = [
  {
    collection: 'articles',
    field: 'author',
    related_collection: 'authors',
    schema: { on_delete: 'SET NULL' },
    meta: {},
  },
  ...[
    { field: 'articles_id', related: 'articles', one_field: 'categories', junction_field: 'categories_id' },
    { field: 'categories_id', related: 'categories', one_field: null, junction_field: 'articles_id' },
  ].map(({ field, related, one_field, junction_field }) => ({
    ...{ collection: 'articles_categories', field, related_collection: related },
    ...{ schema: { on_delete: 'CASCADE' }, meta: { one_field, junction_field } },
  })),
]

interface Row {
  readonly title: string
  readonly views: number
  readonly author?: { readonly name: string } | number | null
  readonly categories?: readonly { readonly categories_id: { readonly name: string } }[]
}

const entryOf = ({ title, views, author, categories }: Row): Entry => ({
  title,
  views,
  ...(author && typeof author === 'object' && { author: author.name }),
  ...(categories && { categories: categories.map((one) => one.categories_id.name).toSorted() }),
})

function read(body: unknown) {
  const { data, meta } = body as { data: Row | readonly Row[]; meta?: { filter_count: number } }
  const total = meta?.filter_count
  return { entries: ([data].flat() as readonly Row[]).map(entryOf), ...(total !== undefined && { total }) }
}

/** The rights of everybody: collections with their actions. */
const rights: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(collections).map((name) => [name, ['read', 'create']])),
  articles: ['read', 'create', 'update'],
  directus_files: ['read', 'create'],
  // The answer to a login does not name the user.
  directus_users: ['read'],
}

type Post = (path: string, body: unknown) => Promise<unknown>

/** Makes the collections, the rights and the users, with the rights of the administrator. */
async function prepare(api: Api): Promise<Post> {
  const session = (await api.send('POST', '/auth/login', admin)) as Session
  const headers = { authorization: `Bearer ${session.data.access_token}` }
  const post: Post = (path, body) => api.send('POST', path, body, headers)
  for (const [collection, fields] of Object.entries(collections))
    await post('/collections', { collection, fields, schema: {}, meta: {} })
  for (const relation of relations) await post('/relations', relation)
  const access = { policy: publicPolicy, fields: ['*'], permissions: {}, validation: {} }
  for (const [collection, actions] of Object.entries(rights))
    for (const action of actions) await post('/permissions', { ...access, collection, action })
  await api.send('PATCH', '/settings', { auth_login_attempts: null }, headers)
  for (const { email, password } of users) await post('/users', { email, password })
  return post
}

interface Session {
  readonly data: { readonly access_token: string }
}

/** The user of the token of a login, as the server finds it. */
async function userOf(body: unknown, api: Api) {
  const authorization = `Bearer ${(body as Session).data.access_token}`
  const me = await api.send('GET', '/users/me?fields=email', undefined, { authorization })
  return { entries: [], user: (me as { data: { email: string } }).data.email }
}

async function fill(api: Api, content: Content): Promise<Questions> {
  const post = await prepare(api)
  const ids = await createContent(
    content,
    async (path, entry) => {
      const answer = (await post(`/items/${path}`, entry)) as { data: { id: number } }
      return answer.data.id
    },
    (category) => ({ categories_id: category }),
  )
  const get = (...paths: readonly string[]): Asked => ({ method: 'GET', paths, read })
  const fields = 'fields=id,title,body,summary,views,date_created,date_updated'
  const list = `/items/articles?limit=25&meta=filter_count`
  const name = encodeURIComponent(content.authors[filteredAuthor] ?? '')
  return {
    'list of 25 with total': get(`${list}&sort=id&${fields}`),
    'one by id': get(...spread(ids).map((one) => `/items/articles/${one}?${fields}`)),
    'list with author and categories': get(
      `${list}&sort=id&${fields},author.id,author.name,categories.categories_id.id,categories.categories_id.name`,
    ),
    'filter by author, sorted': get(`${list}&sort=-views&${fields}&filter[author][name][_eq]=${name}`),
    create: { method: 'POST', paths: [`/items/articles?${fields}`], body: JSON.stringify(newArticle), read },
    update: {
      method: 'PATCH',
      paths: spread(ids).map((one) => `/items/articles/${one}?${fields}`),
      body: JSON.stringify(changedArticle),
      read,
    },
    ...(await uploads('/files', 'file', async (body, api) => {
      const { data } = body as { data: { id: string } }
      return { entries: [], file: await api.file(`/assets/${data.id}`) }
    })),
    'log in': login('/auth/login', ({ email, password }) => ({ email, password }), userOf),
  }
}

export const directus: Peer = {
  key: 'directus',
  name: 'Directus 12.4.0',
  work: { hash: 'argon2id, 64 MiB, 3 passes', pictures: 'none' },
  uploads: 'uploads',
  manifest: {
    dependencies: { directus: '12.4.0' },
    // Version 5 would have to be compiled, because its binaries are not in the package.
    overrides: { 'isolated-vm': '7.0.1' },
  },
  npm: ['--legacy-peer-deps'],
  files: {},
  prepare: [['node_modules/directus/cli.js', 'bootstrap']],
  start: ['node_modules/directus/cli.js', 'start'],
  env: (database, port) => ({
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: database.href,
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: 'a-secret-of-the-comparison-0123456789',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // Every login would wait until half a second has passed.
    LOGIN_STALL_TIME: '0',
    PRESSURE_LIMITER_ENABLED: 'false',
    ACCEPT_TERMS: 'true',
  }),
  ready: '/server/ping',
  fill,
}
