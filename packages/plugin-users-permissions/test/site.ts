import { type ContentTypeDefinition, silentLogger, unrestricted } from '@octavo/core'
import type { Plugin } from '@octavo/core/plugin'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { type UsersPermissionsOptions, usersPermissions } from '../src/index.ts'

const plugin = 'plugin::users-permissions'

/** Articles with a user as author, notes with restricted permissions, and attributes of each kind. */
const article: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true },
    budget: { type: 'integer' },
    secret: { type: 'password' },
    internal: { type: 'string', private: true },
    author: { type: 'relation', relation: 'manyToOne', target: `${plugin}.user` },
    note: { type: 'relation', relation: 'manyToOne', target: 'api::note.note', inversedBy: 'articles' },
  },
}
const note: ContentTypeDefinition = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    text: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'note' },
  },
}

export const contentTypes: readonly ContentTypeDefinition[] = [article, note]

export const all = (uid: string): readonly string[] =>
  ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${uid}.${action}`)

/** Permissions of the role `authenticated` on users, for some tests. */
export const usersRights: readonly string[] = [
  'find',
  'findOne',
  'count',
  'create',
  'update',
  'destroy',
  'me',
].map((action) => `${plugin}.user.${action}`)

/**
 * The latest hashes and comparisons of passwords, each with its cost, such as `compare 10`. The module that stands for bcrypt in tests notes
 * them (`core/test/support/quick-bcrypt.ts`). `next.compared` runs after the next comparison, before its result is used.
 */
export const { work, next } = (await import('@node-rs/bcrypt')) as unknown as {
  readonly work: string[]
  readonly next: { compared?: () => Promise<void> }
}

export interface Site {
  readonly server: Server
  readonly api: Client
  readonly url: string
  readonly statements: string[]
  /** Logs in and returns the token. */
  login(name: string, password?: string): Promise<string>
  close(): Promise<void>
}

/** A running server with the users ada and bob (password `Password123`), two articles and a note. */
export async function openSite(
  options: UsersPermissionsOptions = {},
  server: Partial<Parameters<typeof createServer>[0]> = {},
  given?: { readonly url: string },
  empty = false,
  plugins: readonly Plugin[] = [],
): Promise<Site> {
  // A database that is given is dropped by the test that made it.
  const made = given || server.database !== undefined ? undefined : await createTestDatabase()
  const database = (given ?? made)?.url
  const running = await createServer({
    contentTypes,
    plugins: [usersPermissions(options), ...plugins],
    ...(database !== undefined && { database }),
    logger: silentLogger,
    rateLimit: false,
    ...server,
  })
  const statements: string[] = []
  const { store } = running.octavo
  for (const name of ['query', 'execute', 'run', 'rows'] as const) {
    const original = store[name].bind(store) as (...args: unknown[]) => unknown
    Object.assign(store, {
      [name]: (...args: unknown[]) => {
        const [given] = args
        const text = typeof given === 'string' ? given : (given as { readonly text?: string }).text
        // Calls of `rows` and `run` are recorded as well.
        statements.push(text ?? name)
        return original(...args)
      },
    })
  }
  if (!given && !empty) await fill(running)
  const { url } = await running.listen(0, '127.0.0.1')
  const api = createClient(url)
  return {
    server: running,
    api,
    url,
    statements,
    login: async (identifier, password = 'Password123') => {
      const { status, body } = await api.post('/api/auth/local', { body: { identifier, password } })
      if (status !== 200) throw new Error(`${identifier} cannot log in: ${JSON.stringify(body)}`)
      return body.jwt
    },
    close: async () => {
      await running.close()
      await made?.drop()
    },
  }
}

async function fill({ octavo }: Server): Promise<void> {
  const state = unrestricted('fills the tests')
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  const users = octavo.entries('user', state)
  for (const username of ['ada', 'bob']) {
    await users.create({
      username,
      email: `${username}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: role?.id,
    })
  }
  await octavo.entries('note', state).create({ text: 'nobody knows' })
  const articles = octavo.entries('article', state)
  await articles.create({
    title: "Ada's",
    budget: 10,
    secret: 'Hidden123',
    internal: 'x',
    author: 1,
    note: 1,
  })
  await articles.create({ title: "Bob's", budget: 20, secret: 'Hidden123', internal: 'y', author: 2 })
}

/** An error response with this status and name. */
export const refusal = (status: number, name: string) => ({
  status,
  body: { data: null, error: { status, name } },
})
