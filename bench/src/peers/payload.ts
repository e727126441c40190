/** Payload: three collections that everybody may read and create, its REST endpoints on `node:http`. */
import { createContent, login, spread, users } from './content.ts'
import { uploads } from './files.ts'
import type { Api, Asked, Content, Entry, Peer, Questions } from './peer.ts'
import { changedArticle, filteredAuthor, newArticle } from './peer.ts'

const config = `import { postgresAdapter } from '@payloadcms/db-postgres'
import { buildConfig } from 'payload'

const access = { read: () => true, create: () => true }
const named = (slug) => ({ slug, access, fields: [{ name: 'name', type: 'text' }] })
export default buildConfig({
  secret: 'secret',
  telemetry: false,
  logger: { options: { level: 'error' } },
  // An update holds a connection and needs a second one: of 16 at once with ten connections none would end.
  db: postgresAdapter({ pool: { connectionString: process.env.DATABASE_URL, min: 2, max: 20 } }),
  collections: [
    // The number of logins is not limited.
    { slug: 'users', access, auth: { maxLoginAttempts: 0 }, fields: [] },
    { slug: 'media', access, upload: { staticDir: 'media' }, fields: [] },
    named('authors'),
    named('categories'),
    {
      slug: 'articles',
      access: { ...access, update: () => true },
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'body', type: 'textarea' },
        { name: 'summary', type: 'textarea' },
        { name: 'views', type: 'number' },
        { name: 'author', type: 'relationship', relationTo: 'authors' },
        { name: 'categories', type: 'relationship', relationTo: 'categories', hasMany: true },
      ],
    },
  ],
})
`
/** Payload creates tables without a migration only in development. */
const tables = `process.env.NODE_ENV = 'development'
const { getPayload } = await import('payload')
const { default: config } = await import('./payload.config.js')
await getPayload({ config })
process.exit(0)
`
const server = `import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { getPayload, handleEndpoints } from 'payload'
import config from './payload.config.js'

await getPayload({ config })
createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming
  const body = method !== 'GET' && { body: Readable.toWeb(incoming), duplex: 'half' }
  const request = new Request('http://' + headers.host + url, { method, headers, ...body })
  const response = await handleEndpoints({ config, request })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

interface Row {
  readonly title: string
  readonly views: number
  readonly author?: { readonly name: string } | null
  readonly categories?: readonly { readonly name: string }[]
}

const entryOf = ({ title, views, author, categories }: Row): Entry => ({
  title,
  views,
  ...(author && { author: author.name }),
  ...(categories && { categories: categories.map(({ name }) => name).toSorted() }),
})

const readList = (body: unknown) => {
  const { docs, totalDocs } = body as { docs: readonly Row[]; totalDocs: number } // the shape of a list
  return { entries: docs.map(entryOf), total: totalDocs }
}

interface Session {
  readonly token: string
}

/** The user of the token of a login, as the server finds it. */
async function userOf(body: unknown, api: Api) {
  const authorization = `JWT ${(body as Session).token}`
  const me = await api.send('GET', '/api/users/me', undefined, { authorization })
  return { entries: [], user: (me as { user: { email: string } }).user.email }
}

const readDoc = (body: unknown) => ({ entries: [entryOf((body as { doc: Row }).doc)] }) // the shape of a written entry

async function fill(api: Api, content: Content): Promise<Questions> {
  const ids = await createContent(content, async (path, entry) => {
    const answer = (await api.send('POST', `/api/${path}?depth=0`, entry)) as { doc: { id: number } }
    return answer.doc.id
  })
  for (const { email, password } of users) await api.send('POST', '/api/users', { email, password })
  const list = (query: string): Asked => ({
    method: 'GET',
    paths: [`/api/articles?limit=25&${query}`],
    read: readList,
  })
  const flat = 'depth=0&select[author]=false&select[categories]=false'
  const name = encodeURIComponent(content.authors[filteredAuthor] ?? '')
  return {
    'list of 25 with total': list(`sort=id&${flat}`),
    'one by id': {
      method: 'GET',
      paths: spread(ids).map((id) => `/api/articles/${id}?${flat}`),
      read: (body) => ({ entries: [entryOf(body as Row)] }),
    },
    'list with author and categories': list('sort=id&depth=1'),
    'filter by author, sorted': list(`sort=-views&where[author.name][equals]=${name}&${flat}`),
    create: {
      method: 'POST',
      paths: [`/api/articles?${flat}`],
      body: JSON.stringify(newArticle),
      read: readDoc,
    },
    update: {
      method: 'PATCH',
      paths: spread(ids).map((id) => `/api/articles/${id}?${flat}`),
      body: JSON.stringify(changedArticle),
      read: readDoc,
    },
    ...(await uploads('/api/media', 'file', async (body, api) => {
      const { doc } = body as { doc: { url: string } }
      return { entries: [], file: await api.file(doc.url) }
    })),
    'log in': login('/api/users/login', ({ email, password }) => ({ email, password }), userOf),
  }
}

export const payload: Peer = {
  key: 'payload',
  name: 'Payload 3.90.2',
  work: { hash: 'PBKDF2-SHA256, 600,000 rounds', pictures: 'none' },
  uploads: 'media',
  note: 'Payload runs its REST endpoints on `node:http`, without Next.js and the admin panel.',
  manifest: {
    type: 'module',
    dependencies: { payload: '3.90.2', '@payloadcms/db-postgres': '3.90.2', graphql: '16.11.0' },
  },
  npm: ['--legacy-peer-deps'],
  files: { 'payload.config.js': config, 'tables.js': tables, 'server.js': server },
  prepare: [['tables.js']],
  start: ['server.js'],
  env: (database, port) => ({
    NODE_ENV: 'production',
    DATABASE_URL: database.href,
    PORT: String(port),
  }),
  ready: '/api/articles',
  fill,
}
