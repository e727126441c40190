/** The uploaded files: a text, and a picture like a photograph of 1200 by 800 pixels in some 100 kB. */
import sharp from 'sharp'
import type { Asked, Body, Questions, ServedFile } from './peer.ts'

interface SentFile {
  readonly extension: string
  readonly type: string
  readonly bytes: Buffer
}

const text: SentFile = {
  extension: 'txt',
  type: 'text/plain',
  bytes: Buffer.from('A line of a text that is uploaded.\n'.repeat(30)),
}

const width = 1200
const height = 800

let made: Promise<SentFile> | undefined
const picture = (): Promise<SentFile> => (made ??= makePicture())

async function makePicture(): Promise<SentFile> {
  const pixels = Buffer.alloc(width * height * 3)
  let seed = 1
  for (let i = 0; i < pixels.length; i++) {
    const at = Math.floor(i / 3)
    const [x, y] = [at % width, Math.floor(at / width)]
    const colour = 128 + 90 * Math.sin(x / (40 + 20 * (i % 3))) * Math.cos(y / 70)
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    // Noise, without which the picture would be a tenth as large as a photograph.
    pixels[i] = colour + ((seed >>> 16) % 22)
  }
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer()
  return { extension: 'jpg', type: 'image/jpeg', bytes }
}

/** The right answers: the text as it was sent, and a picture of the same size, which some servers encode anew. */
export const servedFiles = {
  'upload a text': { type: text.type, text: text.bytes.toString() },
  'upload a picture': { type: 'image/jpeg', width, height },
} as const satisfies Partial<Record<keyof Questions, ServedFile>>

/** The content of an answer with a file. */
export async function readServed(contentType: string | null, bytes: Buffer): Promise<ServedFile> {
  const type = contentType?.split(';')[0] ?? ''
  if (!type.startsWith('image/')) return { type, text: bytes.toString() }
  const size = await sharp(bytes).metadata()
  return { type, width: size.width, height: size.height }
}

/**
 * The questions that upload files in `multipart/form-data`, each file with a name of its own.
 * @param field Its name in the form.
 */
export async function uploads(path: string, field: string, read: Asked['read']): Promise<Questions> {
  const upload = (file: SentFile): Asked => {
    let count = 0
    return {
      method: 'POST',
      paths: [path],
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: () => formOf(field, `file-${++count}.${file.extension}`, file),
      read,
    }
  }
  return { 'upload a text': upload(text), 'upload a picture': upload(await picture()) }
}

const boundary = 'boundary-of-the-comparison'

const formOf = (field: string, name: string, { type, bytes }: SentFile): Body =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
