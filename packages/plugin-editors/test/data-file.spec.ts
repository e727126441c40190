/** Editors, their roles and the layouts in data files: `octavo export` and `octavo import`. */
import { exportData, importData } from '@octavo/core'
import { afterEach, describe, expect, it } from 'vitest'
import { article, type DeskSite, openDesk, password } from './desk.ts'

const sites: DeskSite[] = []
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
})

async function open(founded = true): Promise<DeskSite> {
  const site = await openDesk({}, {}, founded)
  sites.push(site)
  return site
}

async function exported({ server }: DeskSite) {
  const pieces: string[] = []
  await exportData(server.octavo, (piece) => pieces.push(piece))
  return JSON.parse(pieces.join(''))
}

const own = { createdBy: '$editor.id' }
const rights = [
  { action: 'create', type: article },
  { action: 'read', type: article, where: own },
  { action: 'update', type: article, fields: ['title', 'seo.title'], locales: ['en'], where: own },
  { action: 'layouts' },
] as const

describe('A data file', () => {
  it('has people, roles and layouts, with which an empty server goes on', async () => {
    const site = await open()
    const ada = await site.person('ada@example.org')
    await ada.post('content/articles', { data: { title: 'By Ada' } })
    const ann = await site.hire('ann', rights)
    await ann.put('me', { lastname: 'Author', language: 'fr' })
    await ann.post('content/articles', { data: { title: 'By Ann' } })
    const { body: usual } = await ann.get(`layouts/${article}`)
    await ann.put(`layouts/${article}`, { ...usual, list: { ...usual.list, pageSize: 10 } })
    await ada.post('people', { email: 'invited@example.org' })
    await ada.put('people/3', { active: false })
    const file = await exported(site)
    expect(file.editors).toHaveLength(3)
    expect(file.editors[1]).toEqual({
      id: 2,
      email: 'ann@example.org',
      firstname: 'ann',
      lastname: 'Author',
      username: null,
      password: expect.stringMatching(/^\$2[aby]\$/),
      active: true,
      language: 'fr',
      roles: [2],
    })
    expect(file.editors[2]).toMatchObject({ email: 'invited@example.org', active: false, password: null })
    expect(file.editorRoles[1]).toEqual({ id: 2, name: "ann's", description: null, rights })
    // Neither sessions nor links, nor the secrets of second factors.
    expect(Object.keys(file).sort()).toEqual([
      'apiTokens',
      'editorRoles',
      'editors',
      'entries',
      'layouts',
      'locales',
      'roles',
      'users',
    ])

    const empty = await open(false)
    await importData(empty.server.octavo, file)
    const [there, here] = [await empty.person('ada@example.org'), ada]
    const untimed = (list: readonly object[]) => list.map((one) => ({ ...one, createdAt: 0, updatedAt: 0 }))
    for (const path of ['people', 'roles'])
      expect(untimed((await there.get(path)).body)).toEqual(untimed((await here.get(path)).body))
    const again = await empty.person('ann@example.org', password)
    expect((await again.get(`layouts/${article}`)).body.list.pageSize).toBe(10)
    const { data } = (await again.get('content/articles?publicationState=preview')).body
    expect(data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual([
      'By Ann',
    ])
    await expect(empty.person('invited@example.org')).rejects.toThrow('cannot sign in')
    // The ids of the file are taken.
    expect((await there.post('people', { email: 'new@example.org' })).body.person.id).toBe(4)
    expect((await there.post('roles', { name: 'New' })).body.id).toBe(3)

    // The same file again changes nothing.
    const { editors, editorRoles, layouts } = file
    await importData(empty.server.octavo, { editorRoles, editors, layouts } as never)
    const after = await exported(empty)
    expect(after.editors.slice(0, 3)).toEqual(editors)
    expect(after.editorRoles.slice(0, 2)).toEqual(editorRoles)
    expect(after.layouts).toEqual(layouts)
  })

  it('with a mistake is refused as a whole, with its place', async () => {
    const site = await open(false)
    const role = { id: 1, name: 'Super Admin', rights: [{ action: 'everything' }] }
    const person = { id: 1, email: 'ada@example.org', active: true, roles: [1] }
    const wrong: readonly [object, RegExp][] = [
      [{ editorRoles: [{ ...role, id: '1' }] }, /editorRoles\[0\]\.id must be a whole number/],
      [{ editorRoles: [role, { id: 2, rights: 'all' }] }, /editorRoles\[1\]\.rights must be a list/],
      [
        { editorRoles: [{ ...role, rights: [{ action: 'read', type: 'api::none.none' }] }] },
        /editorRoles\[0\]\.rights\[0\] names the content-type "api::none\.none"/,
      ],
      [{ editorRoles: [role], editors: [{ ...person, email: 'ada' }] }, /editors\[0\]\.email is no address/],
      [
        { editorRoles: [role], editors: [{ ...person, password: 'plain text' }] },
        /editors\[0\]\.password is no bcrypt hash/,
      ],
      [
        { editorRoles: [role], editors: [person, { ...person, email: 'bob@example.org' }] },
        /^Nothing was imported: editors\[1\] \(id 1\): editors\[0\] has the same id\.$/,
      ],
      [
        { editorRoles: [role, { ...role, name: 'Authors' }] },
        /^Nothing was imported: editorRoles\[1\] \(id 1\): editorRoles\[0\] has the same id\.$/,
      ],
      [
        { editorRoles: [role], editors: [{ ...person, roles: 1 }] },
        /editors\[0\]\.roles must be a list of ids/,
      ],
      [
        { editorRoles: [role], editors: [{ ...person, active: 1 }] },
        /editors\[0\]\.active must be true or false/,
      ],
      [
        { editorRoles: [role], editors: [person, { ...person, id: 2, email: ' ADA@example.org' }] },
        /^Nothing was imported: editors\[1\]: Key \(.*email.*\)=\(ada@example\.org\) already exists\.$/,
      ],
      [
        { editorRoles: [role, { ...role, id: 2 }] },
        /^Nothing was imported: editorRoles\[1\]: Key \(.*name.*\)=\(Super Admin\) already exists\.$/,
      ],
      [
        { editors: [{ ...person, roles: [9] }] },
        /^Nothing was imported: editors\[0\]\.roles: there is no role with id 9\.$/,
      ],
      [{ layouts: [{ uid: 1 }] }, /layouts\[0\]\.uid must be a text/],
      [{ layouts: [{ uid: article, layout: { mainField: 'titel' } }] }, /layouts\[0\]: mainField/],
      [
        { layouts: [{ uid: 'api::none.none' }, { uid: 'api::none.none' }] },
        /^Nothing was imported: layouts\[1\]\.uid: layouts\[0\] is of api::none\.none as well\.$/,
      ],
    ]
    for (const [file, message] of wrong)
      await expect(importData(site.server.octavo, file as never)).rejects.toThrow(message)
    const { editors, editorRoles, layouts } = await exported(site)
    expect([editors, layouts]).toEqual([[], []])
    expect(editorRoles.filter(({ name }: { name: string }) => name !== 'Super Admin')).toEqual([])
    await importData(site.server.octavo, { editorRoles: [role], editors: [person] } as never)
    for (const [file, message] of [
      [
        { editors: [{ ...person, email: 'bob@example.org' }] },
        'editors[0]: the id 1 is that of the person "ada@example.org".',
      ],
      [
        { editorRoles: [{ ...role, name: 'Authors' }] },
        'editorRoles[0]: the id 1 is that of the role "Super Admin"',
      ],
    ] as const)
      await expect(importData(site.server.octavo, file as never)).rejects.toThrow(
        `Nothing was imported: ${message}`,
      )
  })
})
