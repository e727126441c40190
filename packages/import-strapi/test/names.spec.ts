/** Attributes with the names of those that Strapi appends to other types: people have a language, talks were published somewhere. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportStrapi, importStrapi, openSource, type Plan } from '../src/index.ts'
import { changedArchive } from './archives.ts'
import { emptySite, type Site } from './fixture.ts'

const talk = 'api::talk.talk'
const language = 'shared.language'
const user = 'plugin::users-permissions.user'
const file = 'plugin::upload.file'
const permission = 'plugin::users-permissions.permission'
const day = '2024-05-05T05:05:05.005Z'

let folder: string
let site: Site
let plan: Plan
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-names-'))
  const archive = path.join(folder, 'export.tar.gz')
  await changedArchive(archive, ({ schemas, entities, links }) => {
    schemas.push({
      uid: talk,
      modelType: 'contentType',
      kind: 'collectionType',
      collectionName: 'talks',
      info: { singularName: 'talk', pluralName: 'talks', displayName: 'Talk' },
      options: { draftAndPublish: false },
      attributes: {
        locale: { type: 'string' },
        publishedAt: { type: 'datetime' },
        languages: { type: 'component', component: language, repeatable: true },
        createdAt: { type: 'datetime' },
        updatedAt: { type: 'datetime' },
      },
    })
    schemas.push({
      uid: language,
      modelType: 'component',
      collectionName: 'components_shared_languages',
      info: { displayName: 'language' },
      attributes: {
        locale: { type: 'string', required: true },
        publishedAt: { type: 'date' },
        updatedAt: { type: 'date' },
      },
    })
    const users = schemas.find(({ uid }) => uid === user)
    if (users)
      Object.assign(users.attributes, {
        locale: { type: 'string' },
        tokenVersion: { type: 'integer' },
        pendingEmail: { type: 'email' },
      })
    const files = schemas.find(({ uid }) => uid === file)
    if (files)
      Object.assign(files.attributes, {
        uploadedBy: { type: 'relation', relation: 'oneToOne', target: user },
      })
    for (const { type, id, data } of entities)
      if (type === user && id === 1)
        Object.assign(data, { locale: 'fr', tokenVersion: 7, pendingEmail: 'eve@example.org' })
    links.push({ left: { type: file, field: 'uploadedBy', ref: 3 }, right: { type: user, ref: 1 } })
    entities.push({
      type: talk,
      id: 1,
      data: {
        ...{ locale: 'cy', publishedAt: null, createdAt: day, updatedAt: day },
        languages: [{ id: 1, locale: 'gd', publishedAt: '2020-02-02', updatedAt: '2020-02-03' }],
      },
    })
    entities.push({ type: talk, id: 2, data: { publishedAt: day, createdAt: day, updatedAt: day } })
    entities.push({ type: permission, id: 901, data: { action: `${talk}.find` } })
    links.push({
      left: { type: permission, field: 'role', ref: 901 },
      right: { type: 'plugin::users-permissions.role', ref: 2 },
    })
  })
  const source = await openSource(archive)
  site = await emptySite(source)
  plan = (await importStrapi(site.server.octavo, source, await source.outline())).plan
})
afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true })
})

it('are imported', async () => {
  const { url } = await site.server.listen(0, '127.0.0.1')
  const answer = (await (await fetch(`${url}/api/talks?populate=*`)).json()) as { readonly data: unknown }
  const dates = { createdAt: day, updatedAt: day }
  expect(answer.data).toEqual([
    {
      id: 1,
      attributes: {
        ...{ locale: 'cy', publishedAt: null, ...dates },
        languages: [{ id: 1, locale: 'gd', publishedAt: '2020-02-02' }],
      },
    },
    { id: 2, attributes: { locale: null, publishedAt: day, ...dates, languages: [] } },
  ])
  expect(await site.server.octavo.store.query('select "locale" from "up_users" where "id" = 1')).toEqual([
    ['fr'],
  ])
})

it('are named where no attribute here can have them', () => {
  expect(site.definitions.leftOut).toContainEqual({
    what: `${language}.updatedAt`,
    why: 'has a name that is reserved here',
  })
  const why =
    'has the name of an attribute that Octavo has for itself; rename it in the project to import its values'
  expect(site.definitions.leftOut).toEqual(
    expect.arrayContaining([
      { what: `${user}.tokenVersion`, why },
      { what: `${user}.pendingEmail`, why },
      { what: `${file}.uploadedBy`, why },
    ]),
  )
  expect(plan.attributesLeftOut).toEqual({
    [`${language}.updatedAt`]: 1,
    [`${user}.tokenVersion`]: 1,
    [`${user}.pendingEmail`]: 1,
  })
  expect(plan.linksLeftOut).toEqual({ [`${file}.uploadedBy`]: 1 })
})

it('do not get into attributes of Octavo with the same name', async () => {
  const { store } = site.server.octavo
  expect(await store.query('select "token_version", "pending_email" from "up_users" where "id" = 1')).toEqual(
    [['0', null]],
  )
  expect(await store.query('select "uploaded_by_id" from "files" where "id" = 3')).toEqual([[null]])
})

it('go back to Strapi', async () => {
  const back = path.join(folder, 'back.tar.gz')
  await exportStrapi(site.server.octavo, back)
  const { schemas } = await (await openSource(back)).outline()
  const namesOf = (uid: string) => Object.keys(schemas.find((schema) => schema.uid === uid)?.attributes ?? {})
  expect(namesOf(talk)).toEqual(expect.arrayContaining(['locale', 'publishedAt']))
  expect(namesOf(language)).toEqual(['locale', 'publishedAt'])
  expect(namesOf(user)).toContain('locale')
})
