import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { EntryInput } from '@octavo/core'
import type { ReceivedFile } from '@octavo/server'
import { kindOf, type MediaKind } from './content-type.ts'
import { detect, typeOf } from './detect.ts'
import type { FileInfo } from './info.ts'
import { extensionOf, makeHash, readName } from './names.ts'
import type { UploadOptions } from './options.ts'
import type { Picture } from './pictures/jobs.ts'
import type { PictureService } from './pictures/picture-service.ts'
import type { StorageProvider } from './provider.ts'
import { refused } from './refused.ts'
import { sanitizedSvg } from './sanitize.ts'

/** A file that was looked at and made ready, with the row that is to tell of it. The provider does not have it yet. */
export interface PreparedFile {
  readonly row: EntryInput
  readonly mime: string
  /** The file itself, then its formats. */
  readonly parts: readonly StoredPart[]
}

/** A file on the disk with the key that the provider stores it under. */
export interface StoredPart {
  readonly key: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** How files arrive. */
export interface Arrival {
  /** Pictures of the same caller wait for each other. */
  readonly caller: string
  /** The kinds that the media attribute takes; `undefined`: all. */
  readonly kinds?: Kinds
  /** The file that is replaced. */
  readonly place?: Place
}

const noPictures: ReadonlyMap<string, Picture> = new Map()

/** What a file must be, of those of a media attribute. */
export type Kinds = readonly MediaKind[] | undefined

/** Where a replaced file was: what takes its place keeps its address. */
export interface Place {
  readonly hash: string
  readonly ext: string
}

/** An entry of `formats`. Source: the records of the exchanges of group `upload`. */
export interface Format {
  readonly ext: string
  readonly url: string
  readonly hash: string
  readonly mime: string
  readonly name: string
  readonly path: null
  /** Kilobytes. */
  readonly size: number
  readonly width: number
  readonly height: number
  readonly sizeInBytes: number
}

/** Turns files that arrived into files that are kept: looks at them, makes their formats, hands all to the provider. */
export class Library {
  readonly #provider: StorageProvider
  readonly #pictures: PictureService
  readonly #options: UploadOptions

  constructor(provider: StorageProvider, pictures: PictureService, options: UploadOptions) {
    this.#provider = provider
    this.#pictures = pictures
    this.#options = options
  }

  /**
   * Checks files and makes their pictures, beside them on the disk.
   * @param info What the client declares of each, in order.
   * @throws ValidationError and PayloadTooLargeError for a file that is refused.
   */
  async prepareAll(
    files: readonly ReceivedFile[],
    info: readonly FileInfo[],
    arrival: Arrival,
  ): Promise<readonly PreparedFile[]> {
    const prepared: PreparedFile[] = []
    for (const [i, file] of files.entries()) prepared.push(await this.prepare(file, info[i] ?? {}, arrival))
    return prepared
  }

