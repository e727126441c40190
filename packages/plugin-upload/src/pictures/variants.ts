import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { withPath } from '@octavo/core/internal'
import { isDecoded } from '../codec/jobs.ts'
import type { PictureService } from '../codec/picture-service.ts'
import { type Files, fileNotFound } from '../files/files.ts'
import type { VariantFormat, VariantOptions } from '../options.ts'
import { problem } from '../problems.ts'
import type { CacheRule } from '../storage/cache-rule.ts'
import { isKey } from '../storage/names.ts'
import type { StorageProvider } from '../storage/provider.ts'

/** The address of a variant always gives the same picture. */
export const variantCache: CacheRule = { age: 365 * 24 * 3_600, immutable: true }

/** The picture that a client requests. */
interface VariantRequest {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly format: VariantFormat
}

/** Separates the hash of a file from the name of a variant. No hash contains it. */
const separator = '__'

/** The hash of the file that a variant was made of; `undefined` for a key of another kind. */
export function originalOf(key: string): string | undefined {
  const end = key.lastIndexOf(separator)
  return end > 0 ? key.slice(0, end) : undefined
}

/** Pictures in the configured sizes and formats. They are made at the first request and stored by the provider. */
export class Variants {
  readonly #options: VariantOptions
  readonly #provider: StorageProvider
  readonly #pictures: PictureService
  /** Variants that are being made, so that simultaneous requests make each once. */
  readonly #making = new Map<string, Promise<void>>()

  constructor(options: VariantOptions, provider: StorageProvider, pictures: PictureService) {
    this.#options = options
    this.#provider = provider
    this.#pictures = pictures
  }

  /**
   * The key of a variant, which the provider has from then on.
   * @param name The file's hash, with or without its extension.
   * @param caller Pictures of the same caller wait for each other.
   * @throws ValidationError for a size or format that is not on the list; NotFoundError
   */
  async keyOf(
    name: string,
    query: Readonly<Record<string, unknown>>,
    files: Files,
    caller: string,
  ): Promise<string> {
    const requested = this.#read(query)
    const hash = path.basename(name, path.extname(name))
    const key = `${hash}${separator}${requested.width ?? ''}x${requested.height ?? ''}.${requested.format}`
    if (!isKey(key)) throw fileNotFound()
    const there = await this.#provider.open(key)
    there?.stream.destroy()
    if (there) return key
    const making =
      this.#making.get(key) ??
      this.#make(key, hash, requested, files, caller).finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    await making
    return key
  }

  /** Deletes all variants of a file that was deleted or replaced. */
  async discard(hash: string): Promise<void> {
    for await (const { key } of this.#provider.list(`${hash}${separator}`)) await this.#provider.delete(key)
  }

  #read({ w, h, format }: Readonly<Record<string, unknown>>): VariantRequest {
    const { sizes, formats = ['webp', 'avif'] } = this.#options
    const [width, height] = [pixels(w), pixels(h)]
    const known = sizes.some((size) => size.width === width && size.height === height)
    if (!known) {
      const list = sizes.map((size) =>
        [size.width && `w=${size.width}`, size.height && `h=${size.height}`].filter(Boolean).join('&'),
      )
      throw problem('upload/bad-variant', { message: `This size is not offered; ${list.join(', ')} are.` })
    }
    const selected = formats.find((name) => name === (format ?? formats[0]))
    if (!selected)
      throw problem('upload/bad-variant', {
        message: `This format is not offered; ${formats.join(', ')} are.`,
      })
    return { width, height, format: selected }
  }

  async #make(
    key: string,
    hash: string,
    requested: VariantRequest,
    files: Files,
    caller: string,
  ): Promise<void> {
    const { width, height, format } = requested
    const row = await files.findRow({ hash })
    if (!row || !(isDecoded(row.mime) || row.mime === 'image/svg+xml')) throw fileNotFound()
    const folder = await mkdtemp(path.join(this.#provider.incoming ?? tmpdir(), 'variant-'))
    try {
      const [original, made] = [path.join(folder, randomUUID()), path.join(folder, 'made')]
      const fetch = async (): Promise<void> => {
        const source = await this.#provider.open(`${hash}${row.ext ?? ''}`)
        if (!source) throw fileNotFound()
        await pipeline(source.stream, createWriteStream(original)).catch((error: unknown) => {
          throw withPath(error, original)
        })
      }
      const size = { width, height, format, focalPoint: row.focalPoint ?? undefined }
      await this.#pictures.variant({ path: original, mime: row.mime, fetch }, size, made, caller)
      const stored = await stat(made)
      await this.#provider.put(key, { path: made, mime: `image/${format}`, size: stored.size })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    // The file was replaced or deleted during the work, and its variants were discarded before this one was there.
    if ((await files.findRow({ hash }))?.updatedAt !== row.updatedAt) {
      await this.#provider.delete(key)
      await this.#make(key, hash, requested, files, caller)
    }
  }
}

function pixels(text: unknown): number | undefined {
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^\d{1,5}$/.test(text)) return Number(text)
  throw problem('upload/bad-variant', { message: 'w and h are whole numbers of pixels.' })
}
