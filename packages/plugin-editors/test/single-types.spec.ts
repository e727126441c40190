/** The rights of editors on single types, whose entry is made by the first update. */
import type { ContentTypeDefinition } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import { afterEach, describe, expect, it } from 'vitest'
import { type DeskSite, openDesk, type Person } from './desk.ts'

let site: DeskSite
afterEach(() => site?.close())

const uid = 'api::about.about'
const localized = { pluginOptions: { i18n: { localized: true } } }
const about = (options: object): ContentTypeDefinition => ({
  kind: 'singleType',
  info: { singularName: 'about', pluralName: 'abouts' },
  attributes: { title: { type: 'string', ...localized }, text: { type: 'string', ...localized } },
  ...options,
})
const open = async (options: object = {}): Promise<Person> => {
  site = await openDesk({}, { contentTypes: [about(options)], plugins: [usersPermissions()] })
  return site.person('ada@example.org')
}
const put = (person: Person, data: object) => person.put('content/about', { data })
const titles = async () => (await site.server.octavo.store.query('select "title" from "abouts"')).flat()
const read = { action: 'read', type: uid } as const
const create = { action: 'create', type: uid } as const
const update = { action: 'update', type: uid } as const

describe('The first update of a single type', () => {
  it.each([{}, localized])('is the right to create its entry, and no other one (%o)', async (options) => {
    await open(options)
    const changes = await site.hire('changes', [read, update])
    for (const data of [{ title: 'T' }, {}]) expect((await put(changes, data)).status).toBe(403)
    const begins = await site.hire('begins', [read, { ...create, fields: ['title'] }])
    expect((await put(begins, { title: 'T', text: 't' })).body.error.details.code).toBe('desk/field')
    expect(await titles()).toEqual([])
    expect((await put(begins, { title: 'Begun' })).body.data.attributes.title).toBe('Begun')
    // Now it is there, and needs the other right.
    expect((await put(begins, { title: 'Again' })).status).toBeGreaterThanOrEqual(400)
    expect((await put(changes, { title: 'Changed' })).status).toBe(200)
    expect(await titles()).toEqual(['Changed'])
  })

  it('is within the locales and the condition of that right', async () => {
    await open(localized)
    const french = await site.hire('french', [read, update, { ...create, locales: ['fr'] }])
    expect((await put(french, { title: 'In English' })).status).toBe(403)
    expect(await titles()).toEqual([])
    expect((await put(french, { title: 'En français', locale: 'fr' })).status).toBe(200)
    expect(await titles()).toEqual(['En français'])
  })
})

describe('A single type whose entry an editor may not change', () => {
  it.each([{}, localized])('gets no second entry beside it (%o)', async (options) => {
    const ada = await open(options)
    expect((await put(ada, { title: 'Of Ada' })).status).toBe(200)
    const own = { createdBy: '$editor.id' } as const
    const bob = await site.hire('bob', [read, create, { ...update, where: own }])
    expect((await put(bob, { title: 'Of Bob' })).status).toBe(404)
    expect(await titles()).toEqual(['Of Ada'])
  })
})
