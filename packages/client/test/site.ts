import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { type ChangesOptions, changes } from '@octavo/plugin-changes'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { localDisk, upload } from '@octavo/plugin-upload'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type ServerOptions } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { components, contentTypes } from './model.ts'

const all = ['find', 'findOne', 'create', 'update', 'delete']
const content = [
  ...['article', 'author', 'reading-list'].flatMap((name) =>
    all.map((action) => `api::${name}.${name}.${action}`),
  ),
  ...['find', 'update', 'delete'].map((action) => `api::homepage.homepage.${action}`),
]
const accounts = 'plugin::users-permissions'
const everybody = [
  ...content.filter((action) => /find(One)?$/.test(action)),
  'plugin::i18n.locales.listLocales',
  'plugin::upload.content-api.find',
  ...['callback', 'register', 'forgotPassword', 'resetPassword', 'connect'].map(
    (name) => `${accounts}.auth.${name}`,
  ),
]
const writers = [
  ...content,
  'plugin::changes.change.find',
  'api::article.article.createLocalization',
  'api::article.article.publish',
  'api::article.article.unpublish',
  ...['upload', 'replace', 'find', 'findOne', 'destroy'].map((name) => `plugin::upload.content-api.${name}`),
  `${accounts}.auth.changePassword`,
  ...['me', 'find', 'findOne', 'count', 'create', 'update', 'destroy'].map(
    (name) => `${accounts}.user.${name}`,
  ),
  `${accounts}.role.find`,
]

/** A server with all plugins, on a database of its own. */
export async function openSite({
  feed = {},
  ...options
}: Pick<ServerOptions, 'middleware' | 'grace'> & { readonly feed?: ChangesOptions } = {}) {
  const database = await createTestDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-client-'))
  const server = await createServer({
    contentTypes,
    components,
    database: database.url,
    rateLimit: false,
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish({ actions: true }),
      changes(feed),
      upload({ provider: localDisk({ folder }) }),
      usersPermissions({
        jwt: { secret: 'a secret of the tests that is long enough' },
        refreshTokens: true,
        permissions: { public: everybody, authenticated: writers },
      }),
    ],
    ...options,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    url,
    server,
    /** Acts for programs, with all rights. */
    operator: unrestricted('a test prepares its content'),
    close: async () => {
      await server.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>