  /** @throws as {@link prepareAll} */
  async prepare(
    file: ReceivedFile,
    info: FileInfo,
    { caller, kinds, place }: Arrival,
  ): Promise<PreparedFile> {
    const ownName = readName(file.name)
    const name = info.name ?? ownName
    const { mime, ...type } = await detect(file.path, extensionOf(ownName))
    this.#admit(mime, kinds)
    if (mime === 'image/svg+xml' && this.#options.active === 'sanitize') await sanitizeFile(file)
    const folder = `${file.path}.made`
    await mkdir(folder)
    const original = await this.#pictures.original(file.path, mime, folder, caller)
    const isLater = this.#options.images?.generateLater === true && original !== undefined
    const pictures = isLater ? noPictures : await this.#pictures.formats(file.path, mime, folder, caller)
    const hash = place?.hash ?? makeHash(name)
    // A file of the same type keeps its address; one of another type gets another extension.
    const ext = place !== undefined && typeOf(place.ext) === mime ? place.ext : type.ext
    const stored = original ?? { path: file.path, size: (await stat(file.path)).size }
    const { parts, formats } = this.formatsOf({ name, hash, ext, mime }, pictures)
    return {
      mime,
      parts: [{ key: `${hash}${ext}`, path: stored.path, size: stored.size }, ...parts],
      row: {
        ...info,
        name,
        width: original?.width ?? null,
        height: original?.height ?? null,
        formats,
        hash,
        ext,
        mime,
        size: kilobytes(stored.size),
        url: this.#provider.url(`${hash}${ext}`),
        provider: this.#provider.name,
        pendingFormats: isLater ? randomUUID() : null,
      },
    }
  }

  /** The smaller pictures of a file, as the provider stores them and as the row lists them. */
  formatsOf(
    {
      name,
      hash,
      ext,
      mime,
    }: { readonly name: string; readonly hash: string; readonly ext: string; readonly mime: string },
    pictures: ReadonlyMap<string, Picture>,
  ): { readonly parts: readonly StoredPart[]; readonly formats: Readonly<Record<string, Format>> | null } {
    const parts: StoredPart[] = []
    const formats: [string, Format][] = []
    for (const [format, { path, width, height, size }] of pictures) {
      const key = `${format}_${hash}${ext}`
      parts.push({ key, path, size })
      formats.push([
        format,
        {
          name: `${format}_${name}`,
          hash: `${format}_${hash}`,
          ext,
          mime,
          path: null,
          width,
          height,
          size: kilobytes(size),
          sizeInBytes: size,
          url: this.#provider.url(key),
        },
      ])
    }
    return { parts, formats: formats.length > 0 ? Object.fromEntries(formats) : null }
  }

  /** Hands all to the provider, or nothing. */
  async store(files: readonly PreparedFile[]): Promise<void> {
    const done: string[] = []
    try {
      for (const { parts, mime } of files) {
        for (const { key, ...part } of parts) {
          await this.#provider.put(key, { ...part, mime })
          done.push(key)
        }
      }
    } catch (error) {
      await this.discard(done)
      throw error
    }
  }

  /** Puts a file in the place of one that is there, or leaves that one as it was. */
  async replace(file: PreparedFile): Promise<void> {
    const former = await this.#copies(file)
    try {
      for (const { key, ...part } of file.parts) await this.#provider.put(key, { ...part, mime: file.mime })
    } catch (error) {
      await this.discard(file.parts.map(({ key }) => key).filter((key) => !former.has(key)))
      for (const [key, copy] of former) await this.#provider.put(key, { ...copy, mime: file.mime })
      throw error
    }
  }

  /** Copies of what is now kept under the keys of a file that replaces it. */
  async #copies({
    parts,
  }: PreparedFile): Promise<ReadonlyMap<string, { readonly path: string; readonly size: number }>> {
    const copies = new Map<string, { readonly path: string; readonly size: number }>()
    for (const { key, path } of parts) {
      const found = await this.#provider.open(key)
      if (!found) continue
      await writeFile(`${path}.former`, found.stream)
      copies.set(key, { path: `${path}.former`, size: found.size })
    }
    return copies
  }

  /** Removes what is kept under these keys. */
  async discard(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#provider.delete(key)))
  }

  /** @throws ValidationError for a type that is refused everywhere, or in this attribute. */
  #admit(mime: string, kinds: Kinds): void {
    const { allow, active } = this.#options
    const runs = mime === 'text/html' || mime === 'image/svg+xml'
    const refusesIt = runs && (active === 'refuse' || (active === 'sanitize' && mime === 'text/html'))
    const isListed = allow === undefined || allow.some((type) => covers(type, mime))
    if (refusesIt || !isListed)
      throw refused(
        'upload/type',
        `A file of the type ${mime} is not taken${allow ? `; ${allow.join(', ')} are` : ''}.`,
      )
    if (kinds && !kinds.includes(kindOf(mime)))
      throw refused('upload/type', `A file of the type ${mime} does not go there; ${kinds.join(', ')} do.`)
  }
}

/** The keys of a file and of its formats, as its row tells. */
export function keysOf(row: {
  readonly hash: string
  readonly ext: string
  readonly formats: unknown
}): readonly string[] {
  const formats = Object.values((row.formats ?? {}) as Readonly<Record<string, Partial<Format>>>)
  return [`${row.hash}${row.ext}`, ...formats.map(({ hash, ext }) => `${hash}${ext}`)]
}

/** Bytes of an SVG that is gone through. */
const maxSanitized = 2 * 1_048_576

async function sanitizeFile({ path, size }: ReceivedFile): Promise<void> {
  if (size > maxSanitized) throw refused('upload/type', `An SVG may have at most ${maxSanitized} bytes.`)
  await writeFile(path, sanitizedSvg(await readFile(path, 'utf8')))
}

/** `image/*` covers `image/png`. */
const covers = (pattern: string, mime: string): boolean =>
  pattern === mime || (pattern.endsWith('/*') && mime.startsWith(pattern.slice(0, -1)))

/** Kilobytes of 1,000 bytes, with two places. */
const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100
