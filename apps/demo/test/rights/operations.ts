/** Random operations of GraphQL on the types of the model: reads at any depth, and writes with the bodies of REST. */
import type { Permission } from '@octavo/plugin-users-permissions'
import fc from 'fast-check'
import { dataOf, id, text } from './bodies.ts'
import { contentTypes, names, uidOf, userUid } from './model.ts'
import type { Request } from './request.ts'

const upper = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)
const typeOf = (name: string): string => (name === 'user' ? 'UsersPermissionsUser' : upper(name))

interface Relation {
  readonly name: string
  /** The name of its type. */
  readonly to: string
  readonly many: boolean
}

/** The relations of a type that the schema has. */
function relationsOf(type: string): readonly Relation[] {
  if (type === 'user') return [{ name: 'memos', to: 'memo', many: true }]
  return Object.entries(contentTypes[names.indexOf(type)]?.attributes ?? {}).flatMap(
    ([name, { type: kind, relation, target }]) => {
      if (kind !== 'relation' || relation === 'morphToOne') return []
      const to = target === userUid ? 'user' : (/\.(\w+)$/.exec(String(target))?.[1] ?? '')
      return [{ name, to, many: /Many$/.test(String(relation)) }]
    },
  )
}

const hasDrafts = (type: string): boolean => type === 'article' || type === 'page'
const valuesOf = (type: string): readonly string[] =>
  type === 'user'
    ? ['username', 'email', 'nickname']
    : type === 'page'
      ? ['name', 'year', 'locale']
      : ['name']

/** `{ id attributes { … } }` */
function entityOf(type: string, depth: number): fc.Arbitrary<string> {
  const values = fc.subarray([...valuesOf(type)])
  const relations = relationsOf(type)
  const some =
    depth === 0 || relations.length === 0
      ? fc.constant([])
      : fc
          .subarray([...relations], { maxLength: Math.min(2, relations.length) })
          .chain((all) => fc.tuple(...all.map((relation) => relationOf(relation, depth - 1))))
  return fc.tuple(values, some).map(([own, related]) => {
    const inner = [...own, ...related]
    return `{ id ${inner.length === 0 ? '' : `attributes { ${inner.join(' ')} }`} }`
  })
}

const relationOf = ({ name, to, many }: Relation, depth: number): fc.Arbitrary<string> =>
  fc
    .tuple(many ? argumentsOf(to) : fc.constant(''), entityOf(to, depth))
    .map(([given, entity]) => `${name}${given} { data ${entity} }`)

const quoted = (value: string | number): string => JSON.stringify(String(value))

/** A filter of a type, through its relations and on private attributes, too. */
function filterOf(type: string, depth = 1): fc.Arbitrary<string> {
  const value = fc
    .tuple(
      fc.constantFrom(
        ...valuesOf(type).filter((name) => name !== 'year'),
        ...(type === 'user' ? [] : ['secret']),
      ),
      fc.constantFrom('eq', 'ne', 'startsWith', 'containsi', 'gt'),
      fc.oneof(text, fc.constantFrom('hidden 1', 'secret 1', 'bob1')),
    )
    .map(([name, operator, operand]) => `{ ${name}: { ${operator}: ${quoted(operand)} } }`)
  const ids = id.map((one) => `{ id: { in: [${one}, 2] } }`)
  const relations = relationsOf(type)
  if (depth === 0 || relations.length === 0) return fc.oneof(value, ids)
  const through = fc
    .constantFrom(...relations)
    .chain(({ name, to }) => filterOf(to, depth - 1).map((inner) => `{ ${name}: ${inner} }`))
  return fc.oneof(
    value,
    ids,
    through,
    fc.tuple(through, value).map(([one, other]) => `{ or: [${one}, ${other}] }`),
    through.map((inner) => `{ not: ${inner} }`),
  )
}

/** Of a list: filters, sort and state. */
function argumentsOf(type: string): fc.Arbitrary<string> {
  const relations = relationsOf(type)
  const sort = fc.constantFrom(
    ...valuesOf(type),
    'id:desc',
    'secret',
    ...relations.map(({ name, to }) => `${name}.${valuesOf(to)[0] ?? 'id'}`),
  )
  const argument = fc.oneof(
    filterOf(type).map((filters) => `filters: ${filters}`),
    sort.map((term) => `sort: ${quoted(term)}`),
    fc.constantFrom('pagination: { limit: 2 }', ...(hasDrafts(type) ? ['publicationState: PREVIEW'] : [])),
  )
  return fc
    .uniqueArray(argument, { maxLength: 2, selector: (one) => one.split(':')[0] })
    .map((all) => (all.length === 0 ? '' : `(${all.join(', ')})`))
}

