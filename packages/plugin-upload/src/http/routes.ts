import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Octavo, Repeatable, RequestState } from '@octavo/core'
import { readId } from '@octavo/core/plugin'
import type { Fields, FileLimits, ReceivedFile, RouteContext, Routes } from '@octavo/server'
import { callerKey, requireWritable } from '../arriving/caller.ts'
import type { Kinds, Preparer } from '../arriving/preparer.ts'
import { kindsOf } from '../content-type/media-type.ts'
import { type Destination, type FileRecord, type Files, fileNotFound } from '../files/files.ts'
import { type FileInfo, folderOf, readInfo } from '../files/info.ts'
import { badInfo, problem } from '../problems.ts'
import { readUses } from '../uses/read-uses.ts'
import { usesOf } from '../uses/uses.ts'
import { uploadAction } from './actions.ts'

export interface RouteParts {
  readonly octavo: Octavo
  readonly files: Files
  readonly preparer: Preparer
  readonly limits: FileLimits
  /** Whether files have a focal point. */
  readonly focal: boolean
}

/**
 * The routes of the group `upload`. Their answers have no envelopes.
 * @param parts Called by requests only: `octavo check` registers routes without a start.
 */
export function addRoutes(routes: Routes, parts: () => RouteParts): void {
  routes.add({
    method: 'POST',
    path: '/upload',
    action: uploadAction('upload'),
    handler: (context) => upload(context, routes, parts()),
  })
  routes.add({
    method: 'GET',
    path: '/upload/files',
    action: uploadAction('find'),
    handler: async (context) => {
      context.body = await parts().files.find(context.querystring, stateOf(context))
    },
  })
  routes.add({
    method: 'GET',
    path: '/upload/uses',
    action: uploadAction('find'),
    handler: async (context) => {
      const { octavo, files } = parts()
      context.body = await usesOf(readUses(context.querystring), octavo, files, stateOf(context))
    },
  })
  routes.add({
    method: 'GET',
    path: '/upload/files/:id',
    action: uploadAction('findOne'),
    handler: async (context) => {
      context.body = await parts().files.findOne(
        fileId(context.params.id),
        context.querystring,
        stateOf(context),
      )
    },
  })
  routes.add({
    method: 'DELETE',
    path: '/upload/files/:id',
    action: uploadAction('destroy'),
    handler: async (context) => {
      context.body = await parts().files.delete(fileId(context.params.id), stateOf(context))
    },
  })
}

async function upload(context: RouteContext, routes: Routes, parts: RouteParts): Promise<void> {
  const { octavo, files, preparer, limits, focal } = parts
  let state = stateOf(context)
  const [given] = [context.query.id].flat()
  const id = given === undefined || given === '' ? undefined : fileId(given)
  // Refused before the body is read, when the caller cannot reach the file.
  if (id !== undefined) await files.findOne(id, 'fields=id', state, 'update')
  const { fields, files: all, discard } = await routes.receive(context, limits)
  // Others beside them are ignored, as by the reference.
  const received = all.filter(({ field }) => field === 'files')
  try {
    const [other] = all
    if (received.length === 0 && other) throw problem('upload/empty', { field: other.field })
    const info = readInfo(fields.fileInfo, { focal, strict: octavo.strict, files: received.length })
    const caller = callerKey(state)
    const folder = folderOf(info)
    // Clients send back the `folder: null` of a file that is in none.
    const staysOutside = folder === null && (id === undefined || !(await files.isInFolder(id)))
    if (folder !== undefined && !staysOutside) {
      // Only callers who see the folders put a file into one; afterwards, the permission is that of uploads again.
      await authorize(octavo, uploadAction('findFolders'), state)
      await authorize(octavo, uploadAction('upload'), state)
      state = { ...state, intoFolder: folder }
    }
    // One file without content is a mistake of its client, and replaces nothing, as in the reference; among others, it is stored with them.
    const isEmpty = received.length < 2 && received.every(({ size }) => size === 0)
    if (id !== undefined) {
      const changed = isEmpty ? files.changeInfo(id, onlyOne(info), state) : replace(id, info, caller)
      context.body = await changed
      return
    }
    if (isEmpty) throw problem('upload/empty', {})
    if (info.length > received.length)
      throw badInfo(`fileInfo has ${info.length} objects for ${received.length} file(s).`)
    const repeatable = await repeatableUpload(context, routes, fields, received)
    const into = await destination(fields, received.length, parts, state)
    const stored = await files.stored(repeatable)
    if (stored) {
      context.body = stored
      return
    }
    const prepared = await preparer.prepareAll(received, info, { caller, kinds: into?.kinds })
    // `destination` checked another action; the files are stored and answered with the permission of this one.
    if (into) await authorize(octavo, uploadAction('upload'), state)
    context.body = await files.add(prepared, into, state, repeatable)
  } finally {
    await discard()
  }

  async function replace(replaced: number, info: readonly FileInfo[], caller: string): Promise<FileRecord> {
    const [file] = received
    if (!file || received.length > 1) throw problem('upload/one-file')
    // The address stays, so every page that shows the old file shows the new one: this needs its own permission.
    await authorize(octavo, uploadAction('replace'), state)
    await files.findOne(replaced, 'fields=id', state, 'replace')
    const place = await files.row(replaced)
    return files.replace(
      replaced,
      await preparer.prepare(file, onlyOne(info), { caller, place: { ...place, ext: place.ext ?? '' } }),
      state,
    )
  }
}

