import { isId } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import type { FolderChange } from './folders.ts'

type Body = Readonly<Record<string, unknown>>

/** @throws ValidationError for a name that is no text of 1 to 255 characters, has a slash, or has a space at an end. */
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
