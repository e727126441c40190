import { open } from 'node:fs/promises'
import mime from 'mime'
import { encodingOf } from '../codec/text-encoding.ts'
import { withoutCharacterData } from './character-data.ts'

/** The type of a file, detected from its content. */
export interface DetectedType {
  readonly mime: string
  /** The extension that the file is stored under, with its dot. */
  readonly ext: string
}

/** Bytes from the start of a file that decide whether it is text, and whether a browser would run it. */
const headBytes = 65_536

/** Elements that make a browser render a text as a page, whatever else the text contains. */
const pageMarks = /<(?:!doctype\s+html|html|head|body|script|iframe|object|embed|meta|link|base|form)[\s>/]/i

/** Namespaces and instructions with which an XML document runs scripts or loads a style sheet in a browser. */
const activeXml = /www\.w3\.org\/(?:1999\/xhtml|2000\/svg|1999\/XSL|1998\/Math)|<\?xml-stylesheet/i

/**
 * Detects the type from the content, whatever the client declares. The extension of the name is kept where it fits the
 * content; otherwise the file gets the extension of the detected type, so that no file is served as a type that it is not.
 *
 *     route.gpx, XML                     → application/gpx+xml, .gpx
 *     route.gpx, XML with XHTML in it    → text/plain, .txt
 *     photo.png, an HTML page            → text/html, .html
 *
 * @param extension The extension of the file's name: `.png`, or empty.
 */
export async function detect(file: string, extension: string): Promise<DetectedType> {
  const { fileTypeFromFile, supportedMimeTypes } = await import('file-type')
  const found = await fileTypeFromFile(file)
  const claimed = typeOf(extension)
  const isInert = claimed !== undefined && isInertText(claimed, supportedMimeTypes)
  // file-type recognises XML but not its vocabulary, and a few text formats by their first line.
  const isCertain = found && found.mime !== 'application/xml' && !(found.mime.startsWith('text/') && isInert)
  if (isCertain) return named(found.mime, `.${found.ext}`, extension)
  const text = textOf(await headOf(file))
  if (text === undefined) {
    // Bytes of no known type: the extension of a picture would be wrong.
    const keeps = claimed === undefined || claimed.startsWith('application/')
    return { mime: 'application/octet-stream', ext: keeps && extension !== '' ? extension : '.bin' }
  }
  if (isInert) return { mime: claimed, ext: extension }
  const markup = isXml(claimed) ? withoutCharacterData(text) : text
  const [, root = ''] = /<([a-z][\w:-]*)/i.exec(markup) ?? []
  if (/^(?:\w+:)?svg$/i.test(root) || (extension === '.svg' && root !== ''))
    return { mime: 'image/svg+xml', ext: '.svg' }
  if (pageMarks.test(markup) && extension !== '.xml') return { mime: 'text/html', ext: '.html' }
  if (claimed === undefined) return { mime: 'text/plain', ext: extension === '' ? '.txt' : extension }
  const keepsType = isXml(claimed)
    ? extension === '.xml' || !activeXml.test(markup)
    : /^(?:text|message)\//.test(claimed) && claimed !== 'text/html'
  return keepsType ? { mime: claimed, ext: extension } : { mime: 'text/plain', ext: '.txt' }
}

/** The MIME type of an extension. */
export const typeOf = (extension: string): string | undefined => mime.getType(extension) ?? undefined

/** Whether the extension fits the type: `.jpeg` fits file-type's `.jpg`, `.html` does not fit a PNG. */
function named(type: string, ownExtension: string, extension: string): DetectedType {
  return { mime: type, ext: typeOf(extension) === type ? extension : ownExtension }
}

/** XML vocabularies that no browser renders as a page: `application/gpx+xml`. */
const isXml = (type: string | undefined): boolean =>
  type !== undefined && /^(?:application|model)\/(?:xml$|.+\+xml$)/.test(type) && !/xhtml|xslt/.test(type)

/** Types that may contain tags and are served as they are, since browsers run nothing of them. */
function isInertText(type: string, binaryTypes: ReadonlySet<string>): boolean {
  if (/html|xml|script|wasm|flash|mathml/.test(type)) return false
  if (type.startsWith('text/')) return true
  // Text under a type that file-type would have recognised by its bytes is not of that type.
  return /^(?:application|model)\//.test(type) && !binaryTypes.has(type)
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Decodes UTF-8 or UTF-16; `undefined` for bytes that are not text. */
function textOf(head: Buffer): string | undefined {
  try {
    // The head may end in the middle of a character, which `stream` permits.
    const text = new TextDecoder(encodingOf(head), { fatal: true }).decode(head, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
