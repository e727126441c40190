import { type ContentTypeDefinition, defineComponent, defineContentType, type Logger } from '@octavo/core'
import { createServer, type Server, type ServerOptions } from '@octavo/server'
import { createClient, createTestDatabase } from '@octavo/testing'

export const article = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'article', pluralName: 'articles' },
  attributes: {
    title: { type: 'string', required: true, maxLength: 120 },
    body: { type: 'richtext' },
    views: { type: 'integer', min: 0 },
    note: { type: 'string', private: true },
    secret: { type: 'password' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    seo: { type: 'component', component: 'shared.seo' },
  },
})

export const author = defineContentType({
  kind: 'collectionType',
  info: { singularName: 'author', pluralName: 'authors' },
  attributes: {
    name: { type: 'string', required: true, unique: true },
    articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
  },
})

export const homepage = defineContentType({
  kind: 'singleType',
  info: { singularName: 'homepage', pluralName: 'homepages' },
  attributes: { title: { type: 'string' } },
})

export const seo = defineComponent({ uid: 'shared.seo', attributes: { metaTitle: { type: 'string' } } })

export interface Site {
  readonly server: Server
  readonly url: string
  /** The URL of its database. */
  readonly database: string
  readonly api: ReturnType<typeof createClient>
  /** The log, as `level message fields`. */
  readonly log: readonly { readonly level: string; readonly message: string; readonly fields: object }[]
  close(): Promise<void>
}

/**
 * A server on a database of its own, with three articles by one author.
 * @param filled `false` for no entries, with content-types of the caller.
 */
export async function openSite(options: ServerOptions = {}, filled = true): Promise<Site> {
  const database = await createTestDatabase()
  const log: { level: string; message: string; fields: object }[] = []
  const contentTypes: readonly ContentTypeDefinition[] = [article, author, homepage]
  const server = await createServer({
    contentTypes,
    components: [seo],
    database: database.url,
    logger: recorder(log),
    access: 'open',
    ...options,
  })
  if (filled) await fill(server)
  const { url } = await server.listen(0, '127.0.0.1')
  return {
    server,
    url,
    database: database.url,
    api: createClient(url),
    log,
    close: async () => {
      await server.close()
      await database.drop()
    },
  }
}

async function fill({ octavo }: Server): Promise<void> {
  const { id } = await octavo.entries('author').create({ name: 'Ada' })
  for (const [i, title] of ['One', 'Two', 'Three'].entries()) {
    await octavo
      .entries('article')
      .create({ title, views: i, author: id, note: `hidden ${i}`, body: 'text '.repeat(300) })
  }
}

function recorder(log: { level: string; message: string; fields: object }[]): Logger {
  const at = (level: string) => (fields: object, message: string) => void log.push({ level, message, fields })
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  }
  return logger
}
