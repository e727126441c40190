/** Decodes and encodes pictures with sharp. Only the process of codecs imports this file. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Metadata, type Region, type Sharp } from 'sharp'
import { failure } from './failure.ts'
import type { JobResult, Picture, PictureJob } from './jobs.ts'
import { withoutMetadata } from './without-metadata.ts'

// The server continues to answer requests: a picture uses one core, and its memory is freed afterwards.
sharp.concurrency(1)
sharp.cache(false)

/** The box that a thumbnail fits in, in pixels. Source: docs/contract/accounts-and-files.md#files. */
const thumbnail = { width: 245, height: 156 }

/** The quality of encoded pictures, of 100. */
const quality = 80

/**
 * The encoding of originals, by type. AVIF at the default effort takes 7 s for each million pixels, at 0 a quarter of
 * a second, and the file is a tenth larger.
 */
const encoders: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality }),
  'image/png': (image) => image.png({ quality }),
  'image/webp': (image) => image.webp({ quality }),
  'image/tiff': (image) => image.tiff({ quality }),
  'image/avif': (image) => image.avif({ quality, effort: 0 }),
}

/** Types that smaller formats are made of: of a GIF, its first frame. */
const resized: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'image/gif',
])

interface Size {
  readonly width: number
  readonly height: number
}

/** Does a job. A picture that cannot be read is a result, not an error. */
export async function run(job: PictureJob): Promise<JobResult> {
  try {
    return { kind: 'done', pictures: await pictures(job) }
  } catch (error) {
    return failure(error)
  }
}

async function pictures(job: PictureJob): Promise<readonly (readonly [string, Picture])[]> {
  switch (job.kind) {
    case 'drawing': {
      const { width, height } = await sharp(job.file, { limitInputPixels: false }).metadata()
      return [['original', { path: job.file, width, height, size: (await stat(job.file)).size }]]
    }
    case 'original':
      return [['original', await original(job, await measured(job))]]
    case 'formats':
      return formats(job, await measured(job))
    case 'variant':
      return [['variant', await variant(job, await measured(job))]]
  }
}

const open = ({ file, maxPixels }: { readonly file: string; readonly maxPixels: number }, animated = false) =>
  sharp(file, { limitInputPixels: maxPixels, animated, failOn: 'error', sequentialRead: true })

/** Reads the header alone. @throws Error for a picture over the limit */
async function measured(job: { readonly file: string; readonly maxPixels: number }): Promise<Metadata> {
  const metadata = await open(job).metadata()
  if (metadata.width * metadata.height * (metadata.pages ?? 1) > job.maxPixels)
    throw new Error('Input image exceeds pixel limit')
  return metadata
}

/** The picture unchanged, or re-encoded. */
async function original(
  job: Extract<PictureJob, { kind: 'original' }>,
  metadata: Metadata,
): Promise<Picture> {
  const encode = encoders[job.mime]
  if (!job.optimize || !encode) {
    // A picture that cannot be decoded is refused even where it is stored as it is.
    await open(job).resize(1).raw().toBuffer()
    const partsOf = job.optimize && !job.keepMetadata ? withoutMetadata[job.mime] : undefined
    if (!partsOf) return { path: job.file, ...shownSize(metadata), size: (await stat(job.file)).size }
    const target = path.join(job.folder, 'original')
    await writeFile(target, partsOf(await readFile(job.file)))
    const { width, height } = metadata // without EXIF there is no rotation
    return { path: target, width, height, size: (await stat(target)).size }
  }
  const target = path.join(job.folder, 'original')
  const image = withMetadata(open(job, (metadata.pages ?? 1) > 1).autoOrient(), job.keepMetadata)
  const made = await encode(image).toFile(target)
  return { path: target, width: made.width, height: made.pageHeight ?? made.height, size: made.size }
}

async function formats(
  job: Extract<PictureJob, { kind: 'formats' }>,
  metadata: Metadata,
): Promise<readonly (readonly [string, Picture])[]> {
  if (!resized.has(job.mime)) return []
  const size = shownSize(metadata)
  const boxes: readonly (readonly [string, Size])[] = [
    ['thumbnail', thumbnail],
    ...Object.entries(job.breakpoints).map(
      ([name, length]) => [name, { width: length, height: length }] as const,
    ),
  ]
  const made: (readonly [string, Picture])[] = []
  for (const [name, box] of boxes) {
    if (size.width <= box.width && size.height <= box.height) continue
    // A target without an extension gets the format of the source.
    const image = open(job)
      .autoOrient()
      .resize({ ...box, fit: 'inside' })
    const target = path.join(job.folder, name)
    const { width, height, size: bytes } = await withMetadata(image, job.keepMetadata).toFile(target)
    made.push([name, { path: target, width, height, size: bytes }])
  }
  return made
}

async function variant(job: Extract<PictureJob, { kind: 'variant' }>, metadata: Metadata): Promise<Picture> {
  const { width, height, format, focalPoint, target } = job
  const upright = open(job).autoOrient()
  if (width !== undefined && height !== undefined && focalPoint !== undefined)
    upright.extract(around(focalPoint, { width, height }, shownSize(metadata)))
  const made = await upright
    .resize({
      ...(width && { width }),
      ...(height && { height }),
      fit: 'cover',
      withoutEnlargement: true,
    })
    [format]({ quality })
    .toFile(target)
  return { path: target, width: made.width, height: made.height, size: made.size }
}

const withMetadata = (image: Sharp, keeps: boolean): Sharp => (keeps ? image.keepMetadata() : image)

/** The size after the EXIF rotation. */
const shownSize = ({ width, height, autoOrient }: Metadata): Size => autoOrient ?? { width, height }

/** The largest part of a picture that has the shape of `box` and the focal point as near its middle as possible. */
function around({ x, y }: { readonly x: number; readonly y: number }, box: Size, picture: Size): Region {
  const scale = Math.min(picture.width / box.width, picture.height / box.height)
  const width = Math.max(1, Math.min(picture.width, Math.round(box.width * scale)))
  const height = Math.max(1, Math.min(picture.height, Math.round(box.height * scale)))
  const start = (percent: number, whole: number, part: number): number =>
    Math.round(Math.min(Math.max((percent / 100) * whole - part / 2, 0), whole - part))
  return { left: start(x, picture.width, width), top: start(y, picture.height, height), width, height }
}