/** The key of an upload; its content are the fields, and the names and bytes of the files. */
async function repeatableUpload(
  context: RouteContext,
  routes: Routes,
  fields: Fields,
  files: readonly ReceivedFile[],
): Promise<Repeatable | undefined> {
  if (context.get('Idempotency-Key') === '') return undefined
  const contents: string[] = []
  for (const { field, name, path } of files) {
    const bytes = createHash('sha256')
    await pipeline(createReadStream(path), bytes)
    contents.push(field, name, bytes.digest('base64url'))
  }
  return routes.repeatable(context, [fields, contents])
}

const authorize = (octavo: Octavo, name: string, state: RequestState): Promise<void> =>
  octavo.hooks.guard('server:authorize', { name, type: undefined }, state)

function onlyOne(info: readonly FileInfo[]): FileInfo {
  if (info.length > 1) throw badInfo('fileInfo of one file must be one object.')
  return info[0] ?? {}
}

/**
 * The attribute that `ref`, `refId` and `field` of a body name; `undefined` without them. The caller needs the right to
 * update the entry in that attribute.
 *
 * @throws ValidationError, ForbiddenError, NotFoundError
 */
async function destination(
  { ref, refId, field }: Fields,
  count: number,
  { octavo }: RouteParts,
  state: RequestState,
): Promise<(Destination & { readonly kinds: Kinds }) | undefined> {
  if (ref === undefined && refId === undefined && field === undefined) return undefined
  const type = typeof ref === 'string' ? octavo.registry.contentTypes.get(ref) : undefined
  if (!type?.uid.startsWith('api::'))
    throw problem('upload/bad-reference', {
      message: 'ref must be the uid of a content-type, as api::article.article.',
    })
  const attribute = typeof field === 'string' ? type.attributes.get(field) : undefined
  if (attribute?.kind !== 'relation' || attribute.typeName !== 'media')
    throw problem('upload/bad-reference', {
      message: `field must be the name of a media attribute of ${type.uid}.`,
    })
  const id = readId(refId)
  if (id === undefined)
    throw problem('upload/bad-reference', { message: 'refId must be the id of an entry.' })
  if (!attribute.many && count > 1)
    throw problem('upload/bad-reference', {
      message: `${type.singularName}.${attribute.name} takes one file, not ${count}.`,
    })
  await octavo.hooks.guard('server:authorize', { name: `${type.uid}.update`, type }, state)
  await requireWritable(octavo, { type, action: 'update', attribute: attribute.name, id }, state)
  return { type, id, field: attribute.name, many: attribute.many, kinds: kindsOf(attribute) }
}

/** @throws NotFoundError for text that cannot be an id. */
function fileId(text: unknown): number {
  const id = readId(text)
  if (id === undefined) throw fileNotFound()
  return id
}

/** The caller, as the server recorded it in the context. */
const stateOf = (context: RouteContext): RequestState => context.state.octavo as RequestState
