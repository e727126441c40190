/** Layouts of lists and forms, and saved views of lists. */
import { readId } from '@octavo/core/plugin'
import { ifMatch } from '@octavo/server'
import { laidOut } from '../layouts/layout.ts'
import { readLayout } from '../layouts/read-layout.ts'
import { problem } from '../problems.ts'
import type { Desk, SignedIn } from './desk.ts'
import { typesOf } from './model-routes.ts'
import { bodyOf, refuseOthers, send, sendVersion, throwIfAny } from './request.ts'

export function addLayoutRoutes(desk: Desk): void {
  desk.add('GET', '/layouts', layouts)
  desk.add('GET', '/layouts/:type', layout)
  desk.add('PUT', '/layouts/:type', setLayout, 'layouts')
  desk.add('DELETE', '/layouts/:type', resetLayout, 'layouts')
  desk.add('GET', '/views', views)
  desk.add('POST', '/views', addView)
  desk.add('PUT', '/views/:id', changeView)
  desk.add('DELETE', '/views/:id', deleteView)
}

/** `GET layouts`: those of all content-types on which the person has a right, and of their components, by uid. */
async function layouts({ context, service, session }: SignedIn): Promise<void> {
  send(context, await service.layouts.of(typesOf(session, service.octavo.registry)))
}

/** `GET layouts/:type`: one of them. The type is a uid, of a component as well. */
async function layout({ context, service, session }: SignedIn): Promise<void> {
  const all = await service.layouts.of(typesOf(session, service.octavo.registry))
  const { type = '' } = context.params
  const found = Object.hasOwn(all, type) ? all[type] : undefined
  if (!found) throw problem('desk/not-found')
  send(context, found)
}

/** The content-type or component of a request. @throws NotFoundError */
function modelOf({ context, service }: SignedIn) {
  const model = laidOut(service.octavo.registry, context.params.type ?? '')
  if (!model) throw problem('desk/not-found')
  return model
}

/** `PUT layouts/:type`: the whole layout. */
async function setLayout(request: SignedIn): Promise<void> {
  const model = modelOf(request)
  const read = readLayout(bodyOf(request.context), model)
  throwIfAny(read.mistakes)
  if (!read.layout) return
  const { context, service } = request
  sendVersion(context, await service.layouts.set(model, read.layout, ifMatch(context)))
}

/** `DELETE layouts/:type`: the usual layout again. */
async function resetLayout(request: SignedIn): Promise<void> {
  await request.service.layouts.reset(modelOf(request), ifMatch(request.context))
  send(request.context, { ok: true })
}

/** `GET views`: the own and the shared views of the lists that the person may read; `?type=` for one content-type. */
async function views({ context, service, session }: SignedIn): Promise<void> {
  const { type } = context.query
  const readable = typesOf(session, service.octavo.registry).map(({ uid }) => uid)
  const list = await service.views.list(session.editor.id, readable)
  send(context, typeof type === 'string' ? list.filter((view) => view.type === type) : list)
}

/** Whether a person may make a view that others see, or change one. */
const mayShare = ({ session }: SignedIn): boolean => session.grants.allows('layouts')

/** The view of a body. @throws ValidationError */
function viewIn({ context, service, session }: SignedIn) {
  const body = bodyOf(context)
  refuseOthers(body, ['type', 'name', 'query', 'shared'], ['id', 'mine'])
  const { view, mistakes } = service.views.read(body, typesOf(session, service.octavo.registry))
  throwIfAny(mistakes)
  return view
}

/** `POST views`: `{ type, name, query, shared }`. */
async function addView(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const view = viewIn(request)
  if (!view) return
  if (view.shared && !mayShare(request)) throw problem('desk/forbidden')
  send(context, await service.views.add(session.editor.id, view), 201)
}

/** The view of a request, which the person may change: an own one, or a shared one with the right `layouts`. */
async function changeable(request: SignedIn) {
  const { context, service, session } = request
  const id = readId(context.params.id)
  const view = id === undefined ? undefined : await service.views.find(id)
  if (!view || !(view.shared || view.own === session.editor.id)) throw problem('desk/not-found')
  if (view.shared && !mayShare(request)) throw problem('desk/forbidden')
  return view
}

/** `PUT views/:id`: as `POST`. */
async function changeView(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const { id } = await changeable(request)
  const view = viewIn(request)
  if (!view) return
  if (view.shared && !mayShare(request)) throw problem('desk/forbidden')
  send(context, await service.views.change(id, view, session.editor.id))
}

async function deleteView(request: SignedIn): Promise<void> {
  const { id } = await changeable(request)
  await request.service.views.remove(id)
  send(request.context, { ok: true })
}
