import type { Permission } from '@octavo/plugin-users-permissions'
import fc from 'fast-check'
import { dataOf, id, queryOf, related, text } from './bodies.ts'
import { fileUid, names, uidOf, userUid } from './model.ts'
import type { Request } from './request.ts'

const localization: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom(1, 1, 2, 3, 4),
    fc.constantFrom('fr', 'de'),
    fc.oneof(
      text.map((name) => ({ name })),
      dataOf('page'),
    ),
  )
  .map(([one, locale, data]) => ({
    method: 'POST',
    path: `/api/pages/${one}/localizations`,
    body: { ...data, locale },
    uid: uidOf('page'),
    kind: 'localize',
  }))
const publication: fc.Arbitrary<Request> = fc
  .tuple(id, fc.constantFrom('publish', 'unpublish'))
  .map(([one, action]) => ({
    method: 'POST',
    path: `/api/pages/${one}/actions/${action}`,
    uid: uidOf('page'),
    kind: 'publish',
  }))
/** Attaches a file to an article. */
const attachment: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(1, 3, 1, 3, 2, 5), fc.oneof(fc.integer({ min: 1, max: 4 }), related(false)))
  .map(([one, cover]) => ({
    method: 'PUT',
    path: `/api/articles/${one}?populate=cover`,
    body: { data: { cover } },
    uid: uidOf('article'),
    kind: 'attach',
  }))
/** Lists with entries in them at the beginning of each round, by the type and the id of their entry. */
const lists: readonly {
  readonly name: string
  readonly one: number
  readonly key: string
  readonly has: number[]
}[] = [
  { name: 'project', one: 1, key: 'notes', has: [1, 2] },
  { name: 'tag', one: 1, key: 'articles', has: [1, 2] },
  { name: 'article', one: 1, key: 'tags', has: [1, 2] },
  { name: 'article', one: 1, key: 'comments', has: [1, 2] },
  { name: 'article', one: 3, key: 'comments', has: [] },
  { name: 'team', one: 1, key: 'members', has: [1] },
  { name: 'seat', one: 3, key: 'badge', has: [1] },
  { name: 'badge', one: 1, key: 'holder', has: [3] },
  { name: 'badge', one: 3, key: 'holder', has: [] },
  { name: 'user', one: 1, key: 'memos', has: [1, 3] },
  { name: 'user', one: 1, key: 'teams', has: [1] },
]
/** Changes of these lists: an entry is removed or added, or the list is replaced. Random ids are rarely in the list. */
const listChange = (written: typeof lists): fc.Arbitrary<Request> =>
  fc.constantFrom(...written).chain(({ name, one, key, has }) =>
    fc
      .oneof(
        { weight: 2, arbitrary: fc.constantFrom(...has, 1).map((item) => ({ disconnect: [item] })) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }).map((item) => ({ connect: [item] })) },
        { weight: 1, arbitrary: fc.subarray([...has, 4]) },
      )
      .map((change): Request => {
        const body = { [key]: change }
        return name === 'user'
          ? { method: 'PUT', path: `/api/users/${one}`, body, uid: userUid, kind: 'profile' }
          : {
              method: 'PUT',
              path: `/api/${name}s/${one}`,
              body: { data: body },
              uid: uidOf(name),
              kind: 'list',
            }
      }),
  )

