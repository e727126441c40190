import { type ActionDeclaration, type ActionLimit, allLimits } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'

const action = (name: string, as: string, enforces: readonly ActionLimit[]): ActionDeclaration => ({
  name: `plugin::upload.content-api.${name}`,
  entries: { type: fileUid, as },
  enforces,
})

/**
 * The actions that the routes require. `where` of `upload` and `replace` applies to the files that they change. The plugin
 * itself fills the attributes of an uploaded file, so these two do not enforce `fields`.
 */
export const uploadActions: readonly ActionDeclaration[] = [
  action('upload', 'create', ['where']),
  action('replace', 'replace', ['where']),
  action('find', 'find', allLimits),
  action('findOne', 'findOne', allLimits),
  action('destroy', 'delete', allLimits),
]
