/** Metadata of animations, whose originals are not encoded again. Cameras and editors write the place and their names into them. */
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { form, openSite, type Site } from './site.ts'

// The codecs of a busy machine start late.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

const frames = ['red', 'lime', 'blue'].map((background) => ({
  create: { width: 30, height: 20, channels: 3 as const, background },
}))

/** A GIF of three frames, with a comment and XMP before its end. */
async function gif(): Promise<Buffer> {
  const images = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
  const animation = await sharp(images, { join: { animated: true } })
    .gif({ loop: 4, delay: [50, 100, 150] })
    .toBuffer()
  const comment = '\x21\xfe\x06Secret\x00'
  const xmp = '\x21\xff\x0bXMP DataXMP\x1d<x:xmpmeta>Secret</x:xmpmeta>\x00'
  return Buffer.concat([animation.subarray(0, -1), Buffer.from(`${comment}${xmp}\x3b Secret`, 'latin1')])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG that announces an animation, with a text and EXIF. */
async function apng(): Promise<Buffer> {
  const png = await sharp(frames[0])
    .png()
    .withExif({ IFD0: { Make: 'Secret' }, IFD3: { GPSLatitudeRef: 'N' } })
    .toBuffer()
  const afterHeader = 33
  const animation = chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))
  const text = chunk('tEXt', Buffer.from('Comment\0Secret'))
  return Buffer.concat([png.subarray(0, afterHeader), animation, text, png.subarray(afterHeader)])
}

it.each([
  ['a GIF', 'a.gif', 'image/gif', gif],
  ['an animated PNG', 'a.apng', 'image/apng', apng],
])('S-69: the original of %s keeps its frames and loses its metadata', async (_, name, mime, made) => {
  const content = await made()
  const { body } = await site.api.post('/api/upload', { body: form([{ name, content }]) })
  expect(body[0]).toMatchObject({ mime, width: 30, height: 20 })
  const kept = Buffer.from(await (await fetch(site.url + body[0].url)).arrayBuffer())
  expect([content.includes('Secret'), kept.includes('Secret')]).toEqual([true, false])
  const shown = async (picture: Buffer) => {
    const { width, height, pages, delay, loop } = await sharp(picture, { animated: true }).metadata()
    const pixels = await sharp(picture, { animated: true }).raw().toBuffer()
    return { width, height, pages, delay, loop, pixels: pixels.toString('base64') }
  }
  expect(await shown(kept)).toEqual(await shown(content))
})
