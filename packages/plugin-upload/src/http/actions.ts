import type { ActionDeclaration } from '@octavo/core'
import { fileUid } from '../content-type/file-type.ts'

const action = (name: string, as: string): ActionDeclaration => ({
  name: `plugin::upload.content-api.${name}`,
  entries: { type: fileUid, as },
})

/** The actions that the routes ask for. */
export const uploadActions: readonly ActionDeclaration[] = [
  action('upload', 'create'),
  action('replace', 'replace'),
  action('find', 'find'),
  action('findOne', 'findOne'),
  action('destroy', 'delete'),
]
