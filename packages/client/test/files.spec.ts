import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'
import type { components, contentTypes } from './model.ts'
import { openSite, type Site } from './site.ts'

let site: Site
const open = () => createClient<typeof contentTypes, typeof components>({ url: site.url })
let api: ReturnType<typeof open>
beforeAll(async () => {
  site = await openSite()
  api = open()
  await api.auth.register({ username: 'ada', email: 'ada@example.org', password: 'Password123' })
})
afterAll(() => site.close())

const text = (name: string, content: string): File => new File([content], name, { type: 'text/plain' })

it('The client uploads files with their texts, and reads, changes and deletes them', async () => {
  const [first, second] = await api.files.upload([text('a.txt', 'one'), text('b.txt', 'two')], {
    info: [{ alternativeText: 'The first' }, { caption: 'The second' }],
  })
  if (!first || !second) throw new Error('two files were sent')
  expect([first, second]).toMatchObject([
    { name: 'a.txt', alternativeText: 'The first' },
    { name: 'b.txt', caption: 'The second' },
  ])
  expect(await (await fetch(api.files.address(first.url))).text()).toBe('one')
  expect((await api.files.updateInfo(first.id, { caption: 'Changed' })).caption).toBe('Changed')
  const replaced = await api.files.replace(first.id, text('c.txt', 'three'))
  expect([replaced.url, await (await fetch(api.files.address(replaced.url))).text()]).toEqual([
    first.url,
    'three',
  ])
  expect((await api.files.find()).map(({ id }) => id)).toEqual([first.id, second.id])
  expect((await api.files.findOne(second.id)).name).toBe('b.txt')
  for (const { id } of [first, second]) await api.files.delete(id)
  expect(await api.files.find()).toEqual([])
})

it('An upload reports progress, also of a file that is read while it is sent', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-client-'))
  const file = path.join(folder, 'large.bin')
  const size = 3_000_000
  await writeFile(file, Buffer.alloc(size, 1))
  const seen: number[] = []
  const [stored] = await api.files.upload(await openAsBlob(file), {
    onProgress: ({ loaded, total }) => {
      expect(total).toBe(size)
      seen.push(loaded)
    },
  })
  expect(stored?.size).toBe(3000)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.at(-1)).toBe(size)
  await rm(folder, { recursive: true })
})

it('The client attaches files to an entry, with it or afterwards', async () => {
  const populate = { cover: true, seo: { populate: { image: true } } } as const
  const { data } = await api.articles.create(
    { title: 'With a cover', seo: { metaTitle: 'x' } },
    { populate },
    {
      files: { cover: text('cover.txt', 'a cover'), 'seo.image': text('image.txt', 'an image') },
    },
  )
  expect(data.attributes.cover.data?.attributes.name).toBe('cover.txt')
  const other = await api.articles.create({ title: 'Without' })
  await api.files.upload(text('later.txt', 'later'), {
    attachTo: { type: 'api::article.article', id: other.data.id, field: 'cover' },
  })
  const found = await api.articles.findOne(other.data.id, { populate })
  expect(found.data.attributes.cover.data?.attributes.name).toBe('later.txt')
  await api.articles.update(data.id, {}, {}, { files: { cover: text('next.txt', 'next') } })
  const changed = await api.articles.findOne(data.id, { populate: 'cover' })
  expect(changed.data.attributes.cover.data?.attributes.name).toBe('next.txt')
})

it('an upload that is refused is an error of a request, and an aborted one rejects with the reason', async () => {
  const stranger = createClient({ url: site.url })
  const onProgress = () => {}
  await expect(stranger.files.upload(text('a.txt', 'a'))).rejects.toMatchObject({ name: 'ForbiddenError' })
  await expect(
    api.files.upload(text('a.txt', 'a'), { onProgress, signal: AbortSignal.abort(new Error('stopped')) }),
  ).rejects.toThrow('stopped')
})

it('an upload can be stopped on its way', async () => {
  const controller = new AbortController()
  const upload = api.files.upload(new File([new Uint8Array(5_000_000)], 'large.bin'), {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  })
  await expect(upload).rejects.toThrow('stopped')
  expect(await api.files.find({ filters: { name: 'large.bin' } })).toEqual([])
})
