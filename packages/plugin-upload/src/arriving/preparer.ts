import { randomUUID } from 'node:crypto'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ReceivedFile } from '@octavo/server'
import type { Picture } from '../codec/jobs.ts'
import type { PictureService } from '../codec/picture-service.ts'
import { kindOf, type MediaKind } from '../content-type/media-type.ts'
import { attributesOf, type FileInfo } from '../files/info.ts'
import { formatsOf, kilobytes, type PreparedFile } from '../files/record.ts'
import type { UploadOptions } from '../options.ts'
import { problem } from '../problems.ts'
import { extensionOf, makeHash, readName } from '../storage/names.ts'
import type { StorageProvider } from '../storage/provider.ts'
import { detect, typeOf } from './detect.ts'

/** The kinds of files that a media attribute takes; `undefined`: all. */
export type Kinds = readonly MediaKind[] | undefined

/** The names of a replaced file, which the new one takes over. */
export interface ReplacedName {
  readonly hash: string
  readonly ext: string
}

/** The caller of arriving files, the kinds that are accepted, and the file that is replaced. */
export interface Arrival {
  /** Pictures of the same caller wait for each other. */
  readonly caller: string
  readonly kinds?: Kinds
  /** The file that is replaced. */
  readonly place?: ReplacedName
}

/** The largest SVG that is sanitised, in bytes. */
const maxSanitized = 2 * 1_048_576

const noPictures: ReadonlyMap<string, Picture> = new Map()

/** Checks files that arrived, makes their pictures and the rows that describe them. */
export class Preparer {
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
   * @param info The declarations of the client for each file, in order.
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
    if (mime === 'image/svg+xml' && this.#options.active === 'sanitize') await this.#sanitize(file, caller)
    const folder = `${file.path}.made`
    await mkdir(folder)
    const original = await this.#pictures.original(file.path, mime, folder, caller)
    const isLater = this.#options.images?.generateLater === true && original !== undefined
    const pictures = isLater ? noPictures : await this.#pictures.formats(file.path, mime, folder, caller)
    const hash = place?.hash ?? makeHash(name, path.extname(ownName) || type.ext)
    // A file of the same type keeps its address; a file of another type gets another extension.
    const ext = place !== undefined && typeOf(place.ext) === mime ? place.ext : type.ext
    const stored = original ?? { path: file.path, size: (await stat(file.path)).size }
    const { parts, formats } = formatsOf({ name, hash, ext, mime }, pictures, this.#provider)
    return {
      mime,
      parts: [{ key: `${hash}${ext}`, path: stored.path, size: stored.size }, ...parts],
      row: {
        ...attributesOf(info),
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

  async #sanitize({ path, size }: ReceivedFile, caller: string): Promise<void> {
    if (size > maxSanitized)
      throw problem('upload/type', { message: `An SVG may have at most ${maxSanitized} bytes.` })
    await this.#pictures.sanitize(path, caller)
  }

  /** @throws ValidationError for a type that is refused everywhere, or in this attribute. */
  #admit(mime: string, kinds: Kinds): void {
    const { allow, active } = this.#options
    const runs = mime === 'text/html' || mime === 'image/svg+xml'
    const refusesIt = runs && (active === 'refuse' || (active === 'sanitize' && mime === 'text/html'))
    const isListed = allow === undefined || allow.some((type) => covers(type, mime))
    if (refusesIt || !isListed)
      throw problem('upload/type', {
        message: `A file of the type ${mime} is not accepted${allow ? `; accepted types: ${allow.join(', ')}` : ''}.`,
      })
    if (kinds && !kinds.includes(kindOf(mime)))
      throw problem('upload/type', {
        message: `A file of the type ${mime} does not go there; ${kinds.join(', ')} do.`,
      })
  }
}

/** `image/*` covers `image/png`. */
const covers = (pattern: string, mime: string): boolean =>
  pattern === mime || (pattern.endsWith('/*') && mime.startsWith(pattern.slice(0, -1)))
