/** People. */
import { foldEmail } from '@octavo/core/internal'
import { isId } from '@octavo/core/plugin'
import { ifMatch } from '@octavo/server'
import type { PersonInput } from '../accounts/people.ts'
import type { Desk, SignedIn } from './desk.ts'
import {
  bodyOf,
  emailRule,
  idOf,
  languageRule,
  mistake,
  readTexts,
  refuseOthers,
  send,
  sendVersion,
  throwIfAny,
} from './request.ts'

export function addPeopleRoutes(desk: Desk): void {
  desk.add('GET', '/people', people, 'people')
  desk.add('POST', '/people', invite, 'people')
  desk.add('GET', '/people/:id', person, 'people')
  desk.add('PUT', '/people/:id', changePerson, 'people')
  desk.add('DELETE', '/people/:id', removePerson, 'people')
  desk.add('POST', '/people/:id/link', newLink, 'people')
  desk.add('DELETE', '/people/:id/second-factor', endSecondFactor, 'people')
}

async function people({ context, service }: SignedIn): Promise<void> {
  send(context, await service.people.list())
}

async function person(request: SignedIn): Promise<void> {
  send(request.context, await request.service.people.one(idOf(request.context)))
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
  const id = idOf(request.context)
  await service.people.update(id, personInput(request), session.grants.rights, ifMatch(context))
  sendVersion(context, await service.people.one(id))
}

async function removePerson({ context, service, session }: SignedIn): Promise<void> {
  await service.people.remove(idOf(context), session.grants.rights, ifMatch(context))
  send(context, { ok: true })
}

/** `POST people/:id/link`: a new link to set a password; earlier ones end. */
async function newLink(request: SignedIn): Promise<void> {
  send(
    request.context,
    await request.service.people.link(idOf(request.context), request.session.grants.rights),
    201,
  )
}

/** `DELETE people/:id/second-factor`: for a person who has lost it. */
async function endSecondFactor(request: SignedIn): Promise<void> {
  await request.service.people.endSecondFactor(idOf(request.context), request.session.grants.rights)
  send(request.context, { ok: true })
}

const read = ['email', 'firstname', 'lastname', 'language', 'active', 'roles']
const shown = ['id', 'username', 'invited', 'secondFactor', 'createdAt', 'updatedAt']

/** @throws ValidationError */
function personInput({ context }: SignedIn): PersonInput {
  const body = bodyOf(context)
  refuseOthers(body, read, shown)
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
