/**
 * Parses `_q`, the search phrase.
 *
 *     _q=river lantern → that text, spaces and all
 *     _q=              → no search
 *
 * Rejects a list, an object, and more than `limits.searchLength` characters.
 *
 * Source: docs/contract/reading.md#_q; recorded exchanges search-001 to search-017.
 */
import { problem } from '../error/problems.ts'
import type { ParamPath, RawValue } from './raw.ts'
import type { Reading } from './reading.ts'

/** @throws ValidationError `query/bad-search`, `query/search-too-long` */
export function parseSearch(value: RawValue, at: ParamPath, reading: Reading): string | undefined {
  if (typeof value !== 'string') throw problem('query/bad-search', { at })
  const limit = reading.limits.searchLength
  if (value.length > limit) throw problem('query/search-too-long', { at, limit })
  return value === '' ? undefined : value
}
