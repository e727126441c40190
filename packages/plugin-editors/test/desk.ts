import { type ContentTypeDefinition, type Logger, silentLogger, unrestricted } from '@octavo/core'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { i18n } from '@octavo/plugin-i18n'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase } from '@octavo/testing'
import { type EditorsOptions, editors, type Right } from '../src/index.ts'

export const article = 'api::article.article'

const contentTypes: readonly ContentTypeDefinition[] = [
  {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles' },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
      summary: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      views: { type: 'integer', pluginOptions: { i18n: { localized: true } } },
      note: { type: 'string', private: true, pluginOptions: { i18n: { localized: true } } },
      code: { type: 'password', pluginOptions: { i18n: { localized: true } } },
      category: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'api::category.category',
        inversedBy: 'articles',
      },
      seo: { type: 'component', component: 'shared.seo', pluginOptions: { i18n: { localized: true } } },
      links: {
        type: 'component',
        component: 'shared.seo',
        repeatable: true,
        pluginOptions: { i18n: { localized: true } },
      },
    },
  },
  {
    kind: 'collectionType',
    info: { singularName: 'category', pluralName: 'categories' },
    attributes: {
      name: { type: 'string' },
      budget: { type: 'integer' },
      articles: { type: 'relation', relation: 'oneToMany', target: article, mappedBy: 'category' },
    },
  },
]

const components = [
  {
    uid: 'shared.seo',
    attributes: { title: { type: 'string' }, text: { type: 'string' } },
  },
]

export const password = 'Editor-1-word'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a server, which each test reads by itself
  readonly body: any
  readonly headers: Headers
}

/** A person at the desk, with the cookie of a sign-in. */
export class Person {
  readonly url: string
  cookie: string | undefined

  constructor(url: string) {
    this.url = url
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${this.url}${path.startsWith('/') ? '' : '/desk/api/'}${path}`, {
      method,
      headers: {
        origin: this.url,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const [cookie] = answer.headers.getSetCookie()
    if (cookie !== undefined) this.cookie = cookie.split(';')[0]
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown = {}) => this.send('POST', path, body)
  put = (path: string, body: unknown) => this.send('PUT', path, body)
  delete = (path: string) => this.send('DELETE', path)
}

export interface DeskSite {
  readonly server: Server
  readonly url: string
  readonly lines: readonly { readonly link?: string }[]
  /** The messages of these lines. */
  readonly messages: readonly string[]
  /** A person without a session. */
  visitor(): Person
  /** Signs in. */
  person(email: string, secret?: string): Promise<Person>
  /** Creates a person with a role of these rights, and signs in. */
  hire(name: string, rights: readonly Right[]): Promise<Person>
  /** The URL of the database. */
  readonly database: string
  close(): Promise<void>
}

/**
 * The latest hashes and comparisons of passwords, each with its cost, such as `compare 10`. The module that stands for bcrypt in tests notes
 * them (`core/test/support/quick-bcrypt.ts`). `next.compared` runs after the next comparison, before its result is used.
 */
export const { work, next } = (await import('@node-rs/bcrypt')) as unknown as {
  readonly work: string[]
  readonly next: { compared?: () => Promise<void> }
}

/** A server with the editor ada, who may do everything. */
export async function openDesk(
  options: EditorsOptions = {},
  { plugins = [], ...more }: Partial<Parameters<typeof createServer>[0]> = {},
  founded = true,
): Promise<DeskSite> {
  const database =
    more.database === undefined
      ? await createTestDatabase()
      : { url: more.database, drop: () => Promise.resolve() }
  const lines: { readonly link?: string }[] = []
  const messages: string[] = []
  const info = (given: object, message = ''): void => {
    lines.push(given)
    messages.push(message)
  }
  const logger = { ...silentLogger, info } as Logger
  // Those that are given take the place of the usual ones of their names.
  const usual = [
    i18n({ locales: ['en', 'fr', 'de'], defaultLocale: 'en' }),
    draftPublish({ actions: true }),
    usersPermissions({ permissions: { public: [`${article}.find`, `${article}.findOne`] } }),
    editors(options),
  ]
  const server = await createServer({
    contentTypes,
    components,
    plugins: [...usual.filter(({ name }) => !plugins.some((given) => given.name === name)), ...plugins],
    database: database.url,
    logger: { ...logger, child: () => logger } as Logger,
    rateLimit: false,
    ...more,
  })
  const { url } = await server.listen(0, '127.0.0.1')
  const visitor = (): Person => new Person(url)
  const person = async (email: string, secret = password): Promise<Person> => {
    const one = visitor()
    const { status, body } = await one.post('login', { email, password: secret })
    if (status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(body)}`)
    return one
  }
  if (founded) {
    const token = lines.find(({ link }) => link)?.link?.split('#')[1]
    await visitor().post('first', { token, email: 'ada@example.org', password, firstname: 'Ada' })
  }
  return {
    server,
    url,
    lines,
    messages,
    visitor,
    person,
    database: database.url,
    hire: async (name, rights) => {
      const ada = await person('ada@example.org')
      const role = await ada.post('roles', { name: `${name}'s`, rights })
      if (role.status !== 201) throw new Error(JSON.stringify(role.body))
      const email = `${name}@example.org`
      const invited = await ada.post('people', { email, firstname: name, roles: [role.body.id] })
      if (invited.status !== 201) throw new Error(JSON.stringify(invited.body))
      await visitor().post('accept', { token: invited.body.token, password })
      return person(email)
    },
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}

export const program = unrestricted('fills the tests')
