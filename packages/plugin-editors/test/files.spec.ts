import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ContentTypeDefinition } from '@octavo/core'
import { localDisk, upload } from '@octavo/plugin-upload'
import { afterEach, expect, it } from 'vitest'
import { type DeskSite, openDesk, type Person } from './desk.ts'

let site: DeskSite
let folder: string
afterEach(async () => {
  await site?.close()
  await rm(folder, { recursive: true, force: true })
})

const open = async (contentTypes?: readonly ContentTypeDefinition[]): Promise<void> => {
  folder = await mkdtemp(path.join(tmpdir(), 'octavo-desk-'))
  const plugins = [upload({ provider: localDisk({ folder }) })]
  site = await openDesk({}, { plugins, ...(contentTypes && { contentTypes }) })
}

const type = 'plugin::upload.file'
const own = { createdBy: '$editor.id' } as const

async function sendFile(person: Person, to: string, content: string | undefined, info?: object) {
  const form = new FormData()
  if (info) form.append('fileInfo', JSON.stringify(info))
  if (content !== undefined) form.append('files', new Blob([content]), 'a.txt')
  const answer = await fetch(`${person.url}/desk/api/${to}`, {
    method: 'POST',
    headers: { origin: person.url, ...(person.cookie !== undefined && { cookie: person.cookie }) },
    body: form,
  })
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a server
  return { status: answer.status, body: (await answer.json()) as any }
}

const names = ({ body }: { body: readonly { name: string }[] }) => body.map(({ name }) => name)

it('Files are uploaded, listed, described, replaced and deleted with the rights to do so', async () => {
  await open()
  const ada = await site.person('ada@example.org')
  const made = await sendFile(ada, 'files', 'one', { name: 'hers.txt' })
  expect(made).toMatchObject({ status: 200, body: [{ id: 1, name: 'hers.txt', mime: 'text/plain' }] })
  expect((await ada.get('files/1')).body).toMatchObject({ name: 'hers.txt' })
  expect((await sendFile(ada, 'files?id=1', undefined, { caption: 'One' })).body.caption).toBe('One')
  expect((await sendFile(ada, 'files?id=1', 'another')).status).toBe(200)
  const { url } = (await ada.get('files/1')).body
  expect(await (await fetch(`${site.url}${url}`)).text()).toBe('another')
  expect((await ada.delete('files/1')).status).toBe(200)
  expect((await ada.get('files')).body).toEqual([])
})

it('Files are those of the right to each action: own ones, or none', async () => {
  await open()
  const ada = await site.person('ada@example.org')
  await sendFile(ada, 'files', 'one', { name: 'hers.txt' })
  const bob = await site.hire('bob', [
    { action: 'create', type },
    { action: 'read', type, where: own },
    { action: 'update', type, where: own },
  ])
  expect(await sendFile(bob, 'files', 'two', { name: 'his.txt' })).toMatchObject({
    status: 200,
    body: [{ id: 2, name: 'his.txt' }],
  })
  expect(names(await bob.get('files'))).toEqual(['his.txt'])
  expect((await bob.get('files/1')).status).toBe(404)
  for (const content of [undefined, 'stolen'])
    expect((await sendFile(bob, 'files?id=1', content, { name: 'stolen.txt' })).status).toBe(404)
  expect((await sendFile(bob, 'files?id=2', 'three', { name: 'his.txt' })).status).toBe(200)
  for (const id of [1, 2]) expect((await bob.delete(`files/${id}`)).status).toBe(403)

  const eve = await site.hire('eve', [{ action: 'update', type }])
  expect((await eve.get('files')).status).toBe(403)
  expect((await sendFile(eve, 'files', 'new')).status).toBe(403)
  expect((await sendFile(eve, 'files?id=1', undefined, { caption: 'By Eve' })).status).toBe(200)
  expect((await ada.get('files/1')).body).toMatchObject({ name: 'hers.txt', caption: 'By Eve' })

  const rex = await site.hire('rex', [{ action: 'read', type }])
  expect(names(await rex.get('files?sort=id'))).toEqual(['hers.txt', 'his.txt'])
  for (const to of ['files', 'files?id=1']) expect((await sendFile(rex, to, 'x')).status).toBe(403)
  expect((await rex.delete('files/1')).status).toBe(403)
  expect((await (await site.visitor()).get('files')).status).toBe(401)
})

it('Files that come with an entry need the right to upload', async () => {
  await open([
    {
      kind: 'collectionType',
      info: { singularName: 'article', pluralName: 'articles' },
      attributes: { title: { type: 'string' }, cover: { type: 'media' } },
    },
  ])
  const bob = await site.hire('bob', [
    { action: 'create', type: 'api::article.article' },
    { action: 'read', type: 'api::article.article' },
  ])
  const form = new FormData()
  form.append('data', JSON.stringify({ title: 'With a file' }))
  form.append('files.cover', new Blob(['x']), 'a.txt')
  const answer = await fetch(`${site.url}/desk/api/content/articles`, {
    method: 'POST',
    headers: { origin: site.url, cookie: bob.cookie ?? '' },
    body: form,
  })
  expect(answer.status, await answer.text()).toBe(403)
  expect((await (await site.person('ada@example.org')).get('files')).body).toEqual([])
})

it('An entry takes the files that its editor may see or has uploaded', async () => {
  await open([
    {
      kind: 'collectionType',
      info: { singularName: 'article', pluralName: 'articles' },
      attributes: { title: { type: 'string' }, cover: { type: 'media' } },
    },
  ])
  const ada = await site.person('ada@example.org')
  await sendFile(ada, 'files', 'one', { name: 'hers.txt' })
  const bob = await site.hire('bob', [
    { action: 'create', type: 'api::article.article' },
    { action: 'read', type: 'api::article.article' },
    { action: 'create', type },
  ])
  await sendFile(bob, 'files', 'two', { name: 'his.txt' })
  const take = (cover: number) => bob.post('content/articles', { data: { title: 'A', cover } })
  const [theirs, absent] = [await take(1), await take(999)]
  expect(theirs.status).toBe(400)
  expect(theirs.body).toEqual(absent.body)
  expect((await take(2)).status).toBe(200)
})

it('Folders need the rights of files', async () => {
  await open()
  const ada = await site.person('ada@example.org')
  expect((await ada.post('folders', { name: 'Pictures' })).status).toBe(200)
  const rex = await site.hire('rex', [{ action: 'read', type }])
  const nobody = await site.hire('nobody', [{ action: 'read', type: 'api::article.article' }])
  expect((await rex.get('folders')).status).toBe(200)
  expect((await nobody.get('folders')).status).toBe(403)
  for (const person of [rex, nobody]) {
    expect((await person.post('folders', { name: 'Mine' })).status).toBe(403)
    expect((await person.put('folders/1', { name: 'Mine' })).status).toBe(403)
    expect((await person.delete('folders/1')).status).toBe(403)
  }
})

it('A file of another site reaches nothing', async () => {
  await open()
  const ada = await site.person('ada@example.org')
  const form = new FormData()
  form.append('files', new Blob(['x']), 'a.txt')
  const answer = await fetch(`${site.url}/desk/api/files`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', cookie: ada.cookie ?? '' },
    body: form,
  })
  expect(answer.status).toBe(403)
  expect((await ada.get('files')).body).toEqual([])
})
