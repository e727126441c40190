import { problem } from '../error/problems.ts'
import { isPlain } from '../kinds-of-values.ts'
import { child, parameter } from '../parse/path.ts'
import type { ParamPath } from '../parse/raw.ts'
import type { QueryInput } from './query/query-input.ts'

/** The content of a part of a query: conditions, names that are populated, the options of such a name, or a value. */
type Place = 'filters' | 'names' | 'options' | 'value'

/** The places of an empty list that holds for every entry, as no condition does. Below `$or` and `$not` it would have to be written. */
const holdsWhenEmpty = /^(?!.*\[\$(?:or|not)\]).*\[\$(?:and|notIn)\]$/

/**
 * A query as a query string can express it: without empty parts. The client, which has no dependencies, has the same rules in `query-string.ts`.
 *
 *     { populate: { author: {} } }    → { populate: { author: true } }
 *     { fields: [], sort: undefined } → {}
 *
 * @throws ValidationError `query/bad-filter` for an empty list in `filters`, except where it holds for every entry (`$and`, `$notIn`), and `query/bad-value` for a
 * promise, a `Set` and other objects without names: without the condition, the answer would have every entry.
 */
export function writtenQuery(query: QueryInput): QueryInput {
  const parts = Object.entries(query).map(([name, value]) => [
    name,
    written(value, within('options', name), parameter(name)),
  ])
  return Object.fromEntries(parts)
}

function written(value: unknown, place: Place, at: ParamPath): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value ?? undefined
  const isList = Array.isArray(value)
  const items = Object.entries(value)
  if (items.length === 0 && !isList && !isPlain(value))
    throw problem('query/bad-value', {
      at,
      value: value.constructor.name,
      expected: 'a value, a list or a plain object',
    })
  const parts = items
    .map(([key, item]) => [key, written(item, isList ? place : within(place, key), child(at, key))] as const)
    .filter(([, item]) => item !== undefined)
  if (parts.length > 0) return isList ? parts.map(([, item]) => item) : Object.fromEntries(parts)
  if (isList && place === 'filters' && !holdsWhenEmpty.test(at))
    throw problem('query/bad-filter', { at, reason: 'the list has no elements' })
  return !isList && place === 'options' ? true : undefined
}

function within(place: Place, key: string): Place {
  if (place === 'names') return 'options'
  if (place !== 'options') return place
  return key === 'filters' ? 'filters' : key === 'populate' || key === 'on' ? 'names' : 'value'
}
