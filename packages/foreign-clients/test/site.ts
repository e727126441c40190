/** A small blog with every plugin, for clients that expect Strapi 4. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'

const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
    body: { type: 'richtext' },
    text: { type: 'blocks' },
    views: { type: 'integer' },
    cover: { type: 'media', allowedTypes: ['images', 'files'] },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    seo: { type: 'component', component: 'shared.seo' },
  },
}

const author: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
  attributes: {
    name: { type: 'string', required: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
}

const homepage: ContentTypeDefinition = {
  kind: 'singleType',
  info: { singularName: 'homepage', pluralName: 'homepages', displayName: 'Homepage' },
  attributes: { welcome: { type: 'string' } },
}

const all = (uid: string): readonly string[] =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${uid}.${action}`)

/** The actions of editors, who have the role `authenticated`. */
const editor: readonly string[] = [
  ...all('api::article.article'),
  ...all('api::author.author'),
  'api::homepage.homepage.find',
  'api::homepage.homepage.update',
  'plugin::upload.content-api.upload',
  'plugin::upload.content-api.find',
  'plugin::upload.content-api.findOne',
  'plugin::upload.content-api.destroy',
  'plugin::users-permissions.user.me',
  'plugin::i18n.locales.listLocales',
  'plugin::content-type-builder.content-types.getContentTypes',
  'plugin::content-type-builder.components.getComponents',
]

const reader: readonly string[] = [
  'api::article.article.find',
  'api::article.article.findOne',
  'api::author.author.find',
  'api::homepage.homepage.find',
]

export const credentials = { identifier: 'ada', password: 'Password123' }

/** Rich text as the editor of Strapi writes it. */
export const text = [
  { type: 'heading', level: 2, children: [{ type: 'text', text: 'On bold words' }] },
  {
    type: 'paragraph',
    children: [
      { type: 'text', text: 'A ' },
      { type: 'text', text: 'bold', bold: true },
      { type: 'text', text: ' word, and a ' },
      { type: 'link', url: 'https://example.org', children: [{ type: 'text', text: 'link' }] },
    ],
  },
  {
    type: 'list',
    format: 'unordered',
    children: [{ type: 'list-item', children: [{ type: 'text', text: 'One' }] }],
  },
]

export interface Site {
  readonly server: Server
  readonly url: string
  close(): Promise<void>
}

/** A server with two published articles by one author, a draft, and the editor `ada`. */
export async function openSite(): Promise<Site> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  const server = await createServer({
    database: database.url,
    logger: silentLogger,
    rateLimit: false,
    contentTypes: [article, author, homepage],
    components: [{ uid: 'shared.seo', attributes: { title: { type: 'string' } } }],
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish(),
      usersPermissions({ permissions: { public: reader, authenticated: editor } }),
      upload({ provider: localDisk({ folder }) }),
      openapi({ info: { title: 'Blog' } }),
      graphql(),
    ],
  })
  await fill(server)
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    server,
    url,
    close: async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fill({ octavo }: Server): Promise<void> {
  const state = unrestricted('fills the tests')
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  await octavo.entries('user', state).create({
    username: 'ada',
    email: 'ada@example.org',
    password: credentials.password,
    provider: 'local',
    confirmed: true,
    role: role?.id,
  })
  const { id } = await octavo.entries('author', state).create({ name: 'Jane Austen' })
  const articles = octavo.entries('article', state)
  await articles.create({ title: 'Emma', views: 1, author: id, text, seo: { title: 'On Emma' } })
  await articles.create({ title: 'Persuasion', views: 2, author: id })
  await articles.create({ title: 'Sanditon', views: 3, author: id, publishedAt: null })
  await octavo.entries('homepage', state).create({ welcome: 'Hello' })
}
