import type { ComponentDefinition, ContentTypeDefinition } from '@octavo/core'
import type { Permission } from '@octavo/plugin-users-permissions'
import type { Kind } from './request.ts'

/** Types with every kind of relation, with drafts, locales, components and users. */
type Attributes = ContentTypeDefinition['attributes']
const to = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...more,
})
export const userUid = 'plugin::users-permissions.user'
export const fileUid = 'plugin::upload.file'
export const editorUid = 'plugin::editors.editor'
/** Types of plugins that no role below may change by their own routes. */
export const closedUids = ['plugin::users-permissions.role', 'plugin::users-permissions.permission']
export const uidOf = (name: string): string => (name === 'user' ? userUid : `api::${name}.${name}`)
const localized = { pluginOptions: { i18n: { localized: true } } }

const common: Attributes = {
  name: { type: 'string' },
  secret: { type: 'string', private: true },
  owner: to('manyToOne', userUid),
}
const attributes: Readonly<Record<string, Attributes>> = {
  memo: { ...common, owner: to('manyToOne', userUid, { inversedBy: 'memos' }) },
  project: { ...common, notes: to('oneToMany', uidOf('note'), { mappedBy: 'project' }) },
  note: { ...common, project: to('manyToOne', uidOf('project'), { inversedBy: 'notes' }) },
  tag: { ...common, articles: to('manyToMany', uidOf('article'), { mappedBy: 'tags' }) },
  article: {
    ...common,
    tags: to('manyToMany', uidOf('tag'), { inversedBy: 'articles' }),
    comments: to('morphMany', uidOf('comment'), { morphBy: 'subject' }),
    parts: { type: 'component', component: 'shared.part', repeatable: true },
    cover: { type: 'media' },
  },
  team: { ...common, members: to('manyToMany', userUid, { inversedBy: 'teams' }) },
  badge: { ...common, holder: to('oneToOne', uidOf('seat'), { inversedBy: 'badge' }) },
  seat: { ...common, badge: to('oneToOne', uidOf('badge'), { mappedBy: 'holder' }) },
  comment: { ...common, subject: { type: 'relation', relation: 'morphToOne' } },
  page: {
    ...common,
    name: { type: 'string', ...localized },
    year: { type: 'integer' },
    // A relation is of each localization unless its mark is false.
    owner: to('manyToOne', userUid, { pluginOptions: { i18n: { localized: false } } }),
  },
}
export const names = Object.keys(attributes)