const request = (root: string, operation: string, type: string, more: Partial<Request>): Request => ({
  method: 'POST',
  // The interpreter knows by this word that drafts may be shown.
  path: /PREVIEW|Localization/.test(operation) ? '/graphql?preview' : '/graphql',
  body: { query: operation, ...(more.body as object | undefined) },
  uid: type === 'user' ? userUid : uidOf(type),
  kind: 'query',
  ...more,
  ...(more.body !== undefined && { body: { query: operation, ...(more.body as object) } }),
  root,
})

const queriesOf = (type: string): fc.Arbitrary<Request> => {
  const one = type === 'user' ? 'usersPermissionsUser' : type
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(argumentsOf(type), entityOf(type, 2), fc.boolean())
        .map(([given, entity, counts]) =>
          request(
            `${one}s`,
            `{ ${one}s${given} { data ${entity} ${counts ? 'meta { pagination { total } }' : ''} } }`,
            type,
            {},
          ),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(id, entityOf(type, 2))
        .map(([which, entity]) => request(one, `{ ${one}(id: ${which}) { data ${entity} } }`, type, {})),
    },
  )
}

/** Entries to name; 5 exists in one of the databases only, for the role that may not find it. */
const other = fc.constantFrom(5, 2, 4, 5, 1, 3)

/** Values of bodies that inputs of GraphQL can have: relations are ids. */
const inputOf = (type: string): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 1, arbitrary: dataOf(type).filter((data) => Object.values(data).every(isInput)) },
    { weight: 1, arbitrary: text.map((name) => ({ name })) },
    ...relationsOf(type).map(({ name, many }) => ({
      weight: 2,
      arbitrary: (many ? fc.array(other, { minLength: 1, maxLength: 3 }) : fc.option(other, { freq: 6 })).map(
        (ids) => ({
          [name]: ids,
        }),
      ),
    })),
  )
const isInput = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((one) => typeof one !== 'object'))

const mutationsOf = (type: string): fc.Arbitrary<Request> => {
  const name = typeOf(type)
  const input = inputOf(type)
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(id, input, entityOf(type, 1))
        .map(([one, data, entity]) =>
          request(
            `update${name}`,
            `mutation ($data: ${name}Input!) { update${name}(id: ${one}, data: $data) { data ${entity} } }`,
            type,
            { kind: 'mutation', body: { variables: { data } } },
          ),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(input, fc.boolean(), entityOf(type, 1))
        .map(([data, mine, entity]) =>
          request(
            `create${name}`,
            `mutation ($data: ${name}Input!) { create${name}(data: $data) { data ${entity} } }`,
            type,
            { kind: 'mutation', body: { variables: { data: { ...(mine && { owner: 1 }), ...data } } } },
          ),
        ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(id, entityOf(type, 1)).map(([one, entity]) =>
        request(`delete${name}`, `mutation { delete${name}(id: ${one}) { data ${entity} } }`, type, {
          kind: 'mutation',
          deletes: true,
        }),
      ),
    },
  )
}

const localization: fc.Arbitrary<Request> = fc
  .tuple(fc.constantFrom(1, 2, 3), fc.constantFrom('fr', 'de'), text, entityOf('page', 1))
  .map(([one, locale, name, entity]) =>
    request(
      'createPageLocalization',
      `mutation { createPageLocalization(id: ${one}, locale: ${quoted(locale)}, data: { name: ${quoted(name)} }) { data ${entity} } }`,
      'page',
      { kind: 'mutation' },
    ),
  )

/** Tags by their articles, of which two are drafts. */
const throughDrafts: fc.Arbitrary<Request> = fc
  .constantFrom(
    ['filter', 'filters: { articles: { id: { notNull: true } } }, sort: "id"'] as const,
    ['sort', 'sort: ["articles.id", "id"]'] as const,
  )
  .map(([tagsBy, given]) => request('tags', `{ tags(${given}) { data { id } } }`, 'tag', { tagsBy }))

/** Operations about each type; more about those that the role may write. */
export function operationsOf(permissions: readonly Permission[]): fc.Arbitrary<Request> {
  const isWritten = (name: string): boolean =>
    permissions.some(({ action }) => action === `${uidOf(name)}.update`)
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names, 'user').chain(queriesOf) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(...names, ...[...names, ...names].filter(isWritten)).chain(mutationsOf),
    },
    { weight: 1, arbitrary: localization },
    { weight: 1, arbitrary: throughDrafts },
  )
}

/** The body of REST for an answer: the value of its field, without what GraphQL shows as null or as an empty list. */
export function bodyOf(text: string, root: string): unknown {
  const answer = JSON.parse(text, (_name, value) => (isEmpty(value) ? undefined : value)) as
    | { readonly data?: Readonly<Record<string, unknown>> }
    | undefined
  return answer?.data?.[root]
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    (Object.keys(value).length === 0 ||
      ('data' in value && Array.isArray(value.data) && value.data.length === 0)))
