import { readFileSync } from 'node:fs'
import { importData, type Logger, silentLogger, unrestricted } from '@octavo/core'
import type { HookKind, HookName, HookRow, Plugin } from '@octavo/core/plugin'
import { draftPublish } from '@octavo/plugin-draft-publish'
import { graphql } from '@octavo/plugin-graphql'
import { describeServer, openapi } from '@octavo/plugin-openapi'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase } from '@octavo/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { hookModel } from './support/hook-model.ts'
import { printJson, withExamples } from './support/print-json.ts'

/** The part of a description that a page shows. */
interface Description {
  readonly paths: Readonly<Record<string, unknown>>
}

/** A request of a page, with the answer that the server gives. */
interface Call {
  readonly ask: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The name of a file in the same body, which is then a form. */
  readonly file?: string
  /** A header of the answer to print in place of the body. */
  readonly show?: string
}

/** The part of a page after the example: requests with their answers, the last line of the plugin's log, or a result. */
type Shown = readonly Call[] | 'log' | ((server: Server) => unknown)

const fields = 'fields[0]=title'

/** A hook without an example does not compile. */
const examples = {
  'definitions:extend': [
    { ask: 'PUT /api/articles/1?fields[0]=source', body: { data: { source: 'The Herald' } } },
  ],
  'attribute:computed': [
    { ask: `GET /api/articles?${fields}&fields[1]=titleLength&filters[titleLength][$lt]=9` },
  ],
  'query:node': [{ ask: `GET /api/articles?${fields}` }, { ask: 'GET /api/articles/3' }],
  'query:attribute': [{ ask: 'GET /api/authors/1?fields[0]=*' }, { ask: 'GET /api/authors?sort=salary' }],
  'query:private': [{ ask: 'GET /api/authors/1?fields[0]=*' }],
  'query:meta': [{ ask: `GET /api/articles/1?${fields}` }],
  'query:single': [
    { ask: 'GET /api/imprint?fields=text' },
    { ask: 'GET /api/imprint?fields=text&editions=all' },
    { ask: 'GET /api/imprint?editions=two' },
  ],
  'entry:input': [{ ask: `PUT /api/articles/2?${fields}`, body: { data: { title: '  Second wind ' } } }],
  'entry:writable': ({ octavo, registry }) => [
    ...octavo.writable({ type: registry.contentType('api::author.author'), action: 'create', state: {} }),
  ],
  'entry:strictness': [
    { ask: 'POST /api/articles?fields=wip', body: { data: { wip: true } } },
    { ask: 'POST /api/articles', body: { data: { wip: false } } },
  ],
  'entry:checks': [{ ask: 'POST /api/authors', body: { data: { name: 'Cleo' } } }],
  'entry:change': [
    { ask: 'PUT /api/authors/1?fields=name', body: { data: { salary: 120 } } },
    { ask: 'GET /api/events?fields=text&filters[text]=author 1 raised' },
  ],
  'entry:statements': [
    { ask: 'PUT /api/authors/1?fields=name', body: { data: { name: 'Ada L.' } } },
    { ask: 'GET /api/events?fields=text&filters[text]=author 1 updated' },
  ],
  'entry:beforeCreate': [{ ask: 'POST /api/articles', body: { data: { title: 'Untitled' } } }],
  'entry:beforeUpdate': [{ ask: 'PUT /api/articles/4', body: { data: { title: 'Changed' } } }],
  'entry:beforeDelete': [{ ask: 'DELETE /api/articles/4' }],
  'entry:delete': [{ ask: 'DELETE /api/authors/2?fields=name' }, { ask: 'GET /api/authors/2?fields=left' }],
  'entry:afterCreate': [
    { ask: `POST /api/articles?${fields}`, body: { data: { title: 'Landfall' } } },
    { ask: 'GET /api/events?fields=text&filters[text][$endsWith]=created&sort=id:desc&pagination[limit]=1' },
  ],
  'entry:afterUpdate': [
    { ask: `PUT /api/articles/1?${fields}`, body: { data: { slug: 'first-light' } } },
    { ask: 'GET /api/events?fields=text&filters[text]=article 1 updated&pagination[limit]=1' },
  ],
  'entry:afterDelete': [
    { ask: `DELETE /api/articles/5?${fields}` },
    { ask: 'GET /api/events?fields=text&filters[text]=article 5 deleted' },
  ],
  'entry:published': [
    { ask: 'PUT /api/stories/1?fields=text', body: { data: { publishedAt: '2026-01-01T00:00:00.000Z' } } },
    { ask: 'GET /api/events?fields=text&filters[text]=story 1 published' },
  ],
  'entry:unpublished': [
    { ask: 'PUT /api/stories/1?fields=text', body: { data: { publishedAt: null } } },
    { ask: 'GET /api/events?fields=text&filters[text]=story 1 unpublished' },
  ],
  'entry:committed': 'log',
  'octavo:start': 'log',
  'octavo:stop': 'log',
  'schema:check': async ({ octavo, registry }) => {
    const checking = octavo.hooks.guard('schema:check', { registry, store: octavo.store })
    const error: unknown = await checking.catch((refused: unknown) => refused)
    return error instanceof Error ? { name: error.name, message: error.message } : error
  },
  'content-type:adding': async (server) => {
    const info = { singularName: 'order', pluralName: 'orders' }
    const adding = server.addContentType({ kind: 'collectionType', info, attributes: {} })
    const error: unknown = await adding.catch((refused: unknown) => refused)
    return error instanceof Error ? { name: error.name, message: error.message } : error
  },
  'content-type:added': 'log',
  'server:routes': [{ ask: 'GET /api/latest' }],
  'server:describe': (server) =>
    Object.entries((describeServer(server) as Description).paths).find(([path]) =>
      path.endsWith('/tides'),
    )?.[1],
  'server:start': 'log',
  'server:listen': 'log',
  'server:closing': 'log',
  'server:middleware': [
    { ask: 'GET /api/articles', headers: { 'X-Maintenance': 'yes' } },
    { ask: 'GET /api/articles', show: 'X-Action' },
  ],
  'server:graphql': [
    {
      ask: 'POST /graphql',
      body: { query: '{ newestArticle { data { attributes { title } } } }' },
    },
    { ask: 'POST /graphql', body: { query: 'mutation { deleteArticle(id: 1) { data { id } } }' } },
  ],
  'server:desk': ({ octavo }) => {
    const folders: object[] = []
    octavo.hooks.register('server:desk', (plugin) => ({
      extensions: (folder) => void folders.push({ plugin, folder: String(folder).split('/').at(-2) }),
    }))
    return folders
  },
  'server:manage': ({ octavo }) => {
    const routes: Readonly<Record<string, string>>[] = []
    octavo.hooks.register('server:manage', () => ({
      add: ({ method, path, right }) => void routes.push({ route: `${method} ${path}`, right }),
    }))
    return routes
  },
  'server:authenticate': [{ ask: 'GET /api/me', headers: { 'X-User': 'ada' } }],
  'server:state': [{ ask: 'GET /api/bot', headers: { 'User-Agent': 'examplebot/1.0' } }],
  'server:authorize': [{ ask: 'DELETE /api/imprint' }],
  'server:read': [{ ask: 'GET /api/authors?summary=true' }],
  'server:files': [
    { ask: 'POST /api/articles?fields=slug', body: { data: { title: 'With a file' } }, file: 'cover.png' },
  ],
} satisfies Record<HookName, Shown>

