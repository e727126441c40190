/** Random values of relations and media, from the ids of entries that are there. */
import fc from 'fast-check'
import { type Attribute, isToMany } from './model.ts'

export type Value = fc.Arbitrary<unknown>

export const someOf = (ids: readonly number[], maxLength = 3): fc.Arbitrary<readonly number[]> =>
  ids.length === 0 ? fc.constant([]) : fc.uniqueArray(fc.constantFrom(...ids), { maxLength })

/** Strapi counts the text and the number of one id as two entries. */
const item = (id: number): fc.Arbitrary<unknown> => fc.constantFrom<unknown>(id, { id })

/** Ids of a list, each in one of the forms of an id. */
const items = (ids: readonly number[]): Value =>
  someOf(ids).chain((chosen) => fc.tuple(...chosen.map((id) => item(id))))

function connections(ids: readonly number[]): Value {
  const beside = fc.constantFrom(...ids)
  const position = fc.oneof(
    fc.constantFrom({ start: true }, { end: true }),
    fc.record({ before: beside }),
    fc.record({ after: beside }),
  )
  return someOf(ids).chain((chosen) =>
    fc.tuple(
      ...chosen.map((id) =>
        fc.oneof(
          item(id),
          position.map((at) => ({ id, position: at })),
        ),
      ),
    ),
  )
}

export function relation(attribute: Attribute, ids: readonly number[]): Value {
  if (ids.length === 0) return fc.constantFrom<unknown>(null, {})
  if (!isToMany(attribute)) {
    const one = fc.constantFrom(...ids).chain(item)
    const listed = fc.constantFrom(...ids).map((id) => [id])
    return fc.oneof(
      one,
      fc.constantFrom<unknown>(null, {}),
      fc.record({ connect: listed }),
      fc.record({ disconnect: listed }),
      fc.record({ set: fc.oneof(listed, fc.constant([])) }),
    )
  }
  const change = fc.record({ connect: connections(ids), disconnect: items(ids) })
  return fc.oneof(items(ids), fc.constantFrom<unknown>(null, [], {}), fc.record({ set: items(ids) }), change)
}

/** A relation of an input of GraphQL has ids only. */
export function idsOf(attribute: Attribute, ids: readonly number[]): Value {
  const texts = ids.map(String)
  if (isToMany(attribute)) return fc.subarray(texts, { maxLength: Math.min(3, texts.length) })
  return fc.constantFrom<unknown>(null, ...texts)
}
