import { createClient, isOctavoError, type SessionStore, webSession } from '@octavo/client'
import type { components, contentTypes } from './content-types.ts'

// #region create
const api = createClient<typeof contentTypes, typeof components>({ url: 'http://localhost:1337' })
// #endregion

const login = { identifier: 'ada', password: 'Password123' }
await api.auth.login(login)

// #region find
const { data, meta } = await api.articles.find({
  filters: { $or: [{ title: { $containsi: 'light' } }, { author: { name: 'Ada' } }] },
  sort: ['views:desc', 'title'],
  fields: ['title', 'views'],
  populate: { author: true, seo: { populate: { image: true } } },
  pagination: { page: 1, pageSize: 10 },
})
data[0]?.attributes.author.data?.attributes.name // string | undefined: it is populated
console.log(data.length, 'of', meta.pagination.total)
// → 2 of 2

const { data: article } = await api.articles.findOne(1, { populate: 'author' })
console.log(article.attributes.title)
// → First light
const { data: homepage } = await api.homepage.find()
console.log(homepage.attributes.title)
// → Welcome
// #endregion

// #region type
const popular = () => api.articles.find({ fields: ['title'], populate: { author: true }, sort: 'views:desc' })
type Popular = Awaited<ReturnType<typeof popular>>['data'][number]

const lineOf = ({ attributes: { title, author } }: Popular) => `${title} by ${author.data?.attributes.name}`
console.log((await popular()).data.map(lineOf).join(', '))
// → Second light by Ada, First light by Ada

type Filters = NonNullable<Parameters<typeof api.articles.count>[0]>['filters']
const titlesOf = async (filters: Filters) =>
  (await api.articles.find({ filters, fields: ['title'] })).data.map(({ attributes: { title } }) => title)
console.log((await titlesOf({ author: { name: 'Ada' }, views: { $gt: 20 } })).join(', '))
// → Second light
// #endregion

// #region pages
for await (const { attributes } of api.articles.all({ sort: 'views', pageSize: 100 }))
  console.log(attributes.title, attributes.views)
// → First light 20
// → Second light 30
console.log(await api.articles.count({ filters: { form: 'news' } }))
// → 1
// #endregion

// #region write
const { data: created } = await api.articles.create(
  { title: 'Third light', author: 1 },
  { populate: 'author' },
)
await api.articles.update(created.id, { views: 40, author: { disconnect: 1 } })
await api.articles.unpublish(created.id)
await api.articles.localize(created.id, { locale: 'fr', title: 'Troisième lumière' })
await api.articles.delete(created.id)
// #endregion

// #region etag
const { data: read, etag } = await api.articles.findOne(1)
const more = { views: (read.attributes.views ?? 0) + 1 }
const unchanged = { headers: { 'If-Match': etag } }
await api.articles.update(1, more, {}, unchanged)
await api.articles.update(1, more, {}, unchanged).catch((error) => console.log(error.name))
// → PreconditionFailedError
// #endregion

// #region errors
try {
  await api.articles.update(999, { title: 'Fourth light' })
} catch (error) {
  if (!isOctavoError(error)) throw error
  switch (error.name) {
    case 'ValidationError':
      for (const { path, message } of error.details.errors ?? []) console.log(path.join('.'), message)
      break
    case 'RateLimitError':
      console.log(`again in ${error.retryAfter} seconds`)
      break
    default:
      console.log(error.status, error.message)
  }
}
// → 404 Not Found
// #endregion

// #region auth
const { user } = await api.auth.login({ identifier: 'ada', password: 'Password123' })
console.log(user.username, (await api.users.me()).email)
// → ada ada@example.org
await api.auth.logout()
// #endregion

// #region session
const inBrowser = () => createClient({ session: webSession(localStorage) })

const cookies = new Map<string, string>()
const session: SessionStore = {
  get: () => (cookies.has('jwt') ? { jwt: cookies.get('jwt') ?? '' } : undefined),
  set: (given) => void (given ? cookies.set('jwt', given.jwt) : cookies.delete('jwt')),
}
const onServer = createClient<typeof contentTypes>({ url: 'http://localhost:1337', session })
// #endregion

await api.auth.login(login)

// #region upload
const picture = new File(['…'], 'cover.txt', { type: 'text/plain' })
const [file] = await api.files.upload(picture, {
  info: { alternativeText: 'The cover' },
  attachTo: { type: 'api::article.article', id: 1, field: 'cover' },
  onProgress: ({ loaded, total }) => console.log(`${Math.round((100 * loaded) / total)} %`),
})
// → 100 %
api.files.address(file?.url ?? '') // http://localhost:1337/uploads/…
api.files.address(file?.formats?.small?.url ?? file?.url ?? '') // of the smaller version, where the picture has one

await api.articles.create({ title: 'With a cover' }, {}, { files: { cover: picture } })
// #endregion

// #region changes
const { meta: present } = await api.changes.find()
await api.articles.update(1, { views: 50 })
for await (const { kind, type, id, cursor } of api.changes.follow({ since: present.cursor })) {
  if (type === 'api::article.article') console.log(kind, 'article', id)
  cookies.set('cursor', cursor)
  break // without it, the loop waits for the next change
}
// → updated article 1
// #endregion

// #region abort
const controller = new AbortController()
const search = api.articles.find({ _q: 'light' }, { signal: controller.signal, timeout: 5_000, retries: 0 })
controller.abort()
await search.catch((reason: DOMException) => console.log(reason.name))
// → AbortError
// #endregion

// #region other
const untyped = await api.entries('reading-lists').find({ pagination: { pageSize: 1 } })
const page = await api.request<{ data: unknown[] }>('GET', '/articles', { query: { fields: 'title' } })
console.log(untyped.data.length, page.data.length)
// → 0 3
// #endregion

await onServer.articles.find()

export { inBrowser }