/** `entry-before-create` of `entry:beforeCreate`. */
const fileOf = (hook: string): string =>
  hook.replace(':', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const kinds: Readonly<Record<HookKind, string>> = {
  decide: 'the first answer that is not `undefined` wins',
  transform: 'each handler gets what the one before returned, and returns the same type',
  collect: 'all answers that are not `undefined` count',
  guard: 'a handler may throw to refuse; none changes anything',
  notify: 'runs after the fact; a failure is logged and changes no answer',
  register: 'each handler adds things in the name of its plugin, and returns nothing',
}

const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`
const json = (value: unknown): string => block('json', printJson(withExamples(value)))
const source = (hook: string): string =>
  readFileSync(new URL(`./hooks/${fileOf(hook)}.ts`, import.meta.url), 'utf8')

function page(hook: string, row: HookRow, shown: string): string {
  return `# \`${hook}\`

${row.purpose}

| | |
|---|---|
| kind | ${row.kind}: ${kinds[row.kind]} |
| runs | ${row.when} |
| before it | ${row.before} |
| after it | ${row.after} |

## Example

${block('ts', source(hook))}
${shown}
[All hooks](../../hooks.md) · [Plugins of your own](../../plugins.md)
`
}

async function exchange(api: Client, { ask, body, headers, file, show }: Call): Promise<string> {
  const [method = '', path = ''] = ask.split(/ (.*)/)
  const form = new FormData()
  if (file !== undefined) {
    form.set('data', JSON.stringify((body as { data: unknown }).data))
    form.set(`files.${file}`, new Blob(['a picture']), file)
  }
  const answer = await api.request(method, path, {
    ...(headers && { headers }),
    ...(body !== undefined && { body: file === undefined ? body : form }),
  })
  const given = [
    ...Object.entries(headers ?? {}).map(([name, value]) => `the header \`${name}: ${value}\``),
    ...(file === undefined ? [] : [`the file \`${file}\``]),
  ]
  const with_ = given.length > 0 ? ` with ${given.join(' and ')}` : ''
  const sent = body === undefined ? '' : `\n${json(body)}`
  const got = show === undefined ? `\n\n${json(answer.body)}` : ` \`${show}: ${answer.headers.get(show)}\`\n`
  return `\`${method} ${decodeURIComponent(path)}\`${with_}${sent === '' ? ' ' : `:\n${sent}\n`}${sent === '' ? 'answers' : 'The answer is'} ${answer.status}:${got}`
}

