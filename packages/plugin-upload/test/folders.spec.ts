/** Folders of files: the tree, the files in it, and the rights. */
import { exportData, importData, unrestricted } from '@octavo/core'
import { usersPermissions } from '@octavo/plugin-users-permissions'
import type { Client } from '@octavo/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, openSite, type Site } from './site.ts'

const action = (name: string): string => `plugin::upload.content-api.${name}`

let site: Site
beforeAll(async () => {
  site = await openSite({}, { rateLimit: false })
})
afterAll(() => site.close())

const created = async (name: string, parent: number | null = null) => {
  const { status, body } = await site.api.post('/api/upload/folders', { body: { name, parent } })
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const put = (id: number, body: object) => site.api.put(`/api/upload/folders/${id}`, { body })
const refusal = async (answer: ReturnType<Client['get']>) => {
  const { status, body } = await answer
  return [status, body.error?.message]
}
const uploaded = async (folder?: number | null) => {
  const fileInfo = folder === undefined ? {} : { folder }
  const { status, body } = await site.api.post('/api/upload', {
    body: form([{ content: 'a' }], { fileInfo }),
  })
  expect([status, body.error]).toEqual([200, undefined])
  return body[0]
}
const pathOf = async (id: number) => {
  const [[path] = []] = await site.server.octavo.store.query(
    'select "folder_path" from "files" where "id" = $1',
    [id],
  )
  return path
}

describe('The tree', () => {
  it('has folders by name with their parents and the path of ids', async () => {
    const press = await created('Press')
    const year = await created('2024', press.id)
    expect(year).toMatchObject({ name: '2024', parent: press.id, path: `${press.path}/${year.id}` })
    const { body } = await site.api.get('/api/upload/folders')
    expect(body).toEqual([year, press])
    expect((await site.api.get('/api/upload/folders?fields=parent,name')).body).toEqual(
      [year, press].map(({ id, name, parent }) => ({ id, name, parent })),
    )
    for (const fields of ['name,id', '', 'constructor', 'name&fields=parent'])
      expect((await site.api.get(`/api/upload/folders?fields=${fields}`)).status).toBe(400)
    expect((await site.api.get(`/api/upload/folders/${year.id}`)).body).toEqual(year)
    expect(await refusal(site.api.get('/api/upload/folders/999'))).toEqual([
      404,
      'There is no folder with the id 999.',
    ])
  })

  it('S-61: takes a name once in a place, and no name that misleads', async () => {
    const one = await created('Once')
    const taken = [400, 'There is a folder "Once" in this place already.']
    expect(await refusal(site.api.post('/api/upload/folders', { body: { name: 'Once' } }))).toEqual(taken)
    const other = await created('Other')
    expect(await refusal(put(other.id, { name: 'Once' }))).toEqual(taken)
    const inner = await created('Once', one.id)
    expect(await refusal(put(inner.id, { parent: null }))).toEqual(taken)
    for (const name of ['', ' a', 'a/b', 'a\\b', 'a\u0000', 'a\u202eb', 'x'.repeat(256), 7, null])
      expect((await site.api.post('/api/upload/folders', { body: { name } })).status).toBe(400)
    const [a, b] = await Promise.all(
      [0, 1].map(() => site.api.post('/api/upload/folders', { body: { name: 'Race' } })),
    )
    expect([a?.status, b?.status].sort()).toEqual([200, 400])
  })

  it('takes no field that nothing reads, except those of its answers', async () => {
    const folder = await created('Fields')
    const post = (path: string, body: object) => site.api.post(`/api/upload/folders${path}`, { body })
    expect(await refusal(post('', { name: 'Fields 2', parnt: folder.id }))).toEqual([
      400,
      'parnt is no field here; did you mean "parent"?',
    ])
    expect(await refusal(put(folder.id, { title: 'Fields 3' }))).toEqual([
      400,
      'title is no field here; there are name and parent.',
    ])
    expect(await refusal(post('/move', { file: [1], to: null }))).toEqual([
      400,
      'file is no field here; did you mean "files"?',
    ])
    expect((await put(folder.id, { ...folder, name: 'Fields 4' })).status).toBe(200)
  })

  it('S-61: has no circles, and a bounded depth', async () => {
    const a = await created('A')
    const b = await created('B', a.id)
    const c = await created('C', b.id)
    for (const [id, parent] of [
      [a.id, a.id],
      [a.id, c.id],
    ])
      expect(await refusal(put(id, { parent }))).toEqual([400, 'The folder "A" cannot be in itself.'])
    // Both moves at once would make a circle.
    const d = await created('D')
    const moves = await Promise.all([put(a.id, { parent: d.id }), put(d.id, { parent: c.id })])
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await refusal(put(b.id, { parent: 999 }))).toEqual([
      400,
      'parent: there is no folder with the id 999.',
    ])
    let parent: number | null = null
    for (let depth = 1; depth <= 50; depth++) parent = (await created(`deep ${depth}`, parent)).id
    const deeper = site.api.post('/api/upload/folders', { body: { name: 'deep', parent } })
    expect(await refusal(deeper)).toEqual([400, 'Folders may be nested at most 50 levels deep.'])
    expect((await put(a.id, { parent })).status).toBe(400)
  })
})

