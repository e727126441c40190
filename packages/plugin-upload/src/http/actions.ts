import { type ActionDeclaration, type ActionLimit, allLimits } from '@octavo/core/plugin'
import { fileUid } from '../content-type/file-type.ts'

type UploadAction =
  | 'upload'
  | 'replace'
  | 'move'
  | 'find'
  | 'findOne'
  | 'destroy'
  | 'findFolders'
  | 'createFolder'
  | 'updateFolder'
  | 'deleteFolder'

/** The name of an action of the routes, as permissions have it. */
export const uploadAction = (name: UploadAction): string => `plugin::upload.content-api.${name}`

const action = (name: UploadAction, as: string, enforces: readonly ActionLimit[]): ActionDeclaration => ({
  name: uploadAction(name),
  entries: { type: fileUid, as },
  enforces,
})

/**
 * The actions that the routes require. `where` of `upload`, `replace` and `move` applies to the files that they change. The plugin
 * itself fills the attributes of an uploaded file, so these do not enforce `fields`. Actions on folders have no limits: folders have no owner.
 */
export const uploadActions: readonly ActionDeclaration[] = [
  action('upload', 'create', ['where']),
  action('replace', 'replace', ['where']),
  action('move', 'move', ['where']),
  action('find', 'find', allLimits),
  action('findOne', 'findOne', allLimits),
  action('destroy', 'delete', allLimits),
  ...(['findFolders', 'createFolder', 'updateFolder', 'deleteFolder'] as const).map((name) => ({
    name: uploadAction(name),
  })),
]
