/** Content and files, with the parameters and answers of the contract. */
import { OctavoError } from '@octavo/core'
import { readId } from '@octavo/core/plugin'
import { fileUid } from '../content-types.ts'
import { problem } from '../problems.ts'
import { editorOf } from '../rights/caller.ts'
import { type Grants, ownIdName } from '../rights/grants.ts'
import { reachesAll } from '../rights/right.ts'
import type { Desk, SignedIn } from './desk.ts'

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

/** `GET may/:type/:id`: `{ read, update, delete, publish }` of one entry. */
async function may({ context, service }: SignedIn): Promise<void> {
  const { octavo } = service
  const type = octavo.registry.byRoute(context.params.type ?? '')
  const id = readId(context.params.id)
  if (!type || id === undefined) throw problem('desk/not-found')
  const reaches = async (action: string): Promise<boolean> => {
    try {
      const query = 'fields=id&publicationState=preview&locale=all'
      const { data } = await octavo.read({
        type,
        action,
        kind: 'one',
        id,
        query,
        state: context.state.octavo,
      })
      return data !== undefined
    } catch (error) {
      if (error instanceof OctavoError && error.status === 403) return false
      throw error
    }
  }
  const found: Record<string, boolean> = {}
  for (const [action, as] of Object.entries(asked))
    found[action] = (action !== 'publish' || type.attributes.has('publishedAt')) && (await reaches(as))
  // An entry that the editor may not read is answered as a missing one.
  if (!found.read) throw problem('desk/not-found')
  context.body = found
}
