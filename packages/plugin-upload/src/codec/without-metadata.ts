/** Removes metadata from animations that are stored as they came: to encode them again would take long, and lose quality. */

/** Chunks of a PNG that decide how it looks. Others are EXIF, texts and the time. */
const shownChunks: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Extensions of a GIF by their first bytes: the times of frames, repetitions, and the colour profile. Others are comments and XMP. */
const shownExtensions = ['\x21\xf9', '\x21\xff\x0bNETSCAPE', '\x21\xff\x0bANIMEXTS', '\x21\xff\x0bICCRGBG1']

const gifEnd = 0x3b

/** The parts of a picture without its metadata, by MIME type. A damaged picture ends where it cannot be read. */
export const withoutMetadata: Readonly<Record<string, (picture: Buffer) => Iterable<Buffer>>> = {
  'image/apng': partsOfPng,
  'image/gif': partsOfGif,
}

function* partsOfPng(picture: Buffer): Generator<Buffer> {
  let at = 8
  yield picture.subarray(0, at)
  while (at + 12 <= picture.length) {
    const name = picture.toString('latin1', at + 4, at + 8)
    const end = at + 12 + picture.readUInt32BE(at)
    if (shownChunks.has(name)) yield picture.subarray(at, end)
    at = name === 'IEND' ? picture.length : end
  }
}

function* partsOfGif(picture: Buffer): Generator<Buffer> {
  let at = 13 + tableSize(picture[10])
  yield picture.subarray(0, at)
  for (;;) {
    const isImage = picture[at] === 0x2c
    if (!isImage && picture[at] !== 0x21) break
    // An image has a descriptor, a table of colours, and the size of its codes before its blocks.
    const end = endOfBlocks(picture, isImage ? at + 11 + tableSize(picture[at + 9]) : at + 2)
    const beginning = picture.toString('latin1', at, at + 11)
    if (isImage || shownExtensions.some((shown) => beginning.startsWith(shown)))
      yield picture.subarray(at, end)
    at = end
  }
  yield Buffer.from([gifEnd])
}

/** The bytes of a table of colours, by the flags that announce it. */
const tableSize = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** Each block begins with its length; the last one is empty. */
function endOfBlocks(picture: Buffer, start: number): number {
  let at = start
  for (let length = picture[at]; length !== undefined && length > 0; length = picture[at]) at += 1 + length
  return at + 1
}
