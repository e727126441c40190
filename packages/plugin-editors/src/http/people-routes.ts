/** People and roles. */
import { isId, readId } from '@octavo/core/plugin'
import type { PersonInput, RoleInput } from '../accounts/people.ts'
import { problem } from '../problems.ts'
import { readRights } from '../rights/read-rights.ts'
import type { Desk, SignedIn } from './desk.ts'
import {
  bodyOf,
  emailRule,
  foldEmail,
  languageRule,
  mistake,
  readTexts,
  send,
  throwIfAny,
} from './request.ts'

export function addPeopleRoutes(desk: Desk): void {
  desk.add('GET', '/people', people, 'people')
  desk.add('POST', '/people', invite, 'people')
  desk.add('GET', '/people/:id', person, 'people')
  desk.add('PUT', '/people/:id', changePerson, 'people')
  desk.add('DELETE', '/people/:id', removePerson, 'people')
  desk.add('POST', '/people/:id/link', newLink, 'people')
  desk.add('GET', '/roles', roles)
  desk.add('POST', '/roles', saveRole, 'roles')
  desk.add('GET', '/roles/:id', role)
  desk.add('PUT', '/roles/:id', saveRole, 'roles')
  desk.add('DELETE', '/roles/:id', removeRole, 'roles')
}

/** @throws NotFoundError */
function idOf({ context }: SignedIn): number {
  const id = readId(context.params.id)
  if (id === undefined) throw problem('desk/not-found')
  return id
}

async function people({ context, service }: SignedIn): Promise<void> {
  send(context, await service.people.list())
}

async function person(request: SignedIn): Promise<void> {
  send(request.context, await request.service.people.one(idOf(request)))
}

/** `POST people`: invites a person; the answer has the link, once, for the person who invites to pass on. */
async function invite(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const { email } = readTexts(bodyOf(context), { email: emailRule })
  const given = personInput(request)
  const made = await service.people.invite({ ...given, email: foldEmail(email) }, session.grants.rights)
  send(context, { person: await service.people.one(made.id), link: made.link, token: made.token }, 201)
}

async function changePerson(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const id = idOf(request)
  await service.people.update(id, personInput(request), session.grants.rights)
  send(context, await service.people.one(id))
}

async function removePerson(request: SignedIn): Promise<void> {
  await request.service.people.remove(idOf(request), request.session.grants.rights)
  send(request.context, { ok: true })
}

/** `POST people/:id/link`: a new link to set a password; earlier ones end. */
async function newLink(request: SignedIn): Promise<void> {
  send(request.context, await request.service.people.link(idOf(request), request.session.grants.rights), 201)
}

/** @throws ValidationError */
function personInput({ context }: SignedIn): PersonInput {
  const body = bodyOf(context)
  const texts = readTexts(body, {
    email: { ...emailRule, required: false },
    firstname: { required: false },
    lastname: { required: false },
    language: languageRule,
  })
  const { active, roles } = body
  throwIfAny([
    ...(active === undefined || typeof active === 'boolean'
      ? []
      : [mistake('active', 'must be true or false')]),
    ...(roles === undefined || (Array.isArray(roles) && roles.every(isId))
      ? []
      : [mistake('roles', 'must be a list of ids')]),
  ])
  return {
    ...texts,
    ...(texts.email !== undefined && { email: foldEmail(texts.email) }),
    active: active as boolean | undefined,
    roles: roles as readonly number[] | undefined,
  }
}

async function roles({ context, service }: SignedIn): Promise<void> {
  send(context, await service.people.roles())
}

async function role(request: SignedIn): Promise<void> {
  const [found] = await request.service.people.roles(idOf(request))
  if (!found) throw problem('desk/not-found')
  send(request.context, found)
}

/** `POST roles` and `PUT roles/:id`: `{ name, description, rights }`. */
async function saveRole(request: SignedIn): Promise<void> {
  const { context, service, session } = request
  const id = context.method === 'POST' ? undefined : idOf(request)
  const body = bodyOf(context)
  const { name, description } = readTexts(body, {
    name: { required: false },
    description: { required: false },
  })
  if (id === undefined && name === undefined) throwIfAny([mistake('name', 'is a required field')])
  const input: RoleInput = { name, description, rights: readRole(request) }
  const saved = await service.people.saveRole(id, input, session.grants.rights)
  const [found] = await service.people.roles(saved)
  send(context, found, id === undefined ? 201 : 200)
}

/** The rights of a body; `undefined` when it has none. @throws ValidationError */
function readRole({ context, service }: SignedIn): RoleInput['rights'] {
  const { rights: given } = bodyOf(context)
  if (given === undefined) return context.method === 'POST' ? [] : undefined
  const { rights, mistakes } = readRights(given, service.octavo.registry, service.rights)
  throwIfAny(mistakes)
  return rights
}

async function removeRole(request: SignedIn): Promise<void> {
  await request.service.people.removeRole(idOf(request), request.session.grants.rights)
  send(request.context, { ok: true })
}
