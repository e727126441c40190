import { createDecipheriv, type Decipheriv, scryptSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SourceError } from './source-error.ts'

/** The layers around the tar of an archive. They are detected from the content, not from the file name. */
export interface Layers {
  readonly key: Buffer | undefined
  readonly compressed: boolean
}

/** Bytes that are read to detect the layers; the signature of a tar is at byte 257. */
const headBytes = 512

/**
 * Finds the layers of an archive from its first bytes.
 *
 * Exports are encrypted with AES-128-ECB, the key being scrypt of the passphrase with an empty salt; there is no check sum,
 * so a wrong passphrase is detected from the decrypted bytes.
 *
 * @throws SourceError when it is not an archive, when it is encrypted and there is no passphrase, or the passphrase is wrong.
 */
export async function findLayers(file: string, passphrase: string | undefined): Promise<Layers> {
  const { head, size } = await readHead(file)
  const plain = layersOf(head)
  if (plain !== undefined) return { key: undefined, compressed: plain }
  if (size === 0) throw new SourceError(`${file} is empty.`)
  if (head.subarray(0, 2).toString('latin1') === 'PK')
    throw new SourceError(`${file} is a zip file; give the archive that strapi export wrote.`)
  if (size % 16 !== 0)
    throw new SourceError(
      `${file} is neither a tar, nor compressed with gzip, nor encrypted by strapi export (its ${size} bytes are no multiple of 16), or it is cut short.`,
    )
  if (passphrase === undefined)
    throw new SourceError(`${file} looks encrypted: give the key of the export with --key.`)
  const key = scryptSync(passphrase, '', 16)
  const decipher = decipherOf(key)
  decipher.setAutoPadding(false)
  const compressed = layersOf(decipher.update(head.subarray(0, head.length - (head.length % 16))))
  if (compressed === undefined) throw new SourceError(`${file} does not open with this key.`)
  return { key, compressed }
}

/** Whether it is compressed; `undefined` when it is neither gzip nor tar. */
function layersOf(head: Buffer): boolean | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return true
  return head.subarray(257, 262).toString('latin1') === 'ustar' ? false : undefined
}

async function readHead(file: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(
      error.code === 'ENOENT' ? `there is no file ${file}.` : `${file} cannot be read: ${error.message}.`,
      error,
    )
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile())
      throw new SourceError(`${file} is no file; give the archive that strapi export wrote.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return { head: buffer.subarray(0, bytesRead), size: stats.size }
  } finally {
    await handle.close()
  }
}

/** The tar of an archive. An error in a layer is an error of the stream. */
export function openTar(file: string, { key, compressed }: Layers): Readable {
  const steps = [...(key ? [decipherOf(key)] : []), ...(compressed ? [createGunzip()] : [])]
  const raw = createReadStream(file)
  const [first, second] = steps
  if (!first) return raw
  // The error of a step reaches the last one, which the caller reads.
  if (!second) return pipeline(raw, first, () => {})
  return pipeline(raw, first, second, () => {})
}

const decipherOf = (key: Buffer): Decipheriv => createDecipheriv('aes-128-ecb', key, null)
