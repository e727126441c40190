import { didYouMean } from '@octavo/core/internal'
import { isId } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import type { FolderChange } from './changes.ts'
import { type FolderField, folderColumns } from './table.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Reads a body whose fields are all known, or are fields of answers, which may be sent back. A misspelt `parent` would leave a folder at the root.
 * @throws ValidationError for another field
 */
export function readFields(body: Body, read: readonly string[]): Body {
  const unknown = Object.keys(body).find((name) => !read.includes(name) && name !== 'id' && !isField(name))
  if (unknown === undefined) return body
  const others = `; there are ${read.join(read.length > 2 ? ', ' : ' and ')}.`
  throw problem('upload/bad-folder', {
    message: `${unknown.slice(0, 100)} is no field here${didYouMean(unknown, read, others)}`,
  })
}

/** @throws ValidationError for a name that is not a text of 1 to 255 characters, has a slash, or has a space at an end. */
export function readFolderName(value: unknown): string {
  const name = typeof value === 'string' ? value.normalize('NFC') : ''
  const isName = name !== '' && name.trim() === name && name.length <= 255
  // Control characters and marks that turn the direction of a text have no place in names (S-28).
  if (!isName || /[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw problem('upload/bad-folder', {
      message: 'name must be a text of 1 to 255 characters without slashes, and without spaces at its ends.',
    })
  return name
}

/** A folder that a body names, or `null` for the root. @throws ValidationError */
export function readFolderId(value: unknown, name: string): number | null {
  if (value === null) return null
  if (isId(value)) return value
  throw problem('upload/bad-folder', { message: `${name} must be the id of a folder, or null.` })
}

/** `{ name, parent }`, of which a change may have one only. @throws ValidationError */
export const readFolderChange = ({ name, parent }: Body): FolderChange => ({
  ...(name !== undefined && { name: readFolderName(name) }),
  ...(parent !== undefined && { parent: readFolderId(parent, 'parent') }),
})

/** @throws ValidationError */
export function readIds(value: unknown, name: string): readonly number[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isId)) return value
  throw problem('upload/bad-folder', { message: `${name} must be a list of ids.` })
}

const isField = (name: string): name is FolderField => Object.hasOwn(folderColumns, name)

/** The fields of a list of folders: `name,parent`, in any order. @throws ValidationError for another name */
export function readFolderFields(value: unknown): readonly FolderField[] | undefined {
  if (value === undefined) return undefined
  const names = typeof value === 'string' ? [...new Set(value.split(','))] : []
  if (names.length > 0 && names.every(isField)) return names
  throw problem('upload/bad-folder', {
    message: `fields must be some of ${Object.keys(folderColumns).join(', ')}, with commas between them.`,
  })
}
