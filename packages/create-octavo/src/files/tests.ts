import type { Choices } from '../choices.ts'

const setup = (imports = '') => `import { serverOptions } from '@octavo/cli'
${imports}import { createServer, type Server } from '@octavo/server'
import { type Client, createClient, createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let database: TestDatabase
let server: Server
let api: Client
`

const teardown = `afterAll(async () => {
  await server?.close()
  await database?.drop()
})
`

/** The test of a new project: reads, and who may write. */
export function newTest({ plugins }: Choices): string {
  const hasUsers = plugins.includes('users-permissions')
  return `${setup("import { unrestricted } from '@octavo/core'\n")}
// Entries that are created without the rights of a role.
const preparation = unrestricted('prepares the tests')
/** The server of octavo.config.ts, with a database that is empty and in use by this file only. */
beforeAll(async () => {
  database = await createTestDatabase()
  server = await createServer(await serverOptions({ database: database.url }))
  api = createClient((await server.listen(0, '127.0.0.1')).url)
  const author = await server.octavo.entries('author', preparation).create({ name: 'Ada' })
  await server.octavo.entries('article', preparation).create({ title: 'First light', author: author.id })
})
${teardown}
describe('Articles', () => {
  it('are public, with their authors', async () => {
    const { status, body } = await api.get('/api/articles?populate=author')
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { attributes: { title: 'First light', author: { data: { attributes: { name: 'Ada' } } } } },
    ])
  })

  it('are found by the name of their author', async () => {
    const { body } = await api.get('/api/articles?filters[author][name]=Grace')
    expect(body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } })
  })

  it('are not written by visitors', async () => {
    expect((await api.post('/api/articles', { body: { data: { title: 'Mine' } } })).status).toBe(403)
  })
${hasUsers ? editorTest : ''}})
`
}

const editorTest = `
  it('are written by editors', async () => {
    const [editor] = await server.octavo
      .entries('plugin::users-permissions.role', preparation)
      .find({ filters: { type: 'editor' } })
      .then(({ data }) => data)
    await server.octavo.entries('plugin::users-permissions.user', preparation).create({
      username: 'grace',
      email: 'grace@example.org',
      password: 'correct horse',
      provider: 'local',
      confirmed: true,
      role: editor?.id,
    })
    const login = { identifier: 'grace', password: 'correct horse' }
    const { jwt } = (await api.post('/api/auth/local', { body: login })).body
    const article = { data: { title: 'Second light' } }
    const { status, body } = await api.post('/api/articles', { token: jwt, body: article })
    expect([status, body.data?.attributes.title]).toEqual([200, 'Second light'])
  })
`

/** The test of a project from Strapi 4: every content-type answers. */
export const importedTest = `${setup()}
/** The server of octavo.config.ts, with an empty database. Everybody may read. */
beforeAll(async () => {
  process.env.OCTAVO_PUBLIC_READ = '1'
  process.env.JWT_SECRET ??= 'a secret of at least 32 characters for the tests'
  database = await createTestDatabase()
  server = await createServer(await serverOptions({ database: database.url }))
  api = createClient((await server.listen(0, '127.0.0.1')).url)
})
${teardown}
describe('The content-types', () => {
  it('answer', async () => {
    const options = await serverOptions()
    const prefix = options.api?.rest?.prefix ?? '/api'
    const own = [...server.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
    expect(own.length).toBeGreaterThan(0)
    for (const { kind, pluralName, singularName } of own) {
      const path = \`\${prefix}/\${kind === 'singleType' ? singularName : pluralName}\`
      // An empty database has no entry of a single type.
      expect([path, (await api.get(path)).status]).toEqual([path, kind === 'singleType' ? 404 : 200])
    }
  })
})
`
