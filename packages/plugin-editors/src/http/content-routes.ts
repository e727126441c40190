/** Content and files, with the parameters and answers of the contract. */
import { OctavoError } from '@octavo/core'
import { type ContentType, readId } from '@octavo/core/plugin'
import { fileUid } from '../content-types.ts'
import { problem } from '../problems.ts'
import { editorOf } from '../rights/caller.ts'
import { type Grants, ownIdName } from '../rights/grants.ts'
import { reachesAll } from '../rights/right.ts'
import type { Desk, SignedIn } from './desk.ts'
import { mistake, throwIfAny } from './request.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** The shapes of the paths of content endpoints, and of the routes that plugins add for content-types. */
const shapes = ['/:type', '/:type/:id', '/:type/:id/:action', '/:type/:id/:action/:more']

const folderRoutes = [
  ['GET', '/folders'],
  ['POST', '/folders'],
  ['GET', '/folders/:id'],
  ['PUT', '/folders/:id'],
  ['DELETE', '/folders/:id'],
  // `move` in place of an id.
  ['POST', '/folders/:id'],
] as const

export function addContentRoutes(desk: Desk): void {
  for (const shape of shapes)
    for (const method of methods) desk.add(method, `/content${shape}`, content, undefined, 'none')
  desk.add('GET', '/files', (request) => files(request, '/upload/files'), undefined, 'none')
  desk.add('GET', '/uses', (request) => files(request, '/upload/uses'), undefined, 'none')
  desk.add('POST', '/files', upload, undefined, 'none')
  for (const method of ['GET', 'DELETE'] as const)
    desk.add(
      method,
      '/files/:id',
      (request) => files(request, `/upload/files/${encodeURIComponent(request.context.params.id ?? '')}`),
      undefined,
      'none',
    )
  for (const [method, path] of folderRoutes)
    desk.add(method, path, (request) => files(request, folderPath(request)), undefined, 'none')
  desk.add('GET', '/may/:type', mayOfSeveral)
  desk.add('GET', '/may/:type/:id', may)
}

/** `/upload/folders`, `/upload/folders/7` or `/upload/folders/move`. */
const folderPath = ({ context: { params } }: SignedIn): string =>
  ['/upload/folders', ...(params.id === undefined ? [] : [encodeURIComponent(params.id)])].join('/')

async function content({ context, service, routes, session }: SignedIn): Promise<void> {
  const { type = '', id, action, more } = context.params
  if (context.is('multipart') && !mayUpload(session.grants)) throw problem('desk/forbidden')
  // Only content-types: no other route of a plugin is reached from here.
  if (!service.octavo.registry.byRoute(type)) throw problem('desk/not-found')
  const path = [type, id, action, more].filter((part) => part !== undefined)
  await routes.forward(context, `/${path.map(encodeURIComponent).join('/')}`)
}

/** Whether an editor may send files beside an entry: the new files are its own, and no other condition is checked for them. */
const mayUpload = (grants: Grants): boolean =>
  grants.of(fileUid, 'create').some((right) => reachesAll(right, { where: { createdBy: ownIdName } }))

async function files({ context, service, routes }: SignedIn, path: string): Promise<void> {
  if (!service.octavo.registry.contentTypes.has(fileUid)) throw problem('desk/not-found')
  await routes.forward(context, path)
}

/** `POST files`: new files; with `id` another content or name for a file. */
async function upload(request: SignedIn): Promise<void> {
  const editor = editorOf(request.context.state.octavo)
  if (editor && request.context.query.id !== undefined) editor.changesFile = true
  await files(request, '/upload')
}

const asked = { read: 'findOne', update: 'update', delete: 'delete', publish: 'publish' } as const

/** The actions that an editor may take on an entry, in the form of the answers. */
type May = Record<keyof typeof asked, boolean>

/** The greatest number of entries that one request is about, as many as the longest page of a list has. */
const mostAsked = 100

/** The entries that an action of the editor reaches, among some of a content-type. */
async function reached(
  { context, service: { octavo } }: SignedIn,
  type: ContentType,
  action: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const some = ids.map((id, i) => `&filters[id][$in][${i}]=${id}`).join('')
  const query = `fields=id&publicationState=preview&locale=all&pagination[limit]=${mostAsked}&pagination[withCount]=false${some}`
  try {
    const { data = '[]' } = await octavo.read({
      ...{ type, action, kind: 'list', query, maxLimit: mostAsked },
      state: context.state.octavo,
    })
    return new Set((JSON.parse(data) as readonly { readonly id: number }[]).map(({ id }) => id))
  } catch (error) {
    if (error instanceof OctavoError && error.status === 403) return new Set()
    throw error
  }
}

/** Finds the actions that an editor may take on entries of a content-type, by id. Entries that do not exist, or that the editor may not read, are left out. */
async function mayOf(
  request: SignedIn,
  type: ContentType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, May>> {
  const { read, update, delete: remove, publish } = asked
  const readable = [...(await reached(request, type, read, ids))]
  if (readable.length === 0) return new Map()
  const [updated, removed] = [
    await reached(request, type, update, readable),
    await reached(request, type, remove, readable),
  ]
  const published = type.attributes.has('publishedAt')
    ? await reached(request, type, publish, readable)
    : new Set<number>()
  return new Map(
    readable.map((id) => [
      id,
      { read: true, update: updated.has(id), delete: removed.has(id), publish: published.has(id) },
    ]),
  )
}

/** The content-type that a request is about. @throws NotFoundError */
function typeOf({ context, service }: SignedIn): ContentType {
  const type = service.octavo.registry.byRoute(context.params.type ?? '')
  if (!type) throw problem('desk/not-found')
  return type
}

/** `GET may/:type/:id`: `{ read, update, delete, publish }` of one entry. */
async function may(request: SignedIn): Promise<void> {
  const { context } = request
  const type = typeOf(request)
  const id = readId(context.params.id)
  const found = id === undefined ? undefined : (await mayOf(request, type, [id])).get(id)
  if (!found) throw problem('desk/not-found')
  context.body = found
}

/** `GET may/:type?ids=3,7`: `{ "3": { read, update, delete, publish } }` of several entries. */
async function mayOfSeveral(request: SignedIn): Promise<void> {
  const { context } = request
  const type = typeOf(request)
  const named = `${context.query.ids ?? ''}`.split(',').map(readId)
  const ids = [...new Set(named.filter((id) => id !== undefined))]
  if (named.includes(undefined) || named.length > mostAsked)
    throwIfAny([mistake('ids', `must be from 1 to ${mostAsked} ids, separated by commas`)])
  context.body = Object.fromEntries(await mayOf(request, type, ids))
}
