/**
 * Parses `sort` into terms, most significant first. Names are not resolved: only `resolveSort` looks them up.
 *
 *     sort=title                    → title asc
 *     sort=title:desc,author.name   → title desc, author.name asc
 *     sort[0]=title:DESC&sort[1]=id → title desc, id asc
 *     sort[title]=desc&sort[id]=asc → the same
 *     sort[author][name]=desc       → author.name desc; also sort[0][author.name]=desc
 *     sort=_score                   → _score desc: the best matches of a full-text search first
 *     sort= or sort[0]=             → no terms: the default order
 *
 * Rejects a term with two directions or with one other than asc and desc, an empty name (`:desc`, `author..name`), an
 * empty direction (`title:`, `sort[title]=`), and more terms than `limits.sortTerms`.
 *
 * Source: docs/contract/reading.md#sort; commas and objects from the recorded exchanges sort-009 and sort-012, refusals
 * from sort-043.
 */
import { scoreName } from '../content-type/search/full-text.ts'
import { problem } from '../error/problems.ts'
import { child } from './path.ts'
import type { ParamPath, RawSort, RawValue } from './raw.ts'
import type { Reading } from './reading.ts'
import { entriesOf, isIndex, isList, shown } from './value.ts'

/** @throws ValidationError `query/bad-sort`, `query/list-too-long` */
export function parseSort(value: RawValue, at: ParamPath, reading: Reading): readonly RawSort[] {
  const terms = readTerms(value, at)
  const limit = reading.limits.sortTerms
  if (terms.length > limit) throw problem('query/list-too-long', { at, limit })
  return terms
}

function readTerms(value: RawValue, at: ParamPath): RawSort[] {
  if (typeof value === 'string') {
    const terms = value.split(',').map((term) => term.trim())
    return terms.filter(Boolean).map((term) => readTerm(term, at))
  }
  if (isList(value)) return value.flatMap((item, i) => readTerms(item, child(at, i)))
  return entriesOf(value).flatMap(([key, item]) =>
    isIndex(key) ? readTerms(item, child(at, key)) : readNested(readPath(key, at), item, child(at, key)),
  )
}

/** `title` or `title:desc` */
function readTerm(term: string, at: ParamPath): RawSort {
  const [path = '', direction = path.trim() === scoreName ? 'desc' : 'asc', ...rest] = term.split(':')
  if (rest.length > 0) throw problem('query/bad-sort', { at, value: shown(term) })
  return { path: readPath(path, at), direction: readDirection(direction, term, at), at }
}

/** Parses the value of `sort[path]`: a direction, or the rest of the path. */
function readNested(path: readonly string[], value: RawValue, at: ParamPath): RawSort[] {
  if (typeof value === 'string')
    return [{ path, direction: readDirection(value, `${path.join('.')}:${value}`, at), at }]
  if (isList(value)) return value.flatMap((item, i) => readNested(path, item, child(at, i)))
  return entriesOf(value).flatMap(([key, item]) =>
    readNested(isIndex(key) ? path : [...path, ...readPath(key, at)], item, child(at, key)),
  )
}

function readPath(text: string, at: ParamPath): readonly string[] {
  const path = text.split('.').map((name) => name.trim())
  if (path.includes('')) throw problem('query/bad-sort', { at, value: shown(text) })
  return path
}

function readDirection(text: string, term: string, at: ParamPath): 'asc' | 'desc' {
  const direction = text.trim().toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  throw problem('query/bad-sort', { at, value: shown(term) })
}
