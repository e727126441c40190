/** A file is replaced or deleted while something is made of it or stored for it. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unrestricted } from '@octavo/core'
import { definePlugin } from '@octavo/core/plugin'
import { testEngine } from '@octavo/testing'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { localDisk, type StorageProvider, type UploadOptions } from '../src/index.ts'
import { form, openSite, type Site } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

type Format = 'png' | 'jpeg'
const picture = (background: string, format: Format = 'png') =>
  sharp({ create: { width: 600, height: 300, channels: 3, background } })
    [format]()
    .toBuffer()

/** Uploads a picture, in place of the file with the id where one is given. */
async function upload(site: Site, background: string, format: Format = 'png', id?: number) {
  const content = await picture(background, format)
  const target = `/api/upload${id === undefined ? '' : `?id=${id}`}`
  const { status, body } = await site.api.post(target, { body: form([{ name: `a.${format}`, content }]) })
  expect(status).toBe(200)
  return id === undefined ? body[0] : body
}

/** A site whose disk behaves in another way. */
async function withDisk(
  change: (disk: StorageProvider) => Partial<StorageProvider>,
  options: UploadOptions,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const first = await openSite()
  await first.server.close()
  const disk = localDisk({ folder: first.folder })
  const site = await first.reopen({ ...options, provider: { ...disk, ...change(disk) } })
  try {
    await work(site)
  } finally {
    await site.close()
  }
}

