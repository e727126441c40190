import type { HookHandler } from '@octavo/core/plugin'
import { fileUid } from '../content-types.ts'
import { problem } from '../problems.ts'
import { editorOf } from './caller.ts'
import type { RightAction } from './right.ts'

/** The right that an action of a content endpoint or of a plugin's route for content needs. */
const ofContent: Readonly<Record<string, RightAction>> = {
  find: 'read',
  findOne: 'read',
  count: 'read',
  create: 'create',
  createLocalization: 'create',
  update: 'update',
  delete: 'delete',
  publish: 'publish',
  unpublish: 'publish',
}

const ofFiles: Readonly<Record<string, RightAction>> = {
  upload: 'create',
  replace: 'update',
  move: 'update',
  find: 'read',
  findOne: 'read',
  destroy: 'delete',
  // Folders have the rights of files, without their conditions.
  findFolders: 'read',
  createFolder: 'create',
  updateFolder: 'update',
  deleteFolder: 'delete',
}

const filePrefix = 'plugin::upload.content-api.'

/** An action of a route, as the right that it needs. */
interface NeededRight {
  readonly uid: string
  /** The last part of the name. */
  readonly as: string
  /** `undefined` for an action that no right on content allows. */
  readonly action: RightAction | undefined
}

/** Reads the name of an action: `api::article.article.find` needs `read`. */
export function neededRight(name: string): NeededRight {
  const isFile = name.startsWith(filePrefix)
  const dot = name.lastIndexOf('.')
  const [uid, as] = isFile
    ? [fileUid, name.slice(filePrefix.length)]
    : [name.slice(0, dot), name.slice(dot + 1)]
  const table = isFile ? ofFiles : ofContent
  return { uid, as, action: Object.hasOwn(table, as) ? table[as] : undefined }
}

/** Refuses actions of editors. Actions that are not listed here are refused, also those of other plugins. */
export const authorize: HookHandler<'server:authorize'> = ({ name, type }, state) => {
  const editor = editorOf(state)
  if (!editor) return
  const { uid, as, action: listed } = neededRight(name)
  const isCreatedFile = uid === fileUid && listed === 'create'
  const action = isCreatedFile && editor.changesFile ? 'update' : listed
  const isSingle = type?.kind === 'singleType'
  // The first update of a single type creates its entry.
  const rights = action ? editor.grants.of(uid, action) : []
  const created = isSingle && as === 'update' ? editor.grants.of(uid, 'create') : []
  if (rights.length + created.length === 0) throw problem('desk/forbidden')
  editor.admitted = name
}
