import fc from 'fast-check'
import { contentTypes, names, uidOf, userUid } from './model.ts'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The type of what it answers with; `undefined` where that is no entry. */
  readonly uid: string | undefined
}

const id = fc.integer({ min: 1, max: 6 })
const place = fc.oneof(
  fc.constantFrom({ start: true }, { end: true }),
  id.map((before) => ({ before })),
)
const text = fc.constantFrom('a', 'b', 'open', 'hidden 1')
const item = fc.oneof(
  { weight: 3, arbitrary: id },
  id.map(String),
  id.map((one) => ({ id: one })),
)

/** What a body says of a relation, in all its forms. */
const related = (many: boolean) => {
  const list = fc.array(item, { maxLength: many ? 3 : 1 })
  const positioned = fc.array(
    fc.tuple(id, place).map(([one, position]) => ({ id: one, position })),
    { maxLength: many ? 2 : 1 },
  )
  return fc.oneof(
    item,
    list,
    list.map((connect) => ({ connect })),
    positioned.map((connect) => ({ connect })),
    fc.tuple(list, list).map(([connect, disconnect]) => ({ connect, disconnect })),
    list.map((disconnect) => ({ disconnect })),
    list.map((set) => ({ set })),
    fc.constant(null),
  )
}
const subject = fc.oneof(
  fc.tuple(id, fc.constantFrom('article', 'memo', 'note'), fc.boolean()).map(([one, name, isField]) => ({
    id: one,
    type: uidOf(name),
    ...(isField && name === 'article' && { field: 'comments' }),
  })),
  fc.constant(null),
)

/** A value for an attribute, by its definition. */
function givenFor(definition: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const { type, relation } = definition
  if (relation === 'morphToOne') return subject
  if (type === 'relation') return related(String(relation).endsWith('Many'))
  if (type === 'integer') return fc.integer({ min: 1, max: 3 })
  if (type === 'component')
    return fc.array(
      fc.tuple(text, id).map(([label, note]) => ({ label, note })),
      { maxLength: 2 },
    )
  return text
}
const dataOf = (name: string): fc.Arbitrary<Record<string, unknown>> => {
  const attributes = contentTypes[names.indexOf(name)]?.attributes ?? {}
  const one = fc
    .constantFrom(...Object.keys(attributes), ...Object.keys(attributes), 'publishedAt')
    .chain((key) =>
      fc.tuple(
        fc.constant(key),
        key === 'publishedAt'
          ? fc.constantFrom(null, '2024-01-01T00:00:00.000Z')
          : givenFor(attributes[key] ?? {}),
      ),
    )
  return fc.array(one, { minLength: 1, maxLength: 3 }).map(Object.fromEntries)
}

const relationsOf = (name: string): readonly string[] =>
  Object.entries(contentTypes[names.indexOf(name)]?.attributes ?? {}).flatMap(([key, { type, relation }]) =>
    type === 'relation' && !String(relation).startsWith('morph') ? [key] : [],
  )
const query = (name: string): fc.Arbitrary<string> => {
  const relation = fc.constantFrom(...relationsOf(name))
  const field = fc.constantFrom('name', 'id', 'secret', 'owner', 'project', 'year', 'nickname', 'email')
  const parameter = fc.oneof(
    fc.constantFrom(
      'populate=*',
      'publicationState=preview',
      'fields=name',
      'locale=all',
      'sort=name',
      'sort=owner.nickname',
    ),
    relation.map((one) => `populate[${one}][populate]=*`),
    fc.tuple(relation, field, text).map(([one, two, value]) => `filters[${one}][${two}]=${value}`),
    fc.tuple(relation, id).map(([one, value]) => `filters[${one}]=${value}`),
    fc.tuple(relation, field).map(([one, two]) => `sort=${one}.${two}`),
    fc.tuple(field, text).map(([one, value]) => `filters[${one}][$contains]=${value}`),
    text.map((value) => `_q=${value}`),
  )
  return fc.array(parameter, { maxLength: 2 }).map((parts) => parts.join('&'))
}

const content = (name: string): fc.Arbitrary<Request> => {
  const uid = uidOf(name)
  const path = `/api/${name}s`
  const entry = fc.tuple(id, query(name)).map(([one, asked]) => `${path}/${one}?${asked}`)
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
  const own: fc.Arbitrary<Request>[] =
    name === 'page'
      ? [
          fc.tuple(id, fc.constantFrom('fr', 'de'), dataOf(name)).map(([one, locale, data]) => ({
            method: 'POST',
            path: `${path}/${one}/localizations`,
            body: { ...data, locale },
            uid,
          })),
          fc
            .tuple(id, fc.constantFrom('publish', 'unpublish'))
            .map(([one, action]) => ({ method: 'POST', path: `${path}/${one}/actions/${action}`, uid })),
        ]
      : []
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(entry, dataOf(name))
        .map(([to, data]) => ({ method: 'PUT', path: to, body: { data }, uid }) as const),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(query(name), dataOf(name), fc.boolean()).map(
        ([asked, data, mine]) =>
          ({
            method: 'POST',
            path: `${path}?${asked}`,
            body: { data: { ...(mine && { owner: 1 }), ...data } },
            uid,
          }) as const,
      ),
    },
    {
      weight: 3,
      arbitrary: query(name).map((asked) => ({ method: 'GET', path: `${path}?${asked}`, uid }) as const),
    },
    { weight: 1, arbitrary: entry.map((to) => ({ method: 'GET', path: to, uid }) as const) },
    {
      weight: 1,
      arbitrary: bulk.map(
        (body) => ({ method: 'POST', path: `${path}/actions/bulk`, body, uid: undefined }) as const,
      ),
    },
    ...own.map((arbitrary) => ({ weight: 3, arbitrary })),
  )
}

const users: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.integer({ min: 1, max: 2 }),
        fc.record({ nickname: text, memos: related(true) }, { requiredKeys: [] }),
      )
      .map(([one, body]) => ({ method: 'PUT', path: `/api/users/${one}`, body, uid: userUid }) as const),
  },
  fc.constantFrom<Request>(
    { method: 'GET', path: '/api/users?populate=*', uid: userUid },
    { method: 'GET', path: '/api/users/me', uid: userUid },
    { method: 'GET', path: '/api/users/2?populate=memos', uid: userUid },
    { method: 'GET', path: '/api/users/count?filters[nickname][$startsWith]=hidden', uid: undefined },
    { method: 'GET', path: '/api/users/count?filters[memos][name]=hidden 1', uid: undefined },
    { method: 'DELETE', path: '/api/users/2', uid: userUid },
    { method: 'GET', path: '/api/users-permissions/roles', uid: undefined },
    { method: 'PUT', path: '/api/users-permissions/roles/1', body: { users: [1, 2] }, uid: undefined },
    { method: 'GET', path: '/api/upload/files', uid: undefined },
  ),
)
const deletion: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(...names), id)
  .map(([name, one]) => ({ method: 'DELETE', path: `/api/${name}s/${one}?populate=*`, uid: uidOf(name) }))

export const requests = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(...names).chain(content) },
  { weight: 6, arbitrary: users },
  { weight: 1, arbitrary: deletion },
)
