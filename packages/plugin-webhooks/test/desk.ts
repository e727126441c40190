import { draftPublish } from '@octavo/plugin-draft-publish'
import { createEditor, editors, type Right } from '@octavo/plugin-editors'
import { openapi } from '@octavo/plugin-openapi'
import { upload } from '@octavo/plugin-upload'
import { type WebhooksOptions, webhooks } from '@octavo/plugin-webhooks'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { article } from './site.ts'

const password = 'Editor-1-word'

/** A server with the desk, and one person who may do everything. */
export interface DeskSite {
  readonly server: Server
  readonly url: string
  /** The URL of the database. */
  readonly database: string
  readonly ada: Person
  /** Makes a person with a role of these rights. */
  hire(name: string, rights: readonly Right[]): Promise<Person>
  create(data: object): Promise<number>
  close(): Promise<void>
}

/** Sends requests below `/desk/api` as a person. */
export type Person = (
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => ReturnType<Client['request']>

/** A server on a database, whose clients may write. */
export const serve = (database: string, options: WebhooksOptions = {}): Promise<Server> =>
  createServer({
    contentTypes: [article],
    plugins: [draftPublish(), upload(), editors(), openapi(), webhooks({ poll: 20, delay: 1, ...options })],
    database,
    rateLimit: false,
    access: 'open',
  })

export async function openDesk(options: WebhooksOptions = {}): Promise<DeskSite> {
  const database = await createTestDatabase()
  const server = await serve(database.url, options)
  const { url } = await server.listen(0, '127.0.0.1')
  const api = createClient(url)
  const signIn = async (name: string): Promise<Person> => {
    const { headers } = await api.post('/desk/api/login', {
      body: { email: `${name}@example.org`, password },
      headers: { origin: url },
    })
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return (method, path, body, headers) =>
      api.request(method, `/desk/api/${path}`, {
        headers: { origin: url, cookie, ...headers },
        ...(body !== undefined && { body }),
      })
  }
  await createEditor(server.octavo, { email: 'ada@example.org', password })
  const ada = await signIn('ada')
  return {
    server,
    url,
    database: database.url,
    ada,
    hire: async (name, rights) => {
      await ada('POST', 'roles', { name, rights })
      await createEditor(server.octavo, { email: `${name}@example.org`, password, role: name })
      return signIn(name)
    },
    create: async (data) => (await api.post('/api/articles', { body: { data } })).body.data.id,
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}
