import { createRequire } from 'node:module'
import { ServiceUnavailableError } from '@octavo/core'
import { withPath } from '@octavo/core/internal'
import type { ImageOptions, UploadLimits, VariantFormat } from '../options.ts'
import { problem } from '../problems.ts'
import { CodecProcesses, JobTimeout, NoProcess } from './codec-processes.ts'
import { FairQueue } from './fair-queue.ts'
import { type CodecJob, type FocalPoint, isDecoded, type Picture, type PictureJob } from './jobs.ts'

export const defaultImages: ImageOptions = {
  breakpoints: { large: 1000, medium: 750, small: 500 },
  optimize: true,
  keepMetadata: false,
  concurrency: 2,
  generateLater: false,
}

/** A picture that is fetched when it is worked on, so that those that wait take no room on the disk. */
interface FetchedPicture {
  /** The file into which `fetch` puts the picture. */
  readonly path: string
  readonly mime: string
  readonly fetch: () => Promise<void>
}

export interface VariantSize {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly format: VariantFormat
  readonly focalPoint: FocalPoint | undefined
}

/** The caller of background work: formats that are made later. */
export const background = 'background'

/** Whether sharp is there to be loaded. */
export function isSharpInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp')
    return true
  } catch {
    return false
  }
}

/** The file or folder into which a job writes. */
function placeOf(job: CodecJob): string {
  if (job.kind === 'variant') return job.target
  return 'folder' in job ? job.folder : job.file
}

/** Makes pictures of pictures, within limits of pixels and time, and with a turn for each caller. */
export class PictureService {
  readonly #options: ImageOptions
  readonly #limits: UploadLimits
  readonly #queue: FairQueue
  readonly #processes: CodecProcesses

  constructor(options: ImageOptions, limits: UploadLimits, processes = new CodecProcesses()) {
    this.#processes = processes
    this.#options = options
    this.#limits = limits
    this.#queue = new FairQueue(Math.max(1, options.concurrency), limits.waitingPictures)
  }

  /**
   * The picture that is stored in place of an uploaded one; `undefined` for a file that is not decoded.
   * @param folder Where the new file is put.
   * @throws PayloadTooLargeError before anything is decoded, or when it takes too long; ValidationError for a broken picture
   */
  async original(file: string, mime: string, folder: string, caller: string): Promise<Picture | undefined> {
    if (mime === 'image/svg+xml') return this.#measureDrawing(file, caller)
    if (!isDecoded(mime)) return undefined
    const { optimize, keepMetadata } = this.#options
    const made = await this.#run(
      { kind: 'original', file, mime, folder, optimize, keepMetadata, maxPixels: this.#pixelsOf(mime) },
      caller,
    )
    return made.get('original')
  }

  /** Smaller pictures, by name: `thumbnail`, `large`. Empty for a file that is not decoded. @throws as {@link original} */
  async formats(
    file: string,
    mime: string,
    folder: string,
    caller: string,
  ): Promise<ReadonlyMap<string, Picture>> {
    if (!isDecoded(mime)) return new Map()
    const { breakpoints, keepMetadata } = this.#options
    const maxPixels = this.#pixelsOf(mime)
    return this.#run({ kind: 'formats', file, mime, folder, breakpoints, keepMetadata, maxPixels }, caller)
  }

  /**
   * Removes scripts and external references from an SVG, in its place.
   * @throws ValidationError for a drawing that is too deep; PayloadTooLargeError when it takes too long
   */
  async sanitize(file: string, caller: string): Promise<void> {
    await this.#run({ kind: 'sanitize', file }, caller)
  }

  /** Writes a variant of a picture to `target`. @throws as {@link original}, and the errors of `fetch` */
  async variant(
    { path: file, mime, fetch }: FetchedPicture,
    size: VariantSize,
    target: string,
    caller: string,
  ): Promise<void> {
    const job: PictureJob = { kind: 'variant', file, target, ...size, maxPixels: this.#pixelsOf(mime) }
    await this.#run(job, caller, fetch)
  }

  close(): Promise<void> {
    return this.#processes.close()
  }

  /** An SVG has a size only when it declares one; without sharp, and for a drawing that takes too long, it has none. */
  async #measureDrawing(file: string, caller: string): Promise<Picture | undefined> {
    try {
      return (await this.#run({ kind: 'drawing', file }, caller)).get('original')
    } catch (error) {
      if (error instanceof ServiceUnavailableError) throw error
      return undefined
    }
  }

  #pixelsOf(mime: string): number {
    const { pixels, pixelsByType } = this.#limits
    return Math.min(pixels, pixelsByType[mime] ?? pixels)
  }

  /** @param prepare Runs first, when it is the job's turn. */
  async #run(
    job: CodecJob,
    caller: string,
    prepare?: () => Promise<void>,
  ): Promise<ReadonlyMap<string, Picture>> {
    if (caller !== background && this.#queue.isFull(caller)) throw problem('upload/busy')
    const { pictureTime } = this.#limits
    const result = await this.#queue
      .run(caller, async () => {
        await prepare?.()
        return this.#processes.run(job, pictureTime)
      })
      .catch((error: unknown) => {
        if (error instanceof JobTimeout) throw problem('upload/picture-time', { time: pictureTime })
        throw error instanceof NoProcess ? problem('upload/unavailable', {}, { cause: error }) : error
      })
    switch (result.kind) {
      case 'done':
        return new Map(result.pictures)
      case 'too-many-pixels':
        throw problem('upload/too-many-pixels', {
          limit: 'maxPixels' in job ? job.maxPixels : this.#limits.pixels,
        })
      case 'too-deep':
        throw problem('upload/type', {
          message: `An SVG may have at most ${result.limit} elements within each other.`,
        })
      case 'broken':
        throw problem('upload/broken-image', {}, { cause: new Error(result.reason) })
      case 'not-installed':
        throw problem('upload/no-codec')
      case 'disk-full':
        // With the system's code, by which the server knows a full disk.
        throw withPath(Object.assign(new Error(result.reason), { code: 'ENOSPC' }), placeOf(job))
      case 'failed':
        throw new Error(result.reason)
    }
  }
}
