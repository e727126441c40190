import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import mime from 'mime'

/** What a file is, by what is in it. */
export interface DetectedType {
  readonly mime: string
  /** With its dot; what the file is kept under. */
  readonly ext: string
}

/** Bytes from the start of a file that tell whether it is text, and whether a browser would run it. */
const headBytes = 65_536

/** Elements by which a browser takes a text for a page, whatever else is in it. */
const pageMarks = /<(?:!doctype\s+html|html|head|body|script|iframe|object|embed|meta|link|base|form)[\s>/]/i

/** Text formats in which tags may stand: they are served as what they are, and no browser runs that. */
const plainExtensions: ReadonlySet<string> = new Set(['.txt', '.md', '.markdown', '.csv', '.json'])

/**
 * Tells the type by the content, whatever a client says. The extension of the name is kept where it fits what the file
 * is; else it gets the one of its type, so that nothing is ever served as what it only claims to be.
 *
 * @param extension Of the name: `.png` or empty.
 */
export async function detect(file: string, extension: string): Promise<DetectedType> {
  const found = await fileTypeFromFile(file)
  // Of XML file-type knows no more than that it is.
  if (found && found.mime !== 'application/xml') return named(found.mime, `.${found.ext}`, extension)
  const text = textOf(await headOf(file))
  const claimed = typeOf(extension)
  if (text === undefined) {
    // Bytes of no known type: an extension that promises a picture would be a lie.
    const keeps = claimed === undefined || claimed.startsWith('application/')
    return { mime: 'application/octet-stream', ext: keeps && extension !== '' ? extension : '.bin' }
  }
  if (!plainExtensions.has(extension)) {
    const [, root = ''] = /<([a-z][\w:-]*)/i.exec(text) ?? []
    if (/^(?:\w+:)?svg$/i.test(root) || (extension === '.svg' && root !== ''))
      return { mime: 'image/svg+xml', ext: '.svg' }
    if (pageMarks.test(text) && extension !== '.xml') return { mime: 'text/html', ext: '.html' }
  }
  if (claimed !== undefined && isTextual(claimed)) return { mime: claimed, ext: extension }
  return { mime: 'text/plain', ext: claimed === undefined && extension !== '' ? extension : '.txt' }
}

/** The type that an extension stands for. */
export const typeOf = (extension: string): string | undefined => mime.getType(extension) ?? undefined

/** Keeps `.jpeg` for what file-type calls `.jpg`, and refuses `.html` for a PNG. */
function named(type: string, ownExtension: string, extension: string): DetectedType {
  return { mime: type, ext: typeOf(extension) === type ? extension : ownExtension }
}

const isTextual = (type: string): boolean =>
  (type.startsWith('text/') && type !== 'text/html') ||
  /^application\/(?:json|.+\+json|xml|yaml|sql|x-sh)$/.test(type)

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The text in UTF-8 or UTF-16 that bytes are; `undefined` when they are none. */
function textOf(head: Buffer): string | undefined {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    // A character may be cut off at the end of the head, which `stream` lets pass.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