const contentOf = (name: string): fc.Arbitrary<Request> => {
  const uid = uidOf(name)
  const path = `/api/${name}s`
  const at = (query: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(id, query).map(([one, given]) => `${path}/${one}?${given}`)
  const bulk = fc.record(
    {
      create: fc.array(
        dataOf(name).map((data) => ({ owner: 1, ...data })),
        { maxLength: 2 },
      ),
      update: fc.array(
        fc.tuple(id, dataOf(name)).map(([one, data]) => ({ ...data, id: one })),
        { maxLength: 2 },
      ),
      delete: fc.array(id, { maxLength: 1 }),
    },
    { requiredKeys: [] },
  )
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(at(queryOf(name)), dataOf(name)).map(([to, data]) => {
        const kind = Object.hasOwn(data, 'cover') ? 'attach' : 'update'
        return { method: 'PUT', path: to, body: { data }, uid, kind } as const
      }),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          queryOf(name),
          fc.oneof(
            dataOf(name),
            text.map((one) => ({ name: one })),
          ),
          fc.constantFrom(true, true, false),
        )
        .map(
          ([query, data, mine]) =>
            ({
              method: 'POST',
              path: `${path}?${query}`,
              body: { data: { ...(mine && { owner: 1 }), ...data } },
              uid,
              kind: 'create',
            }) as const,
        ),
    },
    {
      weight: 3,
      arbitrary: queryOf(name).map(
        (query) => ({ method: 'GET', path: `${path}?${query}`, uid, kind: 'read' }) as const,
      ),
    },
    {
      weight: 2,
      arbitrary: at(fc.oneof(queryOf(name), fc.constant('populate=*'))).map(
        (to) => ({ method: 'GET', path: to, uid, kind: 'read' }) as const,
      ),
    },
    {
      weight: 1,
      arbitrary: bulk.map(
        (body) =>
          ({ method: 'POST', path: `${path}/actions/bulk`, body, uid: undefined, kind: 'bulk' }) as const,
      ),
    },
  )
}

const profile: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom(1, 1, 2),
    fc.oneof(
      text.map((nickname) => ({ nickname })),
      related(true).map((memos) => ({ memos })),
      related(true).map((teams) => ({ teams })),
      fc.record({ nickname: text, memos: related(true), teams: related(true) }),
      fc.constantFrom({ role: 1 }, { role: 2 }, { blocked: true }, { confirmed: false }, { provider: 'x' }),
    ),
  )
  .map(([one, body]) => ({
    method: 'PUT',
    path: `/api/users/${one}`,
    body,
    uid: userUid,
    kind: 'profile',
  }))
const users: fc.Arbitrary<Request> = fc.constantFrom<Request>(
  ...[
    { path: '/api/users?populate=*', uid: userUid },
    { path: '/api/users/me', uid: userUid },
    { path: '/api/users/2?populate=memos', uid: userUid },
    { path: '/api/users/1?populate[teams][populate]=*', uid: userUid },
    { path: '/api/users/count?filters[nickname][$startsWith]=hidden 1', uid: undefined },
    { path: '/api/users/count?filters[memos][name]=hidden 1', uid: undefined },
    { path: '/api/users-permissions/roles', uid: undefined },
  ].map((one) => ({ ...one, method: 'GET', kind: 'read' }) as const),
  { method: 'DELETE', path: '/api/users/2', uid: userUid, kind: 'role' },
)
const roleWrites: fc.Arbitrary<Request> = fc.constantFrom<Request>(
  ...[
    { method: 'PUT', path: '/api/users-permissions/roles/1', body: { users: [1, 2] } },
    { method: 'PUT', path: '/api/users-permissions/roles/2', body: { name: 'hidden 1' } },
    {
      method: 'POST',
      path: '/api/users-permissions/roles',
      body: { name: 'a', description: 'a', permissions: {} },
    },
    { method: 'DELETE', path: '/api/users-permissions/roles/2' },
  ].map((one) => ({ ...one, uid: undefined, kind: 'role' }) as Request),
)

