import type { Octavo, RequestState } from '@octavo/core'
import { readId } from '@octavo/core/plugin'
import type { RouteContext, Routes } from '@octavo/server'
import type { Folders } from '../folders/folders.ts'
import {
  readFields,
  readFolderChange,
  readFolderFields,
  readFolderId,
  readFolderName,
  readIds,
} from '../folders/input.ts'
import { problem } from '../problems.ts'
import { uploadAction } from './actions.ts'

interface FolderParts {
  readonly octavo: Octavo
  readonly folders: Folders
}

/** The fields that the body of a folder may have. */
const folderFields = ['name', 'parent']

/** The routes of folders. Their answers have no envelopes, as those of files. @param parts Called by requests only. */
export function addFolderRoutes(routes: Routes, parts: () => FolderParts): void {
  const add = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    action: Parameters<typeof uploadAction>[0],
    handler: (context: RouteContext, given: FolderParts) => Promise<unknown>,
  ): void =>
    routes.add({
      method,
      path: `/upload/folders${path}`,
      action: uploadAction(action),
      body: method === 'POST' || method === 'PUT' ? 'fields' : 'none',
      handler: async (context) => {
        context.body = await handler(context, parts())
      },
    })
  add('GET', '', 'findFolders', async ({ query }, { folders }) =>
    folders.list(readFolderFields(query.fields)),
  )
  add('GET', '/:id', 'findFolders', (context, { folders }) => folders.one(folderId(context)))
  add('POST', '', 'createFolder', (context, { folders }) => {
    const { name, parent = null } = readFields(bodyOf(context), folderFields)
    return folders.create(readFolderName(name), readFolderId(parent, 'parent'))
  })
  add('POST', '/move', 'move', move)
  add('PUT', '/:id', 'updateFolder', (context, { folders }) =>
    folders.update(folderId(context), readFolderChange(readFields(bodyOf(context), folderFields))),
  )
  add('DELETE', '/:id', 'deleteFolder', async (context, { octavo, folders }) => {
    const state = stateOf(context)
    const id = folderId(context)
    // The files in it are deleted with the permission for that.
    await authorize(octavo, 'destroy', state)
    return folders.delete(id, state)
  })
}

/** `{ files, folders, to }`: moves files and folders to a folder, all of them or none; `to: null` is the root. */
async function move(context: RouteContext, { octavo, folders }: FolderParts): Promise<unknown> {
  const body = readFields(bodyOf(context), ['files', 'folders', 'to'])
  const state = stateOf(context)
  const to = readFolderId(body.to, 'to')
  const moved = { files: readIds(body.files, 'files'), folders: readIds(body.folders, 'folders') }
  if (moved.folders.length > 0) {
    await authorize(octavo, 'updateFolder', state)
    await authorize(octavo, 'move', state)
  }
  await folders.move(moved, to, state)
  return { ...moved, to }
}

const authorize = (
  octavo: Octavo,
  name: Parameters<typeof uploadAction>[0],
  state: RequestState,
): Promise<void> =>
  octavo.hooks.guard('server:authorize', { name: uploadAction(name), type: undefined }, state)

/** The fields of the body. The server parsed them; koa-body's type of `request.body` is not visible here. */
const bodyOf = (context: RouteContext): Readonly<Record<string, unknown>> =>
  (context.request as unknown as { readonly body?: Readonly<Record<string, unknown>> }).body ?? {}

/** The caller, as the server recorded it in the context. */
const stateOf = (context: RouteContext): RequestState => context.state.octavo as RequestState

/** @throws NotFoundError for text that cannot be an id. */
function folderId(context: RouteContext): number {
  const id = readId(context.params.id)
  if (id === undefined) throw problem('upload/not-found')
  return id
}
