/** A server with editors, and people who sign in. */
import { type ComponentDefinition, type ContentTypeDefinition, type Logger, silentLogger } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { editors } from '@octavo/plugin-editors'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { desk } from '../src/index.ts'

export const password = 'Editor-1-word'

type Options = NonNullable<Parameters<typeof createServer>[0]>

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a server, which each test reads by itself
  readonly body: any
}

export interface Site {
  readonly server: Server
  readonly url: string
  /** A request of a person; the cookie is that of {@link signIn}. */
  send(cookie: string | undefined, method: string, path: string, body?: unknown): Promise<Answer>
  /** @returns the cookie */
  signIn(email: string): Promise<string>
  /** Adds a person with a role of these rights. */
  hire(name: string, rights: readonly object[]): Promise<string>
  close(): Promise<void>
}

/** A server with the editor `ada@example.org`, who may do everything. */
export async function openSite(
  contentTypes: readonly ContentTypeDefinition[],
  components: readonly ComponentDefinition[],
  more: Partial<Options> = {},
): Promise<Site> {
  const database = await createTestDatabase()
  const lines: { readonly link?: string }[] = []
  const logger = { ...silentLogger, info: (given: object) => void lines.push(given as object) } as Logger
  const server = await createServer({
    contentTypes,
    components,
    plugins: [draftPublish({ actions: true }), editors(), desk()],
    database: database.url,
    logger: { ...logger, child: () => logger } as Logger,
    rateLimit: false,
    ...more,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const request = (cookie: string | undefined, method: string, path: string, body?: unknown) =>
    fetch(`${url}/desk/api/${path}`, {
      method,
      headers: {
        origin: url,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const send: Site['send'] = async (cookie, method, path, body) => {
    const answer = await request(cookie, method, path, body)
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const signIn = async (email: string): Promise<string> => {
    const answer = await request(undefined, 'POST', 'login', { email, password })
    const [cookie] = answer.headers.getSetCookie()
    if (answer.status !== 200 || cookie === undefined)
      throw new Error(`${email} cannot sign in: ${await answer.text()}`)
    return cookie.split(';')[0] ?? ''
  }
  const token = lines.find(({ link }) => link)?.link?.split('#')[1]
  await send(undefined, 'POST', 'first', { token, email: 'ada@example.org', password, firstname: 'Ada' })
  return {
    server,
    url,
    send,
    signIn,
    hire: async (name, rights) => {
      const ada = await signIn('ada@example.org')
      const role = await send(ada, 'POST', 'roles', { name: `${name}'s`, rights })
      const email = `${name}@example.org`
      const invited = await send(ada, 'POST', 'people', { email, firstname: name, roles: [role.body.id] })
      await send(undefined, 'POST', 'accept', { token: invited.body.token, password })
      return signIn(email)
    },
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}
