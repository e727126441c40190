/** S-32: the processor time that pictures take. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testEngine } from '@octavo/testing'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { localDisk, type StorageProvider, type UploadOptions } from '../src/index.ts'
import { form, openSite, picture, type Site } from './site.ts'

// Each test starts processes, which takes many seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** An AVIF of 6,000 by 6,000 pixels of one colour: a thousand bytes that take seconds to encode again. */
const bomb = () =>
  sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: 'red' } })
    .avif({ effort: 0 })
    .toBuffer()

async function withSite(options: UploadOptions, work: (site: Site) => Promise<void>): Promise<void> {
  const site = await openSite(options)
  try {
    await work(site)
  } finally {
    await site.close()
  }
}

const upload = (site: Site, content: Uint8Array, name = 'a.avif') =>
  site.api.post('/api/upload', { body: form([{ name, content }]) })

/** A refused upload leaves no row, no file and no temporary file. */
async function expectNothing(site: Site): Promise<void> {
  expect([await site.kept(), await site.rows(), await readdir(path.join(site.folder, '.incoming'))]).toEqual([
    [],
    { files: 0, links: 0 },
    [],
  ])
}

describe('S-32: pictures that take long', () => {
  it('an AVIF of over 25 million pixels is refused by default, before it is decoded', () =>
    withSite({}, async (site) => {
      const { status, body } = await upload(site, await bomb())
      expect([status, body.error.message]).toEqual([413, 'A picture may have at most 25000000 pixels.'])
      await expectNothing(site)
    }))

  it('pixelsByType lowers the limit of one type and raises none', () =>
    withSite(
      { limits: { pixels: 10_000, pixelsByType: { 'image/png': 100, 'image/webp': 1e9 } } },
      async (site) => {
        expect((await upload(site, await picture(11, 10), 'a.png')).status).toBe(413)
        expect((await upload(site, await picture(101, 100, 'webp'), 'a.webp')).status).toBe(413)
        await expectNothing(site)
        expect((await upload(site, await picture(100, 100, 'jpeg'), 'a.jpg')).status).toBe(200)
      },
    ))

  it('a picture that takes longer than pictureTime is refused, its work ends, and the next one is processed', () =>
    withSite(
      { limits: { pictureTime: 1_000, pixelsByType: {} }, images: { concurrency: 1 } },
      async (site) => {
        const { status, body } = await upload(site, await bomb())
        expect([status, body.error.message]).toEqual([413, expect.stringContaining('longer than 1000 ms')])
        await expectNothing(site)
        expect((await upload(site, await picture(10, 10), 'a.png')).status).toBe(200)
      },
    ))

  it('an SVG that takes longer than pictureTime to sanitise is refused', () =>
    withSite({ active: 'sanitize', limits: { pictureTime: 1 } }, async (site) => {
      const drawing = (paths: number) =>
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0"/>'.repeat(paths)}</svg>`)
      const { status, body } = await upload(site, drawing(100_000), 'a.svg')
      expect([status, body.error.message]).toEqual([413, expect.stringContaining('longer than 1 ms')])
      await expectNothing(site)
    }))

  it('an SVG of more than 200 elements within each other is refused', () =>
    withSite({ active: 'sanitize' }, async (site) => {
      const nested = `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(200)}${'</g>'.repeat(200)}</svg>`
      const { status, body } = await upload(site, Buffer.from(nested), 'a.svg')
      expect([status, body.error.message]).toEqual([
        400,
        'An SVG may have at most 200 elements within each other.',
      ])
      await expectNothing(site)
    }))

  it('pictures of one caller that wait are bounded', () =>
    withSite({ limits: { waitingPictures: 0 } }, async (site) => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, async () => upload(site, await picture(300, 300), 'a.png')),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      await expectNothing(site)
    }))

  it('variants that wait take no room on the disk: the original is fetched when it is their turn', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'octavo-variants-'))
    const disk = localDisk({ folder })
    let original = ''
    let fetched = 0
    let letGo = (): void => {}
    const othersAreRefused = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const provider: StorageProvider = {
      ...disk,
      async open(key) {
        if (key === original) {
          fetched += 1
          await othersAreRefused
        }
        return disk.open(key)
      },
    }
    const widths = Array.from({ length: 10 }, (_, i) => 50 + i)
    const site = await openSite({
      provider,
      images: { concurrency: 1 },
      variants: { sizes: widths.map((width) => ({ width })), formats: ['webp'] },
      limits: { waitingPictures: 3 },
    })
    try {
      const { body } = await upload(site, await picture(600, 300), 'a.png')
      original = `${body[0].hash}${body[0].ext}`
      let refused = 0
      const made = widths.map(async (w) => {
        const { status } = await fetch(`${site.url}/uploads/${original}?w=${w}`)
        if (status !== 503) return status
        refused += 1
        // One is worked on and three wait.
        if (refused === 6) {
          expect(fetched).toBe(1)
          letGo()
        }
        return status
      })
      const statuses = await Promise.all(made)
      expect([statuses.filter((status) => status === 200).length, fetched]).toEqual([4, 4])
    } finally {
      await site.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('S-32: formats that are made later', () => {
  const formatsOf = async (site: Site, id: number) =>
    Object.keys((await site.api.get(`/api/upload/files/${id}`)).body.formats ?? {}).sort()

  it('are null in the answer, and there soon after', async () => {
    let letGo = (): void => {}
    const answered = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const first = await openSite()
    await first.server.close()
    const disk = localDisk({ folder: first.folder })
    // The original can be read once the upload is answered, so that the formats are made after it on any machine.
    const provider: StorageProvider = { ...disk, open: (key) => answered.then(() => disk.open(key)) }
    const site = await first.reopen({ provider, images: { generateLater: true } })
    try {
      const { body } = await upload(site, await picture(600, 300), 'a.png')
      expect([body[0].width, body[0].formats]).toEqual([600, null])
      expect(JSON.stringify(body)).not.toContain('pending')
      letGo()
      await expect
        .poll(() => formatsOf(site, body[0].id), { timeout: 60_000 })
        .toEqual(['small', 'thumbnail'])
      const { formats } = (await site.api.get(`/api/upload/files/${body[0].id}`)).body
      const small = await fetch(site.url + formats.small.url)
      expect((await sharp(Buffer.from(await small.arrayBuffer())).metadata()).width).toBe(500)
      await site.api.delete(`/api/upload/files/${body[0].id}`)
      // The temporary folder of the formats is removed after they are stored.
      await expect.poll(() => site.kept(), { timeout: 60_000 }).toEqual([])
    } finally {
      await site.close()
    }
  })

  it('are those of the new file after a replacement during their work', () =>
    withSite({ images: { generateLater: true } }, async (site) => {
      const { body } = await upload(site, await picture(1_200, 600), 'a.png')
      await site.api.post(`/api/upload?id=${body[0].id}`, {
        body: form([{ name: 'b.png', content: await picture(400, 200) }]),
      })
      await expect.poll(() => formatsOf(site, body[0].id), { timeout: 60_000 }).toEqual(['thumbnail'])
    }))

  it('are made by the next start when a server stopped before', async () => {
    let isStopped = true
    // A database in memory ends with its server.
    const lasting = await mkdtemp(path.join(tmpdir(), 'octavo-data-'))
    const first = await openSite({}, testEngine() === 'pglite' ? { database: `file:${lasting}` } : {})
    const disk = localDisk({ folder: first.folder })
    // As if the first server had been killed: the originals cannot be read until the lock is removed.
    const provider: StorageProvider = {
      ...disk,
      open: async (key) => {
        if (isStopped) throw new Error('The server stops here')
        return disk.open(key)
      },
    }
    await first.server.close()
    const site = await first.reopen({ provider, images: { generateLater: true } })
    const { body } = await upload(site, await picture(300, 300), 'a.png')
    expect(await formatsOf(site, body[0].id)).toEqual([])
    await site.server.close()
    isStopped = false
    const next = await first.reopen({ provider, images: { generateLater: true } })
    try {
      await expect.poll(() => formatsOf(next, body[0].id), { timeout: 60_000 }).toEqual(['thumbnail'])
    } finally {
      await next.close()
      await rm(lasting, { recursive: true, force: true })
    }
  })
})
