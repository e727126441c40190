import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import { decodeQuery } from './decode.ts'
import { parseFields } from './fields.ts'
import { parseFilters } from './filters.ts'
import { refuseDeepPopulate, refuseForeign } from './foreign.ts'
import { defaultPagination, parsePagination } from './pagination.ts'
import { parameter } from './path.ts'
import { parsePopulate } from './populate.ts'
import type { ParamPath, RawPopulate, RawQuery, RawValue } from './raw.ts'
import { type DeclaredParams, Reading } from './reading.ts'
import { parseSearch } from './search.ts'
import { parseSort } from './sort.ts'

/** Parameters of core. */
export const ownParameters = ['sort', 'pagination', 'fields', 'populate', 'filters', '_q'] as const

const ours: ReadonlySet<string> = new Set(ownParameters)

/** Names that clients forget to put into `pagination`. */
const paging: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit'])

const nothingPopulated: RawPopulate = Object.freeze({ all: false, named: new Map() })

/** What a query string that says nothing asks for. One value for all, so do not compare by it. */
const emptyQuery: RawQuery = Object.freeze({
  fields: undefined,
  sort: Object.freeze([]),
  filters: undefined,
  populate: nothingPopulated,
  params: new Map(),
  pagination: defaultPagination,
  search: undefined,
})

export interface ParseOptions {
  readonly limits: Limits
  /** What plugins declared; a parameter of `root` scope, which is the default, is read at the top level only. */
  readonly params: DeclaredParams
  /** `one`: `pagination` says nothing and is not looked at. Default `list`. */
  readonly kind?: 'list' | 'one'
}

/**
 * Reads the text behind the `?` into what the client asked. It knows the grammar, not the content: whether a name exists
 * and a value fits is for `resolveQuery`. Parameters that nobody declared are ignored.
 *
 *     sort=title&fields=title&utm=x → { sort: [title asc], fields: [title], … }
 *
 * @throws PayloadTooLargeError for a text over `limits.queryLength`; PaginationError for `page` and the like outside of
 *   `pagination`; ValidationError for what is over another bound or not the grammar, naming the place.
 */
export function parseQuery(query: string, { limits, params, kind = 'list' }: ParseOptions): RawQuery {
  if (query === '') return emptyQuery
  const said = decodeQuery(query, limits, (name) => isRead(name, params))
  const reading = new Reading(limits, params)
  refuseDeepPopulate(said.get('populate') ?? '')

  const read = <T>(
    name: string,
    parse: (value: RawValue, at: ParamPath, reading: Reading) => T,
    otherwise: T,
  ): T => {
    const value = said.get(name)
    return value === undefined ? otherwise : parse(value, parameter(name), reading)
  }
  return {
    fields: read('fields', parseFields, undefined),
    sort: read('sort', parseSort, []),
    filters: read('filters', parseFilters, undefined),
    populate: read('populate', parsePopulate, nothingPopulated),
    params: declared(said, params),
    pagination: kind === 'one' ? defaultPagination : read('pagination', parsePagination, defaultPagination),
    search: read('_q', parseSearch, undefined),
  }
}

function isRead(name: string, params: DeclaredParams): boolean {
  if (ours.has(name) || params.has(name)) return true
  if (paging.has(name)) throw problem('query/misplaced-paging', { name })
  refuseForeign(name)
  return false
}

function declared(said: ReadonlyMap<string, RawValue>, params: DeclaredParams): RawQuery['params'] {
  const values = new Map<string, { readonly value: RawValue; readonly at: ParamPath }>()
  for (const name of params.keys()) {
    const value = said.get(name)
    if (value !== undefined) values.set(name, { value, at: parameter(name) })
  }
  return values
}
