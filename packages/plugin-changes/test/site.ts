import { defineContentType, unrestricted } from '@octavo/core'
import { type ChangesOptions, changes } from '@octavo/plugin-changes'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'

const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
})
const memo = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'memo', pluralName: 'memos' },
  attributes: { text: { type: 'string' }, open: { type: 'boolean' } },
})

const feed = 'plugin::changes.change.find'
const find = (name: string) => `api::${name}.${name}.find`
const openMemos = { action: find('memo'), where: { open: true } }
const roles = {
  public: [],
  articles: [feed, find('article')],
  open: [feed, find('article'), openMemos],
  all: [feed, find('article'), find('memo')],
  without: [find('article')],
}

interface Change {
  readonly kind: string
  readonly type: string
  readonly id: number
  readonly at: string
}

/**
 * A server with drafts, locales, and a token for each role.
 * @param grace In milliseconds. Default: that of servers. `fetch` connects anew for a stream that was given up, and a server that closes
 *   waits so long for a request on such a connection.
 */
export async function openSite(options: ChangesOptions = {}, grace?: number) {
  const database = await createTestDatabase()
  const server = await createServer({
    contentTypes: [article, memo],
    plugins: [
      i18n({ locales: ['en', 'fr'] }),
      draftPublish(),
      usersPermissions({ permissions: roles }),
      changes(options),
    ],
    database: database.url,
    ...(grace !== undefined && { grace }),
  })
  const { octavo } = server
  const state = unrestricted('fills the tests')
  const { url } = await server.listen(0, '127.0.0.1')
  const api = createClient(url)
  const tokens = new Map<string, string>()
  for (const role of Object.keys(roles).slice(1)) {
    const [found] = (
      await octavo.entries('plugin::users-permissions.role', state).find({ filters: { type: role } })
    ).data
    await octavo.entries('plugin::users-permissions.user', state).create({
      username: role,
      email: `${role}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: found?.id,
    })
    const { body } = await api.post('/api/auth/local', {
      body: { identifier: role, password: 'Password123' },
    })
    tokens.set(role, body.jwt)
  }
  const get = (role: string, since?: string) =>
    api.get(`/api/_changes${since === undefined ? '' : `?since=${since}`}`, { token: tokens.get(role) })
  return {
    url,
    octavo,
    api,
    tokens,
    get,
    articles: octavo.entries('article', state),
    memos: octavo.entries('memo', state),
    state,
    cursor: async (): Promise<string> => (await get('all')).body.meta.cursor,
    /** The changes since a cursor as `kind type id`. */
    since: async (role: string, cursor: string): Promise<readonly string[]> => {
      const { status, body } = await get(role, cursor)
      if (status !== 200) throw new Error(`${status} ${body.error.message}`)
      const data: readonly Change[] = body.data
      return data.map(({ kind, type, id }) => `${kind} ${type.split('.')[1]} ${id}`)
    },
    close: () => server.close().then(() => database.drop()),
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>
