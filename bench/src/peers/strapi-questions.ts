/** The requests of Strapi 4 and 5, and of Octavo. */
import { createContent, login, spread, users } from './content.ts'
import { uploads } from './files.ts'
import type { Api, Asked, Content, Entry, Questions } from './peer.ts'
import { changedArticle, filteredAuthor, newArticle } from './peer.ts'

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

interface UploadedFile {
  readonly url: string
}

interface Session {
  readonly jwt: string
}

/** The user of the token of a login, as the server finds it. */
async function userOf(body: unknown, api: Api) {
  const authorization = `Bearer ${(body as Session).jwt}`
  const me = (await api.send('GET', '/api/users/me', undefined, { authorization })) as { email: string }
  return { entries: [], user: me.email }
}

export const fill = async (api: Api, content: Content): Promise<Questions> => ({
  ...(await fillForRest(api, content)),
  'GraphQL: three relations deep': nested,
})

/** Without GraphQL. */
export async function fillForRest(api: Api, content: Content): Promise<Questions> {
  const ids = await createContent(content, async (path, data) => {
    const answer = (await api.send('POST', `/api/${path}`, { data })) as Created
    return answer.data.documentId ?? answer.data.id
  })
  for (const user of users) await api.send('POST', '/api/auth/local/register', user)
  const get = (...paths: readonly string[]): Asked => ({ method: 'GET', paths, read })
  const name = encodeURIComponent(content.authors[filteredAuthor] ?? '')
  return {
    'list of 25 with total': get('/api/articles?sort=id'),
    'one by id': get(...spread(ids).map((id) => `/api/articles/${id}`)),
    'list with author and categories': get('/api/articles?sort=id&populate[0]=author&populate[1]=categories'),
    'filter by author, sorted': get(`/api/articles?filters[author][name][$eq]=${name}&sort=views:desc`),
    create: { method: 'POST', paths: ['/api/articles'], body: JSON.stringify({ data: newArticle }), read },
    update: {
      method: 'PUT',
      paths: spread(ids).map((id) => `/api/articles/${id}`),
      body: JSON.stringify({ data: changedArticle }),
      read,
    },
    ...(await uploads('/api/upload', 'files', async (body, api) => {
      const [file] = body as readonly UploadedFile[]
      return { entries: [], file: await api.file(file?.url ?? '') }
    })),
    'log in': login('/api/auth/local', ({ email, password }) => ({ identifier: email, password }), userOf),
  }
}
