import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { OctavoError } from '@octavo/core'
import pLimit from 'p-limit'
import sharp, { type Metadata, type Region, type Sharp } from 'sharp'
import type { ImageOptions, VariantFormat } from './options.ts'
import { refused, tooManyPixels } from './refused.ts'

export const defaultImages: ImageOptions = {
  breakpoints: { large: 1000, medium: 750, small: 500 },
  optimize: true,
  keepMetadata: false,
  concurrency: Math.max(1, availableParallelism() - 1),
}

/** The box that a thumbnail fits in. Source: BEHAVIOUR, "Upload". */
const thumbnail = { width: 245, height: 156 }

/** Of 100: how much of a picture is kept when it is encoded anew. */
const quality = 80

/** What can be encoded anew, by its type. */
const encoders = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
} as const

/** What smaller formats are made of: the above, and the first frame of a GIF. */
const resized: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'image/gif',
])

/** A picture on the disk, with its size in pixels as it is shown and in bytes. */
export interface Picture {
  readonly path: string
  readonly width: number
  readonly height: number
  readonly size: number
}

export interface Pictures {
  /** The picture as it is to be kept; `undefined` for what is no picture. */
  readonly original: Picture | undefined
  /** By name: `thumbnail`, `large`. */
  readonly smaller: ReadonlyMap<string, Picture>
}

export interface VariantSize {
  readonly width: number | undefined
  readonly height: number | undefined
  readonly format: VariantFormat
  /** In percent, from the upper left. */
  readonly focalPoint: { readonly x: number; readonly y: number } | undefined
}

/** Works on pictures: in libvips' own threads, so that requests go on meanwhile, and on so many at a time. */
export class ImageWorks {
  readonly #options: ImageOptions
  readonly #pixels: number
  readonly #queue: ReturnType<typeof pLimit>

  constructor(options: ImageOptions, pixels: number) {
    this.#options = options
    this.#pixels = pixels
    this.#queue = pLimit(Math.max(1, options.concurrency))
  }

  /**
   * Makes all that is kept of an uploaded file.
   * @param folder Where what is made is put.
   * @throws PayloadTooLargeError before anything is decoded; ValidationError for a broken picture.
   */
  process(file: string, mime: string, folder: string): Promise<Pictures> {
    return this.#queue(async () => {
      if (mime === 'image/svg+xml') return { original: await this.#drawing(file), smaller: new Map() }
      if (!mime.startsWith('image/')) return { original: undefined, smaller: new Map() }
      try {
        return await this.#raster(file, mime, folder)
      } catch (error) {
        throw asRefusal(error, this.#pixels)
      }
    })
  }

  /** Makes a variant of a picture. */
  variant(file: string, { width, height, format, focalPoint }: VariantSize, target: string): Promise<void> {
    return this.#queue(async () => {
      const image = this.#open(file)
      const upright = image.autoOrient()
      if (width !== undefined && height !== undefined && focalPoint !== undefined)
        upright.extract(around(focalPoint, { width, height }, shownSize(await image.metadata())))
      await upright
        .resize({
          ...(width && { width }),
          ...(height && { height }),
          fit: 'cover',
          withoutEnlargement: true,
        })
        [format]({ quality })
        .toFile(target)
    })
  }

  #open(file: string, animated = false): Sharp {
    return sharp(file, { limitInputPixels: this.#pixels, animated, failOn: 'error', sequentialRead: true })
  }

  async #raster(file: string, mime: string, folder: string): Promise<Pictures> {
    const metadata = await this.#open(file).metadata()
    const pages = metadata.pages ?? 1
    if (metadata.width * metadata.height * pages > this.#pixels) throw tooManyPixels(this.#pixels)
    const size = shownSize(metadata)
    const original = await this.#kept(file, mime, folder, size, pages > 1)
    const smaller = new Map<string, Picture>()
    if (!resized.has(mime)) return { original, smaller }
    if (size.width > thumbnail.width || size.height > thumbnail.height)
      smaller.set('thumbnail', await this.#fit(file, thumbnail, path.join(folder, 'thumbnail')))
    for (const [name, length] of Object.entries(this.#options.breakpoints)) {
      if (size.width > length || size.height > length)
        smaller.set(name, await this.#fit(file, { width: length, height: length }, path.join(folder, name)))
    }
    return { original, smaller }
  }

  /** The file as it is, or encoded anew. */
  async #kept(
    file: string,
    mime: string,
    folder: string,
    size: { readonly width: number; readonly height: number },
    animated: boolean,
  ): Promise<Picture> {
    const encoder = encoders[mime as keyof typeof encoders]
    if (!this.#options.optimize || !encoder) {
      // Decoded all the same: a picture that cannot be shown is not taken.
      const { size: bytes } = await stat(file)
      await this.#open(file).resize(1).raw().toBuffer()
      return { path: file, ...size, size: bytes }
    }
    const target = path.join(folder, 'original')
    const image = this.#withMetadata(this.#open(file, animated).autoOrient())
    const made = await image[encoder]({ quality }).toFile(target)
    return { path: target, width: made.width, height: made.pageHeight ?? made.height, size: made.size }
  }

  async #fit(
    file: string,
    box: { readonly width: number; readonly height: number },
    target: string,
  ): Promise<Picture> {
    // A target without an extension gets the format of what was read.
    const image = this.#open(file)
      .autoOrient()
      .resize({ ...box, fit: 'inside' })
    const { width, height, size } = await this.#withMetadata(image).toFile(target)
    return { path: target, width, height, size }
  }

  #withMetadata(image: Sharp): Sharp {
    return this.#options.keepMetadata ? image.keepMetadata() : image
  }

  /** An SVG has a size only when it says so. */
  async #drawing(file: string): Promise<Picture | undefined> {
    const { size } = await stat(file)
    const known = await sharp(file, { limitInputPixels: false })
      .metadata()
      .catch(() => undefined)
    return known && { path: file, width: known.width, height: known.height, size }
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** As EXIF turns it. */
const shownSize = ({ width, height, autoOrient }: Metadata): Size => autoOrient ?? { width, height }

/** The largest part of a picture that has the shape of `box` and the focal point as near its middle as can be. */
function around({ x, y }: { readonly x: number; readonly y: number }, box: Size, picture: Size): Region {
  const scale = Math.min(picture.width / box.width, picture.height / box.height)
  const width = Math.max(1, Math.min(picture.width, Math.round(box.width * scale)))
  const height = Math.max(1, Math.min(picture.height, Math.round(box.height * scale)))
  const start = (percent: number, whole: number, part: number): number =>
    Math.round(Math.min(Math.max((percent / 100) * whole - part / 2, 0), whole - part))
  return { left: start(x, picture.width, width), top: start(y, picture.height, height), width, height }
}

/** sharp tells all in words: what is wrong with the picture is the client's business, what is wrong with the disk is ours. */
function asRefusal(error: unknown, pixels: number): unknown {
  if (!(error instanceof Error) || error instanceof OctavoError) return error
  if (/exceeds pixel limit/i.test(error.message)) return tooManyPixels(pixels)
  if (/no space left|permission denied|read-only file system|quota exceeded/i.test(error.message))
    return error
  return refused('upload/broken-image', 'The picture cannot be read: it is damaged or cut off.', error)
}
