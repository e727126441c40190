/** Rows of the admin panel that the plugins of their sections would refuse. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exportData } from '@octavo/core'
import { editors } from '@octavo/plugin-editors'
import { createServer, type Server } from '@octavo/server'
import { createTestDatabase, type TestDatabase } from '@octavo/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importStrapi, openSource, type Problem, toDefinitions } from '../src/index.ts'
import { problemLine } from '../src/plan/problem.ts'
import type { EditorRecord } from '../src/records.ts'
import type { Outline, Source } from '../src/source/source.ts'
import { changedArchive } from './archives.ts'
import { pluginsOf } from './plugins.ts'

let database: TestDatabase
let folder: string
let server: Server
let source: Source
let outline: Outline

const hash = `$2b$10$${'a'.repeat(53)}`
const role = (id: number, name: string) => ({
  id,
  name,
  code: `code-${id}`,
  description: null,
  permissions: [],
})
const person = (id: number, email: string, values: Partial<EditorRecord> = {}): EditorRecord => ({
  ...{ id, email, firstname: null, lastname: null, username: null, password: hash, active: true },
  ...{ language: null, createdAt: null, roles: [1, 2] },
  ...values,
})
const token = (id: number, accessKey: string) => ({
  ...{ id, name: `token ${id}`, type: 'read-only', accessKey, permissions: [], expiresAt: null },
})

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-sections-'))
  await changedArchive(path.join(folder, 'x'), ({ entities }) => {
    const type = 'plugin::users-permissions.permission'
    entities.push({ type, id: 990, data: { action: 'application.article.find' } })
    const odd = { name: null, description: 5, createdAt: 'soon', updatedAt: 7 }
    entities.push({ type: 'plugin::users-permissions.role', id: 991, data: { ...odd, type: 'odd' } })
    const name = `${'x'.repeat(239)}🦊`
    entities.push({ type: 'plugin::upload.folder', id: 993, data: { ...odd, name, pathId: 1, path: '/1' } })
    entities.push({ type: 'plugin::i18n.locale', id: 992, data: { ...odd, code: 'sv' } })
  })
  source = await openSource(path.join(folder, 'x'))
  const { settings, ...others } = await source.outline()
  const layouts = settings.filter(({ key }) => key.endsWith('::api::article.article'))
  const title = { edit: { label: 'a\0b' }, list: { label: `${'x'.repeat(999)}🦊` } }
  outline = {
    ...others,
    // Old databases have settings twice.
    settings: [
      ...settings,
      ...layouts.map(({ key, value }) => ({ key, value: { ...(value as object), metadatas: { title } } })),
    ],
    apiTokens: [token(1, 'a'.repeat(128)), token(2, 'plain text'), token(3, 'a'.repeat(128))],
    editors: {
      roles: [role(1, 'Author'), role(2, 'Author'), role(3, 'Editor')],
      people: [
        person(1, 'ada@example.org'),
        person(2, 'ADA@example.org'),
        person(3, 'no address'),
        person(4, 'bob@example.org', { password: 'open sesame' }),
        person(5, 'eve@example.org', { password: null, roles: [1, 77] }),
      ],
    },
  }
  const definitions = toDefinitions(outline.schemas)
  database = await createTestDatabase()
  server = await createServer({
    contentTypes: definitions.contentTypes,
    components: definitions.components,
    plugins: [...pluginsOf(definitions, folder), editors()],
    database: database.url,
  })
}, 120_000)
afterAll(async () => {
  await source?.close()
  await server?.close()
  await database?.drop()
  await rm(folder, { recursive: true })
})

const wrong = [
  'admin::api-token 2: "accessKey" must be the hash of a token.',
  'admin::api-token 3: "accessKey" is that of 1 and must be unique.',
  'admin::role 2: "name" is "Author", which 1 has too and must be unique.',
  'admin::user 2: "email" is "ADA@example.org", which 1 has too and must be unique.',
  'admin::user 3: "email" must be an address.',
  'admin::user 4: "password" must be a hash of bcrypt.',
  'plugin::users-permissions.permission 990: "action" must be the name of an action such as api::article.article.find, not "application.article.find".',
]

it('refuse the import, each with its id', async () => {
  const refused = importStrapi(server.octavo, source, outline)
  await expect(refused).rejects.toMatchObject({ mistakes: wrong })
})

it('are left out with skipInvalid, also from the roles of a person', async () => {
  const problems: Problem[] = []
  const { plan } = await importStrapi(server.octavo, source, outline, {
    skipInvalid: true,
    onProblem: (problem) => problems.push(problem),
  })
  expect(problems.filter(({ kind }) => kind !== 'dangling link').map(problemLine)).toEqual(wrong)
  expect(plan).toMatchObject({ editors: 2, apiTokens: 1 })
  const pieces: string[] = []
  await exportData(server.octavo, (text) => void pieces.push(text))
  const written = JSON.parse(pieces.join(''))
  expect(written.apiTokens.map(({ id }: { id: number }) => id)).toEqual([1])
  expect(written.editors).toMatchObject([
    { id: 1, email: 'ada@example.org', roles: [1] },
    { id: 5, email: 'eve@example.org', roles: [1] },
  ])
  expect(written.roles).toContainEqual(
    expect.objectContaining({ id: 991, name: 'odd', type: 'odd', description: null }),
  )
  expect(written.folders).toMatchObject([{ id: 993, name: `${'x'.repeat(239)}\ufffd`, parent: null }])
  expect(written.locales).toContainEqual(expect.objectContaining({ id: 992, name: 'sv', code: 'sv' }))
  const layout = written.layouts.find(({ uid }: { uid: string }) => uid === 'api::article.article')?.layout
  expect(layout.fields.title).toMatchObject({ label: 'ab', column: `${'x'.repeat(999)}\ufffd` })
  expect(written.editorRoles.map(({ name }: { name: string }) => name).sort()).toEqual(['Author', 'Editor'])
})
