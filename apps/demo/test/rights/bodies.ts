/** Random values, bodies and queries for the types of the model. */
import fc from 'fast-check'
import { contentTypes, names, uidOf } from './model.ts'

export const id = fc.integer({ min: 1, max: 6 })
const place = fc.oneof(
  fc.constantFrom({ start: true }, { end: true }),
  id.map((before) => ({ before })),
)
export const text = fc.constantFrom('a', 'b', 'open', 'hidden 1')
const item = fc.oneof(
  { weight: 3, arbitrary: id },
  id.map(String),
  id.map((one) => ({ id: one })),
)

/** The value of a relation in a body, in all its forms. */
export const related = (many: boolean) => {
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
  if (type === 'media') return fc.oneof(id, related(false))
  if (type === 'integer') return fc.integer({ min: 1, max: 3 })
  if (type === 'component')
    return fc.array(
      fc.tuple(text, id).map(([label, note]) => ({ label, note })),
      { maxLength: 2 },
    )
  return text
}
export const dataOf = (name: string): fc.Arbitrary<Record<string, unknown>> => {
  const attributes = contentTypes[names.indexOf(name)]?.attributes ?? {}
  const relations = Object.keys(attributes).filter(
    (key) => key !== 'owner' && ['relation', 'media'].includes(String(attributes[key]?.type)),
  )
  const one = fc
    .constantFrom(...Object.keys(attributes), ...relations, ...relations, 'publishedAt')
    .chain((key) =>
      fc.tuple(
        fc.constant(key),
        key === 'publishedAt'
          ? fc.constantFrom(null, '2024-01-01T00:00:00.000Z')
          : givenFor(attributes[key] ?? {}),
      ),
    )
  // Most bodies set one attribute: a refused attribute hides the result of the others.
  return fc.oneof(
    { weight: 3, arbitrary: one.map((entry) => Object.fromEntries([entry])) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }).map(Object.fromEntries) },
  )
}

const relationsOf = (name: string): readonly string[] =>
  Object.entries(contentTypes[names.indexOf(name)]?.attributes ?? {}).flatMap(([key, { type, relation }]) =>
    type === 'relation' && !String(relation).startsWith('morph') ? [key] : [],
  )
export const queryOf = (name: string): fc.Arbitrary<string> => {
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