describe('The files of a folder', () => {
  it('go there with the upload, and move with their folder', async () => {
    const [from, to] = [await created('From'), await created('To')]
    const inner = await created('Inner', from.id)
    const file = await uploaded(inner.id)
    expect(file).not.toHaveProperty('folderPath')
    expect(await pathOf(file.id)).toBe(inner.path)
    expect((await put(from.id, { name: 'Moved', parent: to.id })).body).toMatchObject({
      name: 'Moved',
      path: `${to.path}/${from.id}`,
    })
    expect(await pathOf(file.id)).toBe(`${to.path}/${from.id}/${inner.id}`)
    const root = await uploaded()
    expect(await pathOf(root.id)).toBe('/')
    const info = form([], { fileInfo: { folder: to.id } })
    expect((await site.api.post(`/api/upload?id=${root.id}`, { body: info })).status).toBe(200)
    expect(await pathOf(root.id)).toBe(to.path)
    const moved = { files: [file.id, root.id], folders: [inner.id], to: null }
    expect((await site.api.post('/api/upload/folders/move', { body: moved })).body).toEqual(moved)
    expect([await pathOf(file.id), await pathOf(root.id)]).toEqual(['/', '/'])
    expect((await site.api.get(`/api/upload/folders/${inner.id}`)).body.path).toBe(`/${inner.id}`)
  })

  it('move together with folders, or nothing moves', async () => {
    const [from, to] = [await created('Whole'), await created('Aim')]
    const [inside, beside] = [await uploaded(from.id), await uploaded()]
    const at = async () => [
      await pathOf(inside.id),
      await pathOf(beside.id),
      (await site.api.get(`/api/upload/folders/${from.id}`)).body.path,
    ]
    const before = await at()
    const move = (files: readonly number[], folders: readonly number[], into: number | null) =>
      site.api.post('/api/upload/folders/move', { body: { files, folders, to: into } })
    // The files alone could be moved, and so could the folder.
    expect((await move([beside.id], [from.id, 999_999], to.id)).status).toBe(404)
    expect(await at()).toEqual(before)
    expect((await move([beside.id, 999_999], [from.id], to.id)).status).toBe(404)
    expect(await at()).toEqual(before)
    expect((await move([beside.id], [from.id], from.id)).status).toBe(400)
    expect(await at()).toEqual(before)
    expect((await move([beside.id, inside.id], [from.id], to.id)).status).toBe(200)
    expect(await at()).toEqual([to.path, to.path, `${to.path}/${from.id}`])
  })

  it('move while their folder moves', async () => {
    const [folder, above] = [await created('Moving'), await created('Above')]
    const file = await uploaded(folder.id)
    for (const parent of [above.id, null, above.id, null]) {
      const answers = await Promise.all([
        site.api.post('/api/upload/folders/move', { body: { files: [file.id], to: folder.id } }),
        put(folder.id, { parent }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const { body } = await site.api.get(`/api/upload/folders/${folder.id}`)
      expect(await pathOf(file.id)).toBe(body.path)
    }
  })

  it('are not stored for a folder that is missing', async () => {
    const before = await site.kept()
    for (const folder of [999, 'x', 1.5, {}]) {
      const body = form([{ content: 'a' }], { fileInfo: { folder } })
      expect((await site.api.post('/api/upload', { body })).status).toBe(400)
    }
    const two = form([{ content: 'a' }, { content: 'b' }], { fileInfo: [{ folder: 1 }, { folder: null }] })
    expect(await refusal(site.api.post('/api/upload', { body: two }))).toEqual([
      400,
      'The files of one request go to one folder.',
    ])
    expect(await site.kept()).toEqual(before)
    const file = await uploaded()
    const body = { files: [file.id, 999_999], to: null }
    expect((await site.api.post('/api/upload/folders/move', { body })).status).toBe(404)
  })

  it('are deleted with their folder, contents included', async () => {
    const folder = await created('Gone')
    const inner = await created('Inside', folder.id)
    const [a, b] = [await uploaded(folder.id), await uploaded(inner.id)]
    const kept = await site.kept()
    const { body } = await site.api.delete(`/api/upload/folders/${folder.id}`)
    expect(body).toEqual(folder)
    for (const { id, hash } of [a, b]) {
      expect((await site.api.get(`/api/upload/files/${id}`)).status).toBe(404)
      expect(kept).toContain(`${hash}.txt`)
      await expect.poll(() => site.kept()).not.toContain(`${hash}.txt`)
    }
    expect((await site.api.get(`/api/upload/folders/${inner.id}`)).status).toBe(404)
  })

  it('S-61: are too many to delete at once above 1,000', async () => {
    const folder = await created('Full')
    await site.server.octavo.store.query(
      `insert into "files" ("name", "hash", "mime", "size", "url", "provider", "folder_path")
       select 'f', 'h' || n, 'text/plain', 1, '/', 'none', '${folder.path}' from generate_series(1, 1001) as n`,
    )
    expect(await refusal(site.api.delete(`/api/upload/folders/${folder.id}`))).toEqual([
      400,
      'There are more than 1000 files in this folder. Delete or move some of them first.',
    ])
  })

  it('never lose their folder to a deletion at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const folder = await created(`Both ${round}`)
      const [upload, deletion] = await Promise.all([
        site.api.post('/api/upload', { body: form([{ content: 'a' }], { fileInfo: { folder: folder.id } }) }),
        site.api.delete(`/api/upload/folders/${folder.id}`),
      ])
      expect([200, 409]).toContain(deletion.status)
      expect([200, 400]).toContain(upload.status)
      const [[strays] = []] = await site.server.octavo.store.query(
        `select count(*)::int from "files" where "folder_path" <> '/' and "folder_path" not in (select "path" from "octavo_upload_folders")`,
      )
      expect(strays).toBe('0')
    }
  })
})

it('A data file has the folders, and files in them', async () => {
  const folder = await created('Exported')
  const file = await uploaded(folder.id)
  let text = ''
  await exportData(site.server.octavo, (part) => {
    text += part
  })
  const data = JSON.parse(text)
  expect(data.folders).toContainEqual(
    expect.objectContaining({ id: folder.id, name: 'Exported', parent: null }),
  )
  const other = await openSite()
  try {
    await importData(other.server.octavo, data)
    expect((await other.api.get(`/api/upload/folders/${folder.id}`)).body).toEqual(folder)
    expect(
      await other.server.octavo.store.query('select "folder_path" from "files" where "id" = $1', [file.id]),
    ).toEqual([[folder.path]])
    const next = await other.api.post('/api/upload/folders', { body: { name: 'Next' } })
    expect(next.body.id).toBeGreaterThan(folder.id)
    for (const [folder, mistake] of [
      [{ id: 1, name: 'a', parent: 1 }, 'folders: 1 is in itself.'],
      [{ id: 1, name: 'a', parent: 2 }, 'folders: 1 is in 2, which is missing.'],
      [{ id: 1, name: 'a/b' }, 'folders[0].name must be a text of 1 to 255 characters'],
      [{ id: 1, name: 'a', createdAt: 'soon' }, 'folders[0].createdAt must be an ISO date.'],
      [{ name: 'a' }, 'folders[0].id must be a whole number from 1.'],
    ] as const)
      await expect(importData(other.server.octavo, { folders: [folder] } as never)).rejects.toThrow(
        `Nothing was imported: ${mistake}`,
      )
  } finally {
    await other.close()
  }
})

describe('S-61: Rights', () => {
  const own = { uploadedBy: { id: '$user.id' } }
  let guarded: Site
  afterAll(() => guarded.close())

  it('of folders are needed, and files in them are moved and deleted with those of files', async () => {
    const folderRights = ['findFolders', 'createFolder', 'updateFolder', 'deleteFolder'].map(action)
    const users = usersPermissions({
      permissions: {
        public: [action('upload')],
        authenticated: [
          ...folderRights,
          { action: action('upload'), where: own },
          { action: action('move'), where: own },
          { action: action('destroy'), where: own },
          action('find'),
        ],
      },
    })
    guarded = await openSite({}, { others: [users], rateLimit: false })
    const { api } = guarded
    const token = async (name: string): Promise<string> => {
      const body = { username: name, email: `${name}@example.com`, password: 'secret-enough' }
      return (await api.post('/api/auth/local/register', { body })).body.jwt
    }
    const [ann, eve] = [await token('ann'), await token('eve')]
    const { body: folder } = await api.post('/api/upload/folders', { token: ann, body: { name: 'Ours' } })
    const into = () => form([{ content: 'a' }], { fileInfo: { folder: folder.id } })

    for (const answer of [
      api.get('/api/upload/folders'),
      api.get(`/api/upload/folders/${folder.id}`),
      api.post('/api/upload/folders', { body: { name: 'Mine' } }),
      api.put(`/api/upload/folders/${folder.id}`, { body: { name: 'Mine' } }),
      api.delete(`/api/upload/folders/${folder.id}`),
      api.post('/api/upload/folders/move', { body: { folders: [folder.id], to: null } }),
      // A stranger may upload, but not learn which folders there are.
      api.post('/api/upload', { body: into() }),
    ])
      expect((await answer).status).toBe(403)
    expect(await guarded.kept()).toEqual([])

    const { body: hers } = await api.post('/api/upload', { token: ann, body: into() })
    // A file that is in no folder stays there without any right to folders; one in a folder does not leave it.
    const outside = (parts: { content: string }[]) =>
      form(parts, { fileInfo: { caption: 'c', folder: null } })
    const { status, body: loose } = await api.post('/api/upload?id=', { body: outside([{ content: 'b' }]) })
    expect(status).toBe(200)
    const change = (id: number) => api.post(`/api/upload?id=${id}`, { body: outside([]) })
    expect([(await change(loose[0].id)).status, (await change(hers[0].id)).status]).toEqual([200, 403])
    await guarded.server.octavo
      .entries('plugin::upload.file', unrestricted('removes a file of the test'))
      .delete(loose[0].id)
    const move = (files: readonly number[], as: string) =>
      api.post('/api/upload/folders/move', { token: as, body: { files, to: null } })
    expect((await move([hers[0].id], eve)).status).toBe(404)
    // One file is out of reach, so nothing is deleted.
    const { body: his } = await api.post('/api/upload', { token: eve, body: into() })
    expect((await api.delete(`/api/upload/folders/${folder.id}`, { token: eve })).status).toBe(404)
    expect(await guarded.kept()).toHaveLength(2)
    expect((await move([hers[0].id], ann)).status).toBe(200)
    expect((await api.delete(`/api/upload/folders/${folder.id}`, { token: eve })).status).toBe(200)
    expect(
      (await api.get('/api/upload/files', { token: ann })).body.map(({ id }: { id: number }) => id),
    ).toEqual([hers[0].id])
    expect(his[0].id).not.toBe(hers[0].id)
  })
})
