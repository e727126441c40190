import { defineContentType, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { type PagesOptions, pages } from '@octavo/plugin-pages'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type ServerOptions } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    note: { type: 'string' },
    secret: { type: 'string', private: true },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    diary: { type: 'relation', relation: 'manyToOne', target: 'api::diary.diary' },
  },
})
const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})
const diary = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'diary', pluralName: 'diaries' },
  attributes: { entry: { type: 'string' } },
})

const limited = { action: 'api::article.article.find', fields: ['title', 'author', 'diary'] }
const readArticles = ['api::article.article.find', 'api::article.article.findOne']
const roles = {
  public: [limited, 'api::article.article.findOne', 'api::author.author.find'],
  reader: readArticles,
  analyst: [limited, 'plugin::pages.explain'],
  operator: [...readArticles, 'plugin::pages.explain', 'plugin::pages.explain-values'],
}

/** A server with drafts, locales, and a user for each role. */
export async function openSite(options: PagesOptions = {}, server: ServerOptions = {}) {
  const database = await createTestDatabase()
  const running = await createServer({
    contentTypes: [article, author, diary],
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish(),
      usersPermissions({ permissions: roles }),
      pages(options),
    ],
    database: database.url,
    logger: silentLogger,
    ...server,
  })
  const { octavo } = running
  const state = unrestricted('fills the tests')
  const ada = await octavo.entries('author', state).create({ name: 'Ada' })
  const page = await octavo.entries('diary', state).create({ entry: 'Dear diary' })
  const articles = octavo.entries('article', state)
  const by = ada.id
  await articles.create({ title: 'First light', note: 'a', secret: 's3cret', author: by, diary: page.id })
  await articles.create({ title: 'Second light', author: by })
  await articles.create({ title: 'A draft', publishedAt: null })
  for (const role of Object.keys(roles)) {
    const [found] = (await octavo.entries('role', state).find({ filters: { type: role } })).data
    await octavo.entries('user', state).create({
      username: role,
      email: `${role}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: found?.id,
    })
  }
  const { url } = await running.listen(0, '127.0.0.1')
  const api = createClient(url)
  return {
    octavo,
    url,
    api,
    login: async (identifier: string): Promise<string> =>
      (await api.post('/api/auth/local', { body: { identifier, password: 'Password123' } })).body.jwt,
    close: () => running.close().then(() => database.drop()),
  }
}
