import { type ContentTypeDefinition, unrestricted } from '@octavo/core'
import type { Permission, UsersPermissionsOptions } from '../src/index.ts'
import { openSite, type Site } from './site.ts'

/** Types with every kind of relation. Ada is user 1, Bob user 2; entries of Ada have odd ids, entries of Bob even ones. */
const type = (
  singularName: string,
  attributes: ContentTypeDefinition['attributes'],
  options: ContentTypeDefinition['options'] = {},
): ContentTypeDefinition => ({
  kind: 'collectionType',
  info: { singularName, pluralName: `${singularName}s` },
  options,
  attributes,
})
const to = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...more,
})
const user = 'plugin::users-permissions.user'
const owner = { owner: to('manyToOne', user), name: { type: 'string' } }

export const contentTypes: readonly ContentTypeDefinition[] = [
  type('memo', { name: { type: 'string' }, owner: to('manyToOne', user, { inversedBy: 'memos' }) }),
  type('project', { ...owner, notes: to('oneToMany', 'api::note.note', { mappedBy: 'project' }) }),
  type('note', { ...owner, project: to('manyToOne', 'api::project.project', { inversedBy: 'notes' }) }),
  type('tag', { ...owner, articles: to('manyToMany', 'api::article.article', { mappedBy: 'tags' }) }),
  type(
    'article',
    {
      ...owner,
      tags: to('manyToMany', 'api::tag.tag', { inversedBy: 'articles' }),
      comments: to('morphMany', 'api::comment.comment', { morphBy: 'subject' }),
      headline: to('morphOne', 'api::comment.comment', { morphBy: 'subject' }),
      parts: { type: 'component', component: 'shared.part', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.part'] },
    },
    { draftAndPublish: true },
  ),
  type('badge', { ...owner, holder: to('oneToOne', 'api::seat.seat', { inversedBy: 'badge' }) }),
  type('seat', { ...owner, badge: to('oneToOne', 'api::badge.badge', { mappedBy: 'holder' }) }),
  type('comment', { ...owner, subject: { type: 'relation', relation: 'morphToOne' } }),
]
export const components = [
  {
    uid: 'shared.part',
    info: { displayName: 'Part' },
    attributes: { label: { type: 'string' }, note: to('manyToOne', 'api::note.note') },
  },
]
export const names = ['memo', 'project', 'note', 'tag', 'article', 'badge', 'seat', 'comment'] as const
export const uidOf = (name: string): string => `api::${name}.${name}`

const own = { owner: { id: '$user.id' } } as const
const actions = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** All actions on own entries, and on the own account. */
export const ownRights: readonly Permission[] = [
  ...names.flatMap((name) => actions.map((action) => ({ action: `${uidOf(name)}.${action}`, where: own }))),
  { action: `${user}.find` },
  { action: `${user}.update`, where: { id: '$user.id' } },
]

/** `ownRights`, except for some actions. */
export const rightsBut = (others: Readonly<Record<string, Partial<Permission> | null>>): Permission[] => [
  ...ownRights.filter(({ action }) => !Object.hasOwn(others, action)),
  ...Object.entries(others).flatMap(([action, permission]) =>
    permission ? [{ action, ...permission }] : [],
  ),
]

/** A site with two entries of each type for each user: ids 1 and 3 are Ada's, 2 and 4 are Bob's. */
export async function openFarSide(
  permissions: readonly (string | Permission)[] = ownRights,
  options: UsersPermissionsOptions = {},
  more: Parameters<typeof openSite>[1] = {},
): Promise<Site & { readonly ada: string; readonly bob: string }> {
  const site = await openSite(
    {
      permissions: { authenticated: permissions },
      user: { attributes: { memos: to('oneToMany', 'api::memo.memo', { mappedBy: 'owner' }) } },
      ...options,
    },
    { contentTypes, components, api: { rest: { bulk: true } }, ...more },
    undefined,
    true,
  )
  const state = unrestricted('fills the tests')
  const { octavo } = site.server
  const [role] = (await octavo.entries('role', state).find({ filters: { type: 'authenticated' } })).data
  for (const username of ['ada', 'bob'])
    await octavo.entries('user', state).create({
      username,
      email: `${username}@example.org`,
      password: 'Password123',
      provider: 'local',
      confirmed: true,
      role: role?.id,
    })
  for (const name of names)
    for (const user of [1, 2, 1, 2])
      await octavo.entries(name, state).create({ name: `${name} of ${user}`, owner: user })
  return { ...site, ada: await site.login('ada'), bob: await site.login('bob') }
}