export const contentTypes: readonly ContentTypeDefinition[] = names.map((name) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s` },
  options: { draftAndPublish: name === 'article' || name === 'page' },
  ...(name === 'page' && localized),
  attributes: attributes[name] ?? {},
}))
export const components: readonly ComponentDefinition[] = [
  {
    uid: 'shared.part',
    info: { displayName: 'Part' },
    attributes: { label: { type: 'string' }, note: to('manyToOne', uidOf('note')) },
  },
]
export const userAttributes: Attributes = {
  nickname: { type: 'string' },
  memos: to('oneToMany', uidOf('memo'), { mappedBy: 'owner' }),
  teams: to('manyToMany', uidOf('team'), { mappedBy: 'members' }),
}
/** The attributes of files in the model. */
export const fileAttributes: Attributes = { uploadedBy: to('manyToOne', userUid, { private: true }) }

/** The attributes that the plugin editors adds to each type. */
const creators: Attributes = {
  createdBy: to('manyToOne', editorUid),
  updatedBy: to('manyToOne', editorUid),
}
/** The attributes of all types of the model, by uid. */
export const typesOfModel: ReadonlyMap<string, Attributes> = new Map([
  ...names.map((name) => [uidOf(name), { ...attributes[name], ...creators }] as const),
  [userUid, userAttributes],
  [fileUid, { ...fileAttributes, ...creators }],
])

const own = { owner: { id: '$user.id' } } as const
const actions = ['find', 'findOne', 'create', 'update', 'delete'] as const
const all = (name: string, limits: Partial<Permission> = {}, of: readonly string[] = actions): Permission[] =>
  of.map((action) => ({ action: `${uidOf(name)}.${action}`, ...limits }))

/** The plugin's actions on files, by their effect. */
export const fileActions: Readonly<Record<string, string>> = {
  find: 'find',
  findOne: 'findOne',
  create: 'upload',
  rename: 'upload',
  update: 'replace',
  delete: 'destroy',
}
const files = (of: readonly string[], limits: Partial<Permission> = {}): Permission[] =>
  of.map((name) => ({ action: `plugin::upload.content-api.${name}`, ...limits }))
const ownFiles = { uploadedBy: { id: '$user.id' } } as const

/** The caller is Ada, user 1. She may not read `hidden`; `~` is 1 in one database and 2 in the other. */
export interface Role {
  readonly permissions: readonly Permission[]
  readonly hidden: string
  /** Permitted kinds of requests. Some of each kind must succeed. */
  readonly may: readonly Kind[]
}
export const roles: Readonly<Record<string, Role>> = {
  // Reads and changes its own entries only.
  owner: {
    permissions: [
      ...names.filter((name) => name !== 'page').flatMap((name) => all(name, { where: own })),
      ...all('page', { where: own }, [...actions, 'createLocalization', 'publish', 'unpublish']),
      ...all('user', {}, ['find', 'findOne', 'count', 'me']),
      { action: `${userUid}.update`, where: { id: '$user.id' } },
      ...files(['find', 'findOne', 'upload', 'replace', 'destroy'], { where: ownFiles }),
    ],
    may: [
      'read',
      'create',
      'update',
      'delete',
      'bulk',
      'localize',
      'publish',
      'profile',
      'upload',
      'replace',
      'attach',
      'query',
      'mutation',
    ],
    hidden: `${names.map((name) => `update "${name}s" set "name" = 'hidden ~' where "owner_id" <> 1`).join(';')};
      ${names.map((name) => `delete from "${name}s" where "id" = 5 and ~ = 2`).join(';')};
      update "notes" set "project_id" = nullif(~, 2) where "id" = 2;
      update "notes" set "project_id" = 2 * ~ where "id" = 4;
      delete from "articles_tags_links" where "owner_id" = 2 and ~ = 2;
      delete from "comments_subject_morphs" where "target_id" = 2 and ~ = 2;
      delete from "teams_members_links" where "owner_id" = 2 and ~ = 2;
      update "files" set "caption" = 'hidden ~' where "uploaded_by_id" <> 1`,
  },
  // Finds many entries, and changes some attributes of its own.
  author: {
    permissions: [
      ...all('article', { where: { $or: [own, { id: 5 }] } }, ['find', 'findOne']),
      ...all('article', { where: own }, ['create', 'update', 'delete']),
      // Lists show relations that one entry does not, and the reverse.
      ...all('tag', { fields: ['name', 'articles'] }, ['find', 'update']),
      ...all('tag', { fields: ['name'] }, ['findOne']),
      ...all('team', { fields: ['name'] }, ['find']),
      ...all('team', { fields: ['name', 'members'] }, ['findOne']),
      ...all('team', { where: { name: 'open' } }, ['update']),
      ...files(['find', 'findOne'], {
        fields: ['name', 'url'],
        where: { $or: [ownFiles, { hash: 'file_1' }] },
      }),
      ...files(['upload']),
      ...all('note', { fields: ['name', 'project'] }, ['find']),
      ...all('note', { fields: ['name'] }, ['findOne']),
      ...all('note', { where: own, fields: ['name'] }, ['update', 'create']),
      ...all('project', { where: own }),
      // An answer to a write may show in full what `findOne` reads, but not the others.
      ...all('memo', { fields: ['name'] }, ['find', 'create']),
      ...all('memo', { where: own }, ['findOne']),
      ...all('memo', { fields: ['name'] }, ['update']),
      ...all('badge', { fields: ['name', 'holder'] }, ['find']),
      ...all('badge', { fields: ['name'] }, ['findOne']),
      ...all('badge', { where: own }, ['update']),
      ...all('seat', { where: { name: 'open' } }, ['find']),
      ...all('seat', {}, ['update', 'create']),
      ...all('comment', { fields: ['name', 'subject'] }, ['find']),
      ...all('comment', { fields: ['name'] }, ['findOne']),
      ...all('comment', { where: { $or: [own, { name: 'open' }] } }, ['create', 'update', 'delete']),
      ...all('page', { where: { name: 'open' } }, ['find', 'update', 'create']),
      ...all('page', {}, ['findOne', 'createLocalization']),
      ...all('user', { where: { id: '$user.id' } }, ['update', 'me']),
      ...all('user', {}, ['count']),
    ],
    may: [
      'read',
      'create',
      'update',
      'bulk',
      'localize',
      'profile',
      'upload',
      'replace',
      'attach',
      'query',
      'mutation',
    ],
    hidden: `update "articles" set "name" = 'hidden ~' where "owner_id" <> 1 and "id" <> 5;
      update "files" set "caption" = 'hidden ~'; update "teams" set "owner_id" = ~;
      update "tags" set "owner_id" = ~; update "seats" set "name" = 'hidden ~' where "id" <> 1;
      update "projects" set "name" = 'hidden ~' where "owner_id" <> 1;
      update "memos" set "owner_id" = nullif(~, 1) where "owner_id" <> 1;
      update "up_users" set "nickname" = 'hidden ~', "email" = 'bob~@example.org' where "id" = 2`,
  },
  // Changes one side of relations whose other side it may only find, or not find.
  editor: {
    permissions: [
      ...['project', 'tag', 'seat', 'page'].flatMap((name) => all(name)),
      ...all('note', { fields: ['name', 'project'] }, ['find', 'findOne']),
      ...all('article', { fields: ['name', 'tags', 'parts'] }, ['find', 'findOne']),
      ...['badge', 'team'].flatMap((name) => all(name, { fields: ['name'] }, ['find', 'findOne'])),
      ...all('memo', { fields: ['name', 'owner'] }, ['update']),
      ...all('user', { fields: ['username', 'nickname', 'memos', 'teams'] }, ['find', 'update', 'count']),
      ...all('user', {}, ['me']),
    ],
    may: ['read', 'create', 'update', 'delete', 'bulk', 'profile', 'query', 'mutation'],
    hidden: `update "memos" set "name" = 'hidden ~'; update "comments" set "name" = 'hidden ~';
      update "notes" set "owner_id" = ~; update "articles" set "owner_id" = ~; update "files" set "caption" = 'hidden ~';
      update "up_users" set "email" = 'bob~@example.org' where "id" = 2`,
  },
}

/** The data of both databases, for all roles. Private attributes are hidden from every role. */
export const shared = `
  insert into "comments_subject_morphs" ("target_id", "owner_type", "owner_id", "field", "position") values (2, 'api::article.article', 1, 'comments', 1), (1, 'api::article.article', 1, 'comments', 2);
  insert into "articles_tags_links" ("owner_id", "target_id", "position", "inverse_position") values (1, 1, 1, 1), (1, 2, 2, 2), (2, 1, 3, 3), (4, 4, 4, 4), (3, 3, 5, 5);
  update "notes" set "project_id" = 1 where "id" in (1, 2);
  insert into "teams_members_links" ("owner_id", "target_id", "position", "inverse_position") values (1, 1, 1, 1), (2, 2, 1, 1), (3, 2, 1, 2);
  update "badges" set "holder_id" = 3 where "id" = 1;
  update "badges" set "holder_id" = 1 where "id" = 2;
  update "pages" set "locale" = 'fr', "localization_group" = (select "localization_group" from "pages" where "id" = 1) where "id" = 2;
  update "articles" set "published_at" = null where "id" in (3, 4)`
export const hiddenAlways = names
  .map((name) => `update "${name}s" set "secret" = 'secret ~ ' || "id"`)
  .join(';')
