/** A file is replaced or deleted while something is made of it or stored for it. */
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
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

// The embedded database runs one transaction at a time, so that no other one can be seen waiting.
it.skipIf(testEngine() === 'pglite')(
  'A replacement removes no file that the next replacement has stored',
  async () => {
    let next: Promise<unknown> | undefined
    let isDone = false
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const change = (disk: StorageProvider): Partial<StorageProvider> => ({
      async delete(key) {
        // The first replacement removes the former file, whose name the second one has for the new file.
        if (key.endsWith('.png')) {
          next ??= upload(site, 'blue', 'png', id).finally(() => {
            isDone = true
          })
          while (!isDone && (await site.server.octavo.store.query(waiting)).length === 0);
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
      const formats = Object.values(body.formats as Record<string, { url: string }>)
      const stored = [body, ...formats].map(({ url }) => url.replace('/uploads/', '')).sort()
      expect([body.ext, await site.kept()]).toEqual(['.png', stored])
    })
  },
)

it('The disk stores files of several processes under one key, one after the other', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'octavo-media-'))
  try {
    const disk = localDisk({ folder })
    await disk.start?.()
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
