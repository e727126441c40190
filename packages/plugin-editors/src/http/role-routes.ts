/** Roles. */
import { ifMatch } from '@octavo/server'
import type { RoleInput } from '../accounts/roles.ts'
import { problem } from '../problems.ts'
import { readRights } from '../rights/read-rights.ts'
import type { Desk, SignedIn } from './desk.ts'
import { bodyOf, idOf, mistake, readTexts, refuseOthers, send, sendVersion, throwIfAny } from './request.ts'

export function addRoleRoutes(desk: Desk): void {
  desk.add('GET', '/roles', roles)
  desk.add('POST', '/roles', saveRole, 'roles')
  desk.add('GET', '/roles/:id', role)
  desk.add('PUT', '/roles/:id', saveRole, 'roles')
  desk.add('DELETE', '/roles/:id', removeRole, 'roles')
}

async function roles({ context, service }: SignedIn): Promise<void> {
  send(context, await service.roles.list())
}

async function role(request: SignedIn): Promise<void> {
  const [found] = await request.service.roles.list(idOf(request.context))
  if (!found) throw problem('desk/not-found')
  send(request.context, found)
}

/** `POST roles` and `PUT roles/:id`: `{ name, description, rights }`. */
async function saveRole(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const id = context.method === 'POST' ? undefined : idOf(request.context)
  const body = bodyOf(context)
  refuseOthers(body, ['name', 'description', 'rights'], ['id', 'createdAt', 'updatedAt'])
  const { name, description } = readTexts(body, {
    name: { required: false },
    description: { required: false },
  })
  if (id === undefined && name === undefined) throwIfAny([mistake('name', 'is a required field')])
  const input: RoleInput = { name, description, rights: readRole(request) }
  const saved = await service.roles.save(id, input, session.grants.rights, ifMatch(context))
  sendVersion(context, saved, id === undefined ? 201 : 200)
}

/** The rights of a body; `undefined` when it has none. @throws ValidationError */
function readRole({ context, service }: SignedIn): RoleInput['rights'] {
  const { rights: given } = bodyOf(context)
  if (given === undefined) return context.method === 'POST' ? [] : undefined
  const { rights, mistakes } = readRights(given, service.octavo.registry, service.rights)
  throwIfAny(mistakes)
  return rights
}

async function removeRole({ context, service, session }: SignedIn): Promise<void> {
  await service.roles.remove(idOf(context), session.grants.rights, ifMatch(context))
  send(context, { ok: true })
}
