/** MIME types of pictures that browsers show. TIFF, HEIC and the files of drawing programs are not among them. */
const shown: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])

/** Whether browsers show a file of a MIME type as a picture. */
export const isShown = (mime: unknown): boolean => shown.has(String(mime))
