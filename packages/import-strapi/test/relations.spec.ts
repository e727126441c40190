/** Relations of a project that the fixture lacks: to entries of any type, which it has for files only, and to itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  exportStrapi,
  type ImportStrapiResult,
  importStrapi,
  type LinkRecord,
  openSource,
  type Schema,
} from '../src/index.ts'
import { changedArchive } from './archives.ts'
import { emptySite, type Site } from './fixture.ts'

const note = 'api::note.note'
const page = 'api::page.page'
const tag = 'api::tag.tag'
const permission = 'plugin::users-permissions.permission'

const typeOf = (uid: string, name: string, attributes: Schema['attributes']): Schema => ({
  uid,
  modelType: 'contentType',
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: false },
  attributes: { title: { type: 'string' }, ...attributes },
})
const relation = (kind: string, rest: object = {}) => ({ type: 'relation', relation: kind, ...rest })

const schemas: readonly Schema[] = [
  typeOf(note, 'note', { subject: relation('morphToOne'), subjects: relation('morphToMany') }),
  typeOf(page, 'page', {
    notes: relation('morphMany', { target: note, morphBy: 'subjects' }),
    firstNote: relation('morphOne', { target: note, morphBy: 'subject' }),
    allNotes: relation('morphMany', { target: note, morphBy: 'subject' }),
    similar: relation('manyToMany', { target: page, inversedBy: 'similar' }),
    grants: relation('oneToMany', { target: permission }),
  }),
]

/** As Strapi writes them: a `morphToOne` names no attribute of its other end, and a `morphToMany` only what was written from there. */
const link = (field: string, ref: number, type: string, target: number, rest: object = {}) => ({
  kind: 'relation.morph',
  relation: field === 'subject' ? 'morphToOne' : 'morphToMany',
  left: { type: note, field, ref },
  right: { type, ref: target, ...rest },
})
const links = [
  link('subject', 2, page, 1),
  link('subject', 3, tag, 4),
  link('subjects', 1, page, 1, { field: 'notes', pos: 3 }),
  link('subjects', 2, page, 1, { field: 'notes', pos: 1 }),
  link('subjects', 3, page, 1, { field: 'notes', pos: 2 }),
  link('subjects', 3, page, 2, { pos: 1 }),
  link('subjects', 3, tag, 5, { pos: 3 }),
  link('subjects', 3, tag, 4, { pos: 2 }),
]
const similar = (from: number, to: number, pos: number): LinkRecord => ({
  left: { type: page, field: 'similar', ref: from, pos },
  right: { type: page, ref: to, field: 'similar', pos: 1 },
})

let folder: string
let site: Site
let result: ImportStrapiResult
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-polymorphic-'))
  const archive = path.join(folder, 'export.tar.gz')
  await changedArchive(archive, (lines) => {
    lines.schemas.push(...schemas)
    for (const id of [1, 2, 3]) lines.entities.push({ type: note, id, data: { title: `note ${id}` } })
    for (const id of [1, 2]) lines.entities.push({ type: page, id, data: { title: `page ${id}` } })
    const actions = [`${page}.find`, `${note}.find`]
    for (const [i, action] of actions.entries()) {
      lines.entities.push({ type: permission, id: 901 + i, data: { action } })
      lines.links.push({
        left: { type: permission, field: 'role', ref: 901 + i },
        right: { type: 'plugin::users-permissions.role', ref: 2 },
      })
    }
    lines.links.push(...links, similar(2, 1, 1), similar(1, 2, 2), similar(1, 1, 1))
    lines.links.push({
      left: { type: page, field: 'grants', ref: 1, pos: 1 },
      right: { type: permission, ref: 1 },
    })
  })
  const source = await openSource(archive)
  site = await emptySite(source)
  result = await importStrapi(site.server.octavo, source, await source.outline())
})
afterAll(async () => {
  await site?.close()
  await rm(folder, { recursive: true })
})

const titles = ({ data }: { readonly data: unknown }) =>
  [data ?? []]
    .flat()
    .map((entry) => (entry as { readonly attributes: { readonly title: string } }).attributes.title)

const pages = async () => {
  const { url } = await site.server.listen(0, '127.0.0.1')
  const answer = await fetch(`${url}/api/pages?populate=*`)
  const { data } = (await answer.json()) as {
    readonly data: readonly { readonly attributes: Readonly<Record<string, { readonly data: unknown }>> }[]
  }
  return data.map(({ attributes }) => attributes)
}

it('come in their order, and answers show them where they lead back', async () => {
  const names = ['notes', 'firstNote', 'allNotes']
  expect(
    (await pages()).map((attributes) => names.map((name) => titles(attributes[name] ?? { data: null }))),
  ).toEqual([
    [['note 2', 'note 3', 'note 1'], ['note 2'], []],
    [['note 3'], [], []],
  ])
})

it('come in one direction where a relation is its own inverse', async () => {
  expect((await pages()).map(({ similar }) => titles(similar ?? { data: null }))).toEqual([
    ['page 1', 'page 2'],
    ['page 1'],
  ])
})

it('do not come where they lead to permissions, as the report says', () => {
  expect(site.definitions.leftOut).toContainEqual({
    what: `${page}.grants`,
    why: 'relates to permissions, which are parts of their roles here',
  })
  expect(result.plan.linksLeftOut).toMatchObject({ [`${page}.grants`]: 1 })
})

it('are in one of the attributes that lead back, and the report has the others', () => {
  expect(result.plan.linksRepeated).toMatchObject({ [`${page}.allNotes`]: 1 })
})

it('lead to types without an attribute that leads back, in their order', async () => {
  const { morphs } = site.server.octavo.registry.contentType(note)
  const rows = (name: string) =>
    site.server.octavo.store.query(
      `select target_id, owner_id from "${morphs.get(name)?.table}" where owner_type = '${tag}' order by id`,
    )
  expect(await rows('subject')).toEqual([['3', '4']])
  expect(await rows('subjects')).toEqual([
    ['3', '4'],
    ['3', '5'],
  ])
})

it('go back to Strapi, and come again', async () => {
  const back = path.join(folder, 'back.tar.gz')
  await exportStrapi(site.server.octavo, back)
  const source = await openSource(back)
  const found: LinkRecord[] = []
  for await (const batch of source.links()) found.push(...batch.filter(({ left }) => left.type === note))
  const ends = (records: readonly LinkRecord[]): readonly string[] =>
    records
      .map(({ left, right, ...rest }) => JSON.stringify([left.field, left.ref, right.type, right.ref, rest]))
      .sort()
  expect(ends(found)).toEqual(ends(links))
  const other = await emptySite(source)
  try {
    const again = await importStrapi(other.server.octavo, source, await source.outline())
    const of = ({ comparisons }: ImportStrapiResult) =>
      comparisons.filter(({ uid }) => uid === note || uid === page)
    expect(of(again)).toEqual(of(result))
  } finally {
    await other.close()
  }
})
