import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  contentFiles,
  type EntityRecord,
  exportStrapi,
  importStrapi,
  type LinkRecord,
  openSource,
  toConfiguration,
  toDefinitions,
} from '../src/index.ts'
import { changedArchive } from './archives.ts'
import { emptySite, type Site } from './fixture.ts'

const user = 'plugin::users-permissions.user'
const file = 'plugin::upload.file'

let folder: string
let site: Site
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-added-'))
  const archive = path.join(folder, 'export.tar.gz')
  await changedArchive(archive, ({ schemas, entities, links }) => {
    for (const schema of schemas) {
      if (schema.uid === user) {
        Object.assign(schema.attributes, { city: { type: 'string' } })
        Object.assign(schema.attributes.email ?? {}, { private: true })
        Object.assign(schema.attributes.password ?? {}, { minLength: 12 })
        Object.assign(schema.options ?? {}, { privateAttributes: ['city', 'createdAt'] })
      }
      if (schema.uid === file) Object.assign(schema.attributes.hash ?? {}, { private: true })
      if (schema.uid === file)
        Object.assign(schema.attributes, {
          credit: { type: 'string', maxLength: 40 },
          author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
          authorId: { type: 'integer' },
        })
    }
    for (const { type, id, data } of entities) {
      if (type === user && id === 1) Object.assign(data, { city: 'Lyon' })
      if (type === file && id === 3) Object.assign(data, { credit: 'Ada', authorId: 77 })
    }
    links.push({
      left: { type: file, field: 'author', ref: 3 },
      right: { type: 'api::author.author', ref: 2 },
    })
  })
  const source = await openSource(archive)
  site = await emptySite(source)
  await importStrapi(site.server.octavo, source, await source.outline())
})
afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true })
})

describe('Attributes that a project added to users and files', () => {
  it('are imported', async () => {
    const { store } = site.server.octavo
    expect(await store.query('select "credit", "author_id" from "files" where "id" = 3')).toEqual([
      ['Ada', '2'],
    ])
    // Beside the relation, whose key is in the column that it would have.
    const { data } = await site.server.octavo
      .entries('plugin::upload.file', unrestricted('reads the file'))
      .find({ filters: { id: 3 } })
    expect(data).toMatchObject([{ attributes: { authorId: 77 } }])
    expect(await store.query('select "city" from "up_users" where "id" = 1')).toEqual([['Lyon']])
  })

  it('are private where the project made them so, attributes of every user and file as well', async () => {
    const state = unrestricted('reads users and files')
    const users = await site.server.octavo.entries(user, state).find({ filters: { id: 1 } })
    expect(Object.keys(users.data[0]?.attributes ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:email|city|createdAt)$/)]),
    )
    const files = await site.server.octavo.entries(file, state).find({ filters: { id: 3 } })
    expect(files.data[0]?.attributes).not.toHaveProperty('hash')
    const written = contentFiles(site.definitions).filter(({ path }) => path.startsWith('extensions/'))
    expect(written.map(({ text }) => JSON.parse(text).options)).toEqual([
      { privateAttributes: ['email', 'city', 'createdAt'] },
      { privateAttributes: ['hash'] },
    ])
  })

  it('have the rules that the project has for attributes of every user, such as the length of passwords', async () => {
    const users = site.server.octavo.entries(user, unrestricted('makes a user'))
    const made = users.create({ username: 'newest', email: 'newest@example.org', password: 'short 12' })
    await expect(made).rejects.toThrow('password must be at least 12 characters')
    const [written = ''] = contentFiles(site.definitions).flatMap(({ path, text }) =>
      path.endsWith('user/schema.json') ? text : [],
    )
    expect(JSON.parse(written).attributes).toEqual({
      city: { type: 'string' },
      password: { type: 'password', minLength: 12 },
    })
  })

  it('are written as files, which the configuration names', () => {
    expect(contentFiles(site.definitions).map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'extensions/users-permissions/content-types/user/schema.json',
        'extensions/upload/content-types/file/schema.json',
      ]),
    )
    const options = { content: './content', fileSchema: './content/extensions/file.json' }
    expect(toConfiguration([], options).text).toContain('upload({ file: "./content/extensions/file.json" })')
  })

  it('are exported, without the attributes that Octavo adds', async () => {
    const { store } = site.server.octavo
    await store.query(`update "files" set "uploaded_by_id" = 1, "pending_formats" = 'x' where "id" = 3`)
    const archive = path.join(folder, 'back.tar.gz')
    await exportStrapi(site.server.octavo, archive)
    const source = await openSource(archive)
    const { schemas } = await source.outline()
    expect(toDefinitions(schemas).fileAttributes).toEqual(site.definitions.fileAttributes)
    expect(toDefinitions(schemas).userAttributes).toEqual(site.definitions.userAttributes)
    const entities: EntityRecord[] = []
    for await (const batch of source.entities()) entities.push(...batch)
    const exported = entities.find(({ type, id }) => type === file && id === 3)
    expect(exported?.data).toMatchObject({ credit: 'Ada' })
    expect(exported?.data).not.toHaveProperty('pendingFormats')
    const links: LinkRecord[] = []
    for await (const batch of source.links()) links.push(...batch)
    expect(links.filter(({ left }) => left.type === file && left.field !== 'related')).toEqual([
      expect.objectContaining({ left: expect.objectContaining({ field: 'author', ref: 3 }) }),
    ])
  })
})
