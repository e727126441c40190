import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { importData, loadContentTypes, type Octavo, silentLogger } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { openapi } from '@octavo/plugin-openapi'
import { pages } from '@octavo/plugin-pages'
import { localDisk, upload } from '@octavo/plugin-upload'
import { apiTokensOf, usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { docs } from './pages.ts'

/** The server that the requests of the guides are sent to: a small magazine, with every plugin. */
export interface Magazine {
  readonly octavo: Octavo
  readonly url: string
  /** `$TOKEN`: an API token that may do everything. `$JWT`: the login of the user ada, who may write notes of her own. `$REFRESH`: her refresh token. */
  readonly secrets: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param wrap Changes the plugins, for a test that observes them. Default: none. */
export async function startMagazine(
  wrap: (plugins: readonly Plugin[]) => readonly Plugin[] = (plugins) => plugins,
): Promise<Magazine> {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-docs-'))
  const media = path.join(folder, 'uploads')
  mkdirSync(media)
  const database = await createTestDatabase()
  const server = await createServer({
    ...loadContentTypes(path.join(docs, 'model/content')),
    database: database.url,
    logger: silentLogger,
    metrics: true,
    api: { rest: { bulk: true } },
    plugins: wrap(magazinePlugins(media)),
    rateLimit: false,
  })
  await importData(server.octavo, path.join(docs, 'model/data.json'))
  const token = await apiTokensOf(server.octavo).create({ name: 'docs', access: 'full' })
  const { url } = await server.listen(0, '127.0.0.1')
  const { jwt, refreshToken } = await register(url)
  return {
    octavo: server.octavo,
    url,
    secrets: { TOKEN: token, JWT: jwt, REFRESH: refreshToken },
    close: async () => {
      await server.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const readable = ['article', 'author', 'topic', 'homepage'].flatMap((name) =>
  name === 'homepage'
    ? [`api::${name}.${name}.find`]
    : [`api::${name}.${name}.find`, `api::${name}.${name}.findOne`],
)
const mine = { owner: { id: '$user.id' } }
const own = [
  { action: 'api::note.note.find', where: mine },
  { action: 'api::note.note.create', where: mine },
  { action: 'api::note.note.update', where: mine, fields: ['text'] },
  'plugin::users-permissions.user.me',
  'plugin::users-permissions.auth.changePassword',
  'plugin::upload.content-api.upload',
]

/** The plugins of the magazine, for the list of their routes. */
export const magazinePlugins = (media: string): readonly Plugin[] => [
  i18n({ locales: ['en', 'fr'] }),
  draftPublish({ actions: true }),
  upload({ provider: localDisk({ folder: media }) }),
  openapi(),
  pages(),
  usersPermissions({
    refreshTokens: true,
    jwt: { secret: 'the secret of the documentation, 32 characters' },
    permissions: { public: readable, authenticated: [...readable, ...own] },
  }),
]

interface Login {
  readonly jwt: string
  readonly refreshToken: string
}

async function register(url: string): Promise<Login> {
  const response = await fetch(`${url}/api/auth/local/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', email: 'ada@example.org', password: 'correct horse' }),
  })
  return (await response.json()) as Login
}