/** The pages, by the name of the hook. */
let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  const log = new Map<string, unknown>()
  const logger: Logger = {
    ...silentLogger,
    child: (bindings) => {
      const { plugin } = bindings as { readonly plugin?: string }
      return {
        ...silentLogger,
        info: (fields, message) => void log.set(String(plugin), { message, ...fields }),
      }
    },
  }
  const database = await createTestDatabase()
  const modules = await Promise.all(
    Object.keys(examples).map((hook): Promise<{ plugin: Plugin }> => import(`./hooks/${fileOf(hook)}.ts`)),
  )
  const server = await createServer({
    contentTypes: hookModel,
    plugins: [...modules.map(({ plugin }) => plugin), draftPublish(), openapi(), graphql()],
    database: database.url,
    access: 'open',
    logger,
  })
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  await fill(server)
  const { table } = server.octavo.hooks
  const shown = new Map<string, string>()
  for (const [hook, example] of Object.entries<Shown>(examples)) {
    if (typeof example === 'function') shown.set(hook, `The result:\n\n${json(await example(server))}`)
    else if (example !== 'log') {
      const calls: string[] = []
      for (const call of example) calls.push(await exchange(api, call))
      shown.set(hook, calls.join('\n'))
    }
  }
  await server.addContentType({
    kind: 'collectionType',
    info: { singularName: 'later', pluralName: 'laters' },
    attributes: {},
  })
  await server.close()
  await database.drop()
  for (const [hook, example] of Object.entries<Shown>(examples))
    if (example === 'log') shown.set(hook, `The plugin logs:\n\n${json(log.get(`example-${fileOf(hook)}`))}`)
  pages = new Map([...table].map(([hook, row]) => [hook, page(hook, row, shown.get(hook) ?? '')]))
})

async function fill(server: Server): Promise<void> {
  const all = unrestricted('fills the examples')
  const articles = server.octavo.entries('article', all)
  await articles.create({ title: 'First light' })
  await articles.create({ title: 'Second wind', related: [1] })
  await articles.create({ title: 'Not yet' })
  await articles.create({ title: 'The charter', locked: true })
  await articles.create({ title: 'Old news' })
  await articles.update(1, { related: [2, 4] })
  const type = server.registry.contentType('api::article.article')
  await server.octavo.store.transaction((tx) =>
    tx.rows(type).update({ where: { title: 'Not yet' }, set: { embargo: true } }),
  )
  for (const name of ['Ada', 'Ben'])
    await server.octavo.entries('author', all).create({ name, salary: 100, phone: '555-0199' })
  await server.octavo.entries('story', all).create({ text: 'A draft', publishedAt: null })
  // A program makes one entry of a single type; a plugin may have further ones in a data file.
  const imprints = ['Example Ltd', 'Example GmbH'].map((text, i) => ({ id: i + 1, text }))
  await importData(server.octavo, { entries: { 'api::imprint.imprint': imprints } })
}

describe('The page of a hook', () => {
  it.each(Object.keys(examples))(
    '%s is printed from its row, its example and the answers of a server',
    async (hook) => {
      await expect(pages.get(hook)).toMatchFileSnapshot(`../plugins/hooks/${fileOf(hook)}.md`)
    },
  )
})
