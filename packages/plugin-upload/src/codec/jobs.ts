import type { VariantFormat } from '../options.ts'

/** A picture on the disk, with its size as it is shown. */
export interface Picture {
  readonly path: string
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  /** Bytes. */
  readonly size: number
}

/** A point of a picture, in percent from the upper left. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

interface Source {
  readonly file: string
  /** Width times height, over all frames. A picture with more is refused before it is decoded. */
  readonly maxPixels: number
}

const decoded: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/tiff',
  'image/gif',
  'image/avif',
])

/**
 * Whether pictures of a MIME type are decoded. sharp has no codec for icons, the photos of some telephones and the files of drawing programs, which
 * are stored like other files. An SVG is measured only.
 */
export const isDecoded = (mime: string): boolean => decoded.has(mime)

/** A job for sharp. */
export type PictureJob =
  /** Writes the picture that is stored in place of the uploaded one to `folder`. */
  | (Source & {
      readonly kind: 'original'
      readonly mime: string
      readonly folder: string
      readonly optimize: boolean
      readonly keepMetadata: boolean
    })
  /** Writes smaller pictures to `folder`, each under its name. */
  | (Source & {
      readonly kind: 'formats'
      readonly mime: string
      readonly folder: string
      /** The length of the longer side in pixels, by name. */
      readonly breakpoints: Readonly<Record<string, number>>
      readonly keepMetadata: boolean
    })
  /** Writes one picture of a given size to `target`. */
  | (Source & {
      readonly kind: 'variant'
      readonly target: string
      readonly width: number | undefined
      readonly height: number | undefined
      readonly format: VariantFormat
      readonly focalPoint: FocalPoint | undefined
    })
  /** Measures an SVG. */
  | { readonly kind: 'drawing'; readonly file: string }

/** Removes from an SVG, in its place, all that runs or leads elsewhere. */
export interface SanitizeJob {
  readonly kind: 'sanitize'
  readonly file: string
}

/** The message to the codec process: plain data, since it is serialised. */
export type CodecJob = PictureJob | SanitizeJob

/** The result of the codec process. */
export type JobResult =
  | { readonly kind: 'done'; readonly pictures: readonly (readonly [name: string, Picture])[] }
  | { readonly kind: 'too-many-pixels' }
  /** A drawing with more elements within each other than the limit. */
  | { readonly kind: 'too-deep'; readonly limit: number }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'disk-full'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
