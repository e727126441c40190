/** The description of a server with the option `strict`. */
import { silentLogger } from '@octavo/core'
import { openapi } from '@octavo/plugin-openapi'
import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const book = {
  kind: 'collectionType',
  info: { singularName: 'book', pluralName: 'books' },
  attributes: {
    title: { type: 'string', required: true },
    seo: { type: 'component', component: 'shared.seo' },
    parts: { type: 'dynamiczone', components: ['shared.seo'] },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::book.book' },
  },
} as const
const seo = { uid: 'shared.seo', attributes: { text: { type: 'string' } } } as const

interface Parameter {
  readonly name: string
  readonly schema: object
}
interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Record<string, { readonly description?: string; readonly parameters?: readonly Parameter[] }>
    >
  >
  readonly components: object
}

const databases: TestDatabase[] = []
const servers: Server[] = []
async function open(strict: boolean): Promise<{ readonly api: Client; readonly description: Described }> {
  const database = await createTestDatabase()
  databases.push(database)
  const server = await createServer({
    database: database.url,
    logger: silentLogger,
    contentTypes: [book],
    components: [seo],
    access: 'open',
    strict,
    plugins: [openapi()],
  })
  servers.push(server)
  const api = createClient((await server.listen(0, '127.0.0.1')).url)
  return { api, description: (await api.get('/api/openapi.json')).body }
}

/** Whether a value is valid by a schema of the description. */
function accepts({ components }: Described, schema: object, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.validate({ ...schema, components }, value)
}

describe('GET /api/openapi.json', () => {
  let strict: Awaited<ReturnType<typeof open>>
  let lenient: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    strict = await open(true)
    lenient = await open(false)
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    for (const database of databases) await database.drop()
  })

  it.each([
    ['an attribute', {}, true],
    ['a component', { seo: { text: 'b' } }, true],
    ['a zone', { parts: [{ __component: 'shared.seo', text: 'b' }] }, true],
    ['an unknown attribute', { titel: 'b' }, false],
    ['an unknown attribute of a component', { seo: { txet: 'b' } }, false],
    ['an unknown attribute in a zone', { parts: [{ __component: 'shared.seo', txet: 'b' }] }, false],
  ])('takes %s as the server does', async (_, given, isKnown) => {
    const data = { title: 'a', ...given }
    for (const [{ api, description }, expected] of [
      [strict, isKnown],
      [lenient, true],
    ] as const) {
      expect((await api.post('/api/books', { body: { data } })).status).toBe(expected ? 200 : 400)
      expect(accepts(description, { $ref: '#/components/schemas/BookCreate' }, data)).toBe(expected)
    }
  })

  it.each([
    ['pagination', { pageSize: 5 }, 'pagination[pageSize]=5', true],
    ['pagination', { pagesize: 5 }, 'pagination[pagesize]=5', false],
    ['populate', { next: true }, 'populate[next]=true', true],
    ['populate', { nxet: true }, 'populate[nxet]=true', false],
  ])('takes names in %s as the server does: %j', async (name, value, query, isKnown) => {
    for (const [{ api, description }, expected] of [
      [strict, isKnown],
      [lenient, true],
    ] as const) {
      expect((await api.get(`/api/books?${query}`)).status).toBe(expected ? 200 : 400)
      const parameter = description.paths['/api/books']?.get?.parameters?.find((one) => one.name === name)
      expect(accepts(description, parameter?.schema ?? {}, value)).toBe(expected)
    }
  })

  it('says so at the operations of content', () => {
    const text = /not listed are refused with 400/
    expect(strict.description.paths['/api/books']?.post?.description).toMatch(text)
    expect(strict.description.paths['/api/openapi.json']?.get?.description ?? '').not.toMatch(text)
    expect(lenient.description.paths['/api/books']?.post?.description ?? '').not.toMatch(text)
  })
})
