import { accepts, type FurtherAttributes, type KeysOf } from '@octavo/core/internal'
import type { StorageProvider } from './storage/provider.ts'

export interface UploadOptions {
  /** The storage of files. Default: `localDisk()`, the folder `public/uploads`. */
  readonly provider?: StorageProvider
  readonly limits?: Partial<UploadLimits>
  /** The accepted types, such as `image/*` or `application/pdf`, detected from the content. Default: every type. */
  readonly allow?: readonly string[]
  /**
   * SVG and HTML can run scripts. `attachment` stores them unchanged and serves them as attachments in a sandbox;
   * `sanitize` removes scripts from uploaded SVG and refuses HTML; `refuse` refuses both. Default `attachment`.
   */
  readonly active?: 'attachment' | 'sanitize' | 'refuse'
  readonly images?: Partial<ImageOptions>
  /** Pictures in other sizes and formats, made at the first request: `/uploads/<hash>?w=640&format=webp`. Default: none. */
  readonly variants?: VariantOptions
  /** Adds `focalPoint` (`{ x, y }`, percent from the upper left) to files; cropped variants keep it in view. Default false. */
  readonly focalPoint?: boolean
  /**
   * Further attributes of a file: here, or in a file, such as an existing project's
   * `src/extensions/upload/content-types/file/schema.json`. They do not replace attributes that a file already has: a warning names those of another type. Default none.
   */
  readonly file?: FurtherAttributes
}

export interface UploadLimits {
  /** Bytes of one file. Default 209,715,200. */
  readonly fileSize: number
  /** Files of one request. Default 20. */
  readonly files: number
  /** Width times height of a picture, over all frames. A larger picture is refused before it is decoded. Default 100,000,000. */
  readonly pixels: number
  /**
   * Maximum pixels of pictures whose codecs take much longer, by MIME type. Default `{ 'image/avif': 25_000_000 }`. It lowers
   * `pixels` and never raises it.
   */
  readonly pixelsByType: Readonly<Record<string, number>>
  /**
   * Milliseconds that one picture may be worked on, and again its formats; an SVG may be sanitised for as long. The work is
   * then killed and the upload refused with 413. Default 30,000.
   */
  readonly pictureTime: number
  /** Pictures of one caller that may wait for their turn; the next upload is answered with 503. Default 50. */
  readonly waitingPictures: number
  /** Milliseconds without a byte from the client after which an upload is refused with 408. Default 30,000. */
  readonly idle: number
}

export interface ImageOptions {
  /** Names of the smaller formats and the length of their longer side, in pixels. Default large 1000, medium 750, small 500. */
  readonly breakpoints: Readonly<Record<string, number>>
  /**
   * Whether pictures are re-encoded with quality 80, which applies the EXIF orientation and removes metadata such as place
   * and camera. Default true. With false the uploaded bytes are stored.
   */
  readonly optimize: boolean
  /** Keeps EXIF, XMP and colour profile in re-encoded pictures. Default false. */
  readonly keepMetadata: boolean
  /** Pictures that are processed at once, each in its own process, and at most one of each caller. Default 2. */
  readonly concurrency: number
  /**
   * Makes the smaller formats after the response to the upload. `formats` is null until then. Formats that are pending when
   * the server stops are made after its next start. Default false.
   */
  readonly generateLater: boolean
}

export interface VariantOptions {
  /** The sizes that clients may request, in pixels: `[{ width: 320 }, { width: 640, height: 360 }]`. With both, the picture is cropped. */
  readonly sizes: readonly { readonly width?: number; readonly height?: number }[]
  /** The formats that clients may request. Default webp and avif. */
  readonly formats?: readonly VariantFormat[]
}

export type VariantFormat = 'webp' | 'avif' | 'jpeg' | 'png'

export const defaultLimits: UploadLimits = {
  fileSize: 200 * 1_048_576,
  files: 20,
  pixels: 100_000_000,
  pixelsByType: { 'image/avif': 25_000_000 },
  pictureTime: 30_000,
  waitingPictures: 50,
  idle: 30_000,
}

/** The names of the options. A new option without a row does not compile. */
export const optionKeys = {
  provider: true,
  limits: {
    fileSize: accepts.size,
    files: accepts.wholeNumber(1),
    pixels: accepts.size,
    pixelsByType: { '*': accepts.size },
    pictureTime: accepts.wholeNumber(1),
    waitingPictures: accepts.wholeNumber(0),
    idle: accepts.wholeNumber(1),
  },
  allow: accepts.texts('image/*'),
  active: accepts.oneOf('attachment', 'sanitize', 'refuse'),
  images: {
    breakpoints: { '*': accepts.wholeNumber(1) },
    optimize: accepts.flag,
    keepMetadata: accepts.flag,
    concurrency: accepts.wholeNumber(1),
    generateLater: accepts.flag,
  },
  variants: {
    sizes: accepts.listOf({ width: accepts.wholeNumber(1), height: accepts.wholeNumber(1) }),
    formats: accepts.texts('webp'),
  },
  focalPoint: accepts.flag,
  file: true,
} as const satisfies KeysOf<UploadOptions>