const content = fc.constantFrom('new', 'newer text')
const files: fc.Arbitrary<Request> = fc.oneof(
  content.map(
    (one) =>
      ({
        method: 'POST',
        path: '/api/upload',
        form: { content: one },
        uid: fileUid,
        kind: 'upload',
      }) as const,
  ),
  fc
    .tuple(
      fc.oneof(fc.constantFrom(1, 3), id),
      fc.oneof(
        content.map((one) => ({ content: one })),
        text.map((name) => ({ info: { name } })),
      ),
    )
    .map(
      ([one, form]) =>
        ({ method: 'POST', path: `/api/upload?id=${one}`, form, uid: fileUid, kind: 'replace' }) as const,
    ),
  id.map((one) => ({ method: 'GET', path: `/api/upload/files/${one}`, uid: fileUid, kind: 'read' }) as const),
  fc
    .constantFrom('', '?filters[caption][$startsWith]=hidden', '?sort=caption', '?populate=*', '?_q=hidden 1')
    .map(
      (query) => ({ method: 'GET', path: `/api/upload/files${query}`, uid: fileUid, kind: 'read' }) as const,
    ),
  fc
    .constantFrom(2, 3, 4, 6)
    .map(
      (one) =>
        ({ method: 'DELETE', path: `/api/upload/files/${one}`, uid: fileUid, kind: 'delete' }) as const,
    ),
)
const deletion: fc.Arbitrary<Request> = fc.tuple(fc.constantFrom(...names), id).map(([name, one]) => ({
  method: 'DELETE',
  path: `/api/${name}s/${one}?populate=*`,
  uid: uidOf(name),
  kind: 'delete',
}))

/** Tags by their articles, of which two are drafts: these take part with `publicationState=preview` only. */
const throughDrafts: fc.Arbitrary<Request> = fc
  .tuple(
    fc.constantFrom('filters[articles][id][$notNull]=true&sort=id', 'sort=articles.id,id'),
    fc.constantFrom('', '&publicationState=preview'),
  )
  .map(([query, state]) => ({
    method: 'GET',
    path: `/api/tags?${query}${state}`,
    uid: uidOf('tag'),
    kind: 'read',
    tagsBy: query.startsWith('sort') ? 'sort' : 'filter',
  }))

/** Requests about content and files, and others; more about types that the caller may write. */
const aboutContent = (
  isWritten: (name: string) => boolean,
  others: readonly fc.WeightedArbitrary<Request>[],
): fc.WeightedArbitrary<Request>[] => {
  const written = lists.filter(({ name }) => isWritten(name))
  return [
    {
      weight: 24,
      arbitrary: fc.constantFrom(...names, ...[...names, ...names].filter(isWritten)).chain(contentOf),
    },
    ...others,
    { weight: 3, arbitrary: files },
    { weight: 2, arbitrary: localization },
    { weight: 2, arbitrary: publication },
    { weight: 2, arbitrary: attachment },
    { weight: 2, arbitrary: deletion },
    ...(written.length > 0 ? [{ weight: 5, arbitrary: listChange(written) }] : []),
    { weight: 2, arbitrary: throughDrafts },
  ]
}

/** Requests of a user about each type. */
export function requestsOf(permissions: readonly Permission[]): fc.Arbitrary<Request> {
  const isWritten = (name: string): boolean =>
    permissions.some(({ action }) => action === `${uidOf(name)}.update`)
  const others = [
    { weight: 4, arbitrary: profile },
    { weight: 4, arbitrary: users },
    { weight: 1, arbitrary: roleWrites },
  ]
  return fc.oneof(...aboutContent(isWritten, others))
}

/** A body without owners: they are users, to whom no right of an editor leads. */
const withoutOwners = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'owner' in value
      ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'owner'))
      : value,
  )

/** Requests about content, sent to the endpoints of the desk. */
export const deskRequestsOf = (isWritten: (name: string) => boolean): fc.Arbitrary<Request> =>
  fc.oneof(...aboutContent((name) => name !== 'user' && isWritten(name), [])).map((request) => ({
    ...request,
    ...(request.body !== undefined && { body: withoutOwners(request.body) }),
    path: request.path
      .replace(/^\/api\/upload\/files/, '/desk/api/files')
      .replace(/^\/api\/upload/, '/desk/api/files')
      .replace(/^\/api/, '/desk/api/content'),
  }))
