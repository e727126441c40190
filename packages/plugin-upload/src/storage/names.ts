import { randomBytes } from 'node:crypto'
import path from 'node:path'
import slugify from '@sindresorhus/slugify'
import { problem } from '../problems.ts'

/** Bytes of UTF-8, the limit of common file systems. */
const maxNameBytes = 255

/** Characters of the readable part of a hash, beside which the name of a format and an extension fit into a name of a file system. */
const maxSlug = 200

/**
 * The name of a file in Unicode's composed form.
 * @throws ValidationError for a name that file systems refuse, or could take for a path. Source: docs/contract/accounts-and-files.md#files.
 */
export function readName(name: string): string {
  const normal = name.normalize('NFC').trim()
  const dots = /^\.*$/.test(normal)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the names are searched for these
  if (dots || /[\u0000-\u001f\u007f<>:"/\\|?*]/.test(normal) || !normal.isWellFormed())
    throw problem('upload/bad-name', {
      message: 'A file name must be a text without control characters and without any of < > : " / \\ | ? *.',
    })
  if (Buffer.byteLength(normal) > maxNameBytes)
    throw problem('upload/bad-name', { message: `A file name may have at most ${maxNameBytes} bytes.` })
  return normal
}

/**
 * Whether a text can be the key of a stored file: a flat name that no file system takes for a path, for a hidden file or
 * for a folder.
 */
export const isKey = (text: string): boolean => /^[\w-][\w.-]{0,254}$/.test(text)

/** An address without slashes at its end, so that paths can follow. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** The extension of a name in lower case, such as `.png`; empty when there is none. */
export function extensionOf(name: string): string {
  const extension = path.extname(name).toLowerCase()
  return /^\.[a-z0-9]{1,16}$/.test(extension) ? extension : ''
}

/**
 * `hello world.txt` → `hello_world_1f00dcafe5`: unique, and not to be guessed. A name of another script is transliterated, or leaves only the random part.
 * @param extension The extension of the arrived file, which the readable part leaves out.
 */
export function makeHash(name: string, extension: string): string {
  const slug = slugify(path.basename(name, extension), { separator: '_', lowercase: false }).slice(0, maxSlug)
  return `${slug}_${randomBytes(5).toString('hex')}`
}
