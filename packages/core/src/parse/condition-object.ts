/**
 * Parses conditions that are written as an object, in code or in a file, with the grammar of `filters`. Values have their
 * JSON types; `null` is short for `{ $null: true }`.
 *
 *     { title: 'Zebra' }                       → title $eq Zebra
 *     { author: { id: 7 } }                    → author (id $eq 7)
 *     { views: { $between: [1, 9] } }          → views $between 1, 9
 *     { $or: [{ public: true }, { owner: 7 }] } → public $eq true or owner $eq 7
 *     { author: null }                         → author $null true
 *
 * Rejects what `filters` rejects, and lists without elements, objects without conditions below the first, and promises and
 * other objects that are no values, which a query string cannot express: they would hold for every entry. No limit applies.
 */
import { problem } from '../error/problems.ts'
import { isObject, isPlain } from '../kinds-of-values.ts'
import { defaultLimits } from '../limits.ts'
import { parseFilters } from './filters.ts'
import { child, parameter } from './path.ts'
import type { ParamPath, RawFilter, RawValue } from './raw.ts'
import { Reading } from './reading.ts'

const unlimited = {
  ...defaultLimits,
  filterNodes: Number.POSITIVE_INFINITY,
  searchLength: Number.POSITIVE_INFINITY,
}

/**
 * @param name The name of the object in messages, such as `where`.
 * @throws ValidationError `query/bad-filter`, `query/unknown-operator`
 */
export function parseConditions(conditions: object, name: string): RawFilter {
  const at = parameter(name)
  const isEmpty = isPlain(conditions) && Object.keys(conditions).length === 0
  const given = isEmpty ? {} : rawValueOf(conditions, at)
  const raw = parseFilters(given, at, new Reading(unlimited, new Map()))
  if (!raw) throw problem('query/bad-filter', { at, reason: 'expected an object with conditions' })
  return raw
}

function rawValueOf(value: unknown, at: ParamPath): RawValue {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null) return { $null: 'true' }
  if (Array.isArray(value)) {
    if (value.length === 0) throw problem('query/bad-filter', { at, reason: 'the list has no elements' })
    return value.map((item, i) => rawValueOf(item, child(at, i)))
  }
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  if (!isObject(value) || (Object.keys(value).length === 0 && !isPlain(value)))
    throw problem('query/bad-filter', {
      at,
      reason: 'expected a text, a number, a boolean, null, a list or an object',
    })
  if (Object.keys(value).length === 0)
    throw problem('query/bad-filter', { at, reason: 'the object has no conditions' })
  const raw: Record<string, RawValue> = Object.create(null)
  for (const [key, item] of Object.entries(value)) raw[key] = rawValueOf(item, child(at, key))
  return raw
}