/** A disk that opens the original of a picture and waits before it gives its bytes, for the first time. */
function waitingDisk() {
  let isFirst = true
  const [opened, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const change = (disk: StorageProvider): Partial<StorageProvider> => ({
    async open(key) {
      const file = await disk.open(key)
      if (file && isFirst) {
        isFirst = false
        // The open file has its bytes also after its name is gone.
        await once(file.stream as unknown as NodeJS.EventEmitter, 'open')
        opened.resolve()
        await goesOn.promise
      }
      return file
    },
  })
  return { opened: opened.promise, letGo: goesOn.resolve, change }
}

it('Formats that are made later are not stored for a file that was deleted meanwhile', async () => {
  const { opened, letGo, change } = waitingDisk()
  await withDisk(change, { images: { generateLater: true } }, async (site) => {
    const file = await upload(site, 'red')
    await opened
    expect((await site.api.delete(`/api/upload/files/${file.id}`)).status).toBe(200)
    letGo()
    // The server stops when the work is done.
    await site.server.close()
    expect(await site.kept()).toEqual([])
  })
})

it('A variant is never of a picture that was replaced while it was made', async () => {
  const { opened, letGo, change } = waitingDisk()
  await withDisk(change, { variants: { sizes: [{ width: 64 }] } }, async (site) => {
    const file = await upload(site, 'red')
    const colour = async () => {
      const answer = await fetch(`${site.url}/uploads/${file.hash}?w=64`)
      const { channels } = await sharp(Buffer.from(await answer.arrayBuffer())).stats()
      const [red = 0, , blue = 0] = channels.map(({ mean }) => mean)
      return red > blue ? 'red' : 'blue'
    }
    const during = colour()
    await opened
    // As a replacement does it; by a route it would wait for the other picture of its caller.
    const stored = path.join(site.folder, `${file.hash}.png`)
    await writeFile(`${stored}.next`, await picture('blue'))
    await rename(`${stored}.next`, stored)
    const files = site.server.octavo.entries('plugin::upload.file', unrestricted('replaces a file'))
    await files.update(file.id, { name: 'b.png' })
    letGo()
    await during
    expect(await colour()).toBe('blue')
  })
})

it('A file that is deleted right after its replacement leaves nothing', async () => {
  const deletes = definePlugin({
    name: 'deletes',
    before: ['upload'],
    setup(host) {
      host.hook(
        'entry:committed',
        async ({ id = 0 }) => {
          await site.server.octavo.entries('plugin::upload.file', unrestricted('deletes a file')).delete(id)
        },
        { types: ['plugin::upload.file'], when: ({ action }) => action === 'update' },
      )
    },
  })
  const site = await openSite({}, { others: [deletes] })
  try {
    const { id } = await upload(site, 'red')
    await upload(site, 'blue', 'jpeg', id)
    expect([await site.kept(), await site.rows()]).toEqual([[], { files: 0, links: 0 }])
  } finally {
    await site.close()
  }
})

it('A replacement removes no file that the next replacement has stored', async () => {
  let next: Promise<unknown> | undefined
  const isPrepared = Promise.withResolvers<void>()
  const change = (disk: StorageProvider): Partial<StorageProvider> => ({
    url(key) {
      if (next && key.startsWith('thumbnail_')) isPrepared.resolve()
      return disk.url(key)
    },
    async delete(key) {
      // The first replacement removes the former file, whose name the second one has for the new file.
      if (key.endsWith('.png')) {
        next ??= upload(site, 'blue', 'png', id)
        await isPrepared.promise
        // Time for a second one that does not wait, which would store its files now.
        for (let round = 0; round < 20; round++) await site.server.octavo.store.ping()
      }
      await disk.delete(key)
    },
  })
  let [site, id]: [Site, number] = [undefined as never, 0] // assigned below, before anything is deleted
  await withDisk(change, {}, async (opened) => {
    site = opened
    ;({ id } = await upload(site, 'red'))
    await upload(site, 'green', 'jpeg', id)
    await next
    const { body } = await site.api.get(`/api/upload/files/${id}`)
    expect([body.ext, await site.kept()]).toEqual(['.png', namesOf(body)])
  })
})

/** The names of a file and its formats, in order. */
const namesOf = (file: { readonly url: string; readonly formats: object }): readonly string[] =>
  [file, ...Object.values(file.formats)].map(({ url }) => url.replace('/uploads/', '')).sort()

// The embedded database is open in one process.
it.skipIf(testEngine() === 'pglite')('Two servers replace a file one after the other', async () => {
  const colourOf = async (site: Site, url: string) => {
    const { channels } = await sharp(path.join(site.folder, path.basename(url))).stats()
    return (channels[0]?.mean ?? 0) > (channels[2]?.mean ?? 0) ? 'red' : 'blue'
  }
  await withDisk(
    () => ({}),
    {},
    async (site) => {
      const other = await site.reopen({})
      try {
        const { id } = await upload(site, 'green')
        for (let round = 0; round < 5; round++) {
          const [one, two] = [upload(site, 'red', 'png', id), upload(other, 'blue', 'jpeg', id)]
          await Promise.all([one, two])
          const { body } = await site.api.get(`/api/upload/files/${id}`)
          expect(await site.kept()).toEqual(namesOf(body))
          expect(await colourOf(site, body.url)).toBe(body.ext === '.png' ? 'red' : 'blue')
        }
      } finally {
        await other.server.close()
      }
    },
  )
})

it.each(['replaced', 'given formats'])(
  'A file that is deleted while it is %s leaves nothing',
  async (work) => {
    const [stores, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isWaiting = work === 'given formats'
    const change = (disk: StorageProvider): Partial<StorageProvider> => ({
      async put(key, file) {
        await disk.put(key, file)
        if (!isWaiting || !key.startsWith('small_')) return
        stores.resolve()
        await goesOn.promise
      },
    })
    await withDisk(change, { images: { generateLater: work === 'given formats' } }, async (site) => {
      const { id } = await upload(site, 'red')
      isWaiting = true
      const content = await picture('blue')
      const replacing =
        work === 'replaced' &&
        site.api.post(`/api/upload?id=${id}`, { body: form([{ name: 'a.png', content }]) })
      await stores.promise
      expect((await site.api.delete(`/api/upload/files/${id}`)).status).toBe(200)
      goesOn.resolve()
      if (replacing) expect((await replacing).status).toBe(404)
      // The server stops when the work is done.
      await site.server.close()
      expect(await site.kept()).toEqual([])
    })
  },
)

it('The disk stores files of several processes under one key, one after the other', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  try {
    const disk = localDisk({ folder })
    await mkdir(path.join(folder, '.incoming'))
    const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`)
    const put = async (text: string): Promise<void> => {
      const arriving = path.join(folder, '.incoming', text)
      await writeFile(arriving, text)
      await disk.put('a.txt', { path: arriving, mime: 'text/plain', size: text.length })
    }
    await Promise.all(texts.map(put))
    expect(texts).toContain(await readFile(path.join(folder, 'a.txt'), 'utf8'))
    expect(await readdir(path.join(folder, '.incoming'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
