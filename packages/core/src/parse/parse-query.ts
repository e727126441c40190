import { problem } from '../error/problems.ts'
import type { Limits } from '../limits.ts'
import type { DeclaredOperators } from '../operator/added.ts'
import type { ReportUnknownName } from '../unknown-names.ts'
import { decodeQuery } from './decode.ts'
import { parseFields } from './fields.ts'
import { parseFilters } from './filters.ts'
import { refuseDepth, refuseForeign } from './foreign.ts'
import { defaultPagination, parsePagination } from './pagination.ts'
import { parameter } from './path.ts'
import { parsePopulate } from './populate.ts'
import type { ParamPath, RawPopulate, RawQuery, RawValue } from './raw.ts'
import { type DeclaredParams, Reading } from './reading.ts'
import { parseSearch } from './search.ts'
import { parseSort } from './sort.ts'
import { unknownParameter } from './unknown.ts'

/** The query parameters of core. */
export const ownParameters = ['sort', 'pagination', 'fields', 'populate', 'filters', '_q'] as const

const ours: ReadonlySet<string> = new Set(ownParameters)

/** Names that belong inside `pagination`. */
const paging: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit'])

const nothingPopulated: RawPopulate = Object.freeze({ all: false, named: new Map() })

/** The result for an empty query string. The shared value must not be used for identity checks. */
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
  /** The parameters that plugins declared. Parameters of scope `root` (the default) are read at the top level only. */
  readonly params: DeclaredParams
  /** The operators that plugins declared. Default: none. */
  readonly operators?: DeclaredOperators
  /** `one`: `pagination` is ignored. Default `list`. */
  readonly kind?: 'list' | 'one'
  /** Receives the names of parameters, keys of `pagination` and options in `populate` that nothing reads. Default: none. */
  readonly unknownName?: ReportUnknownName | undefined
}

/**
 * Parses the text after the `?` by the grammar alone: `resolveQuery` checks names and values.
 * Parameters that are not declared are ignored, or reported.
 *
 *     sort=title&fields=title&utm=x → { sort: [title asc], fields: [title], … }
 *
 * @throws PayloadTooLargeError for a text over `limits.queryLength`; PaginationError for `page` and the like outside
 *   `pagination`; ValidationError, which names the place, for other limits and invalid syntax.
 */
export function parseQuery(
  query: string,
  { limits, params, operators, kind = 'list', unknownName }: ParseOptions,
): RawQuery {
  if (query === '') return emptyQuery
  const reading = new Reading(limits, params, operators, unknownName)
  const given = decodeQuery(query, limits, (name) => isRead(name, reading))
  refuseDepth(given.get('populate') ?? '')

  const read = <T>(
    name: string,
    parse: (value: RawValue, at: ParamPath, reading: Reading) => T,
    otherwise: T,
  ): T => {
    const value = given.get(name)
    return value === undefined ? otherwise : parse(value, parameter(name), reading)
  }
  return {
    fields: read('fields', parseFields, undefined),
    sort: read('sort', parseSort, []),
    filters: read('filters', parseFilters, undefined),
    populate: read('populate', parsePopulate, nothingPopulated),
    params: declared(given, params),
    pagination: kind === 'one' ? defaultPagination : read('pagination', parsePagination, defaultPagination),
    search: read('_q', parseSearch, undefined),
  }
}

function isRead(name: string, reading: Reading): boolean {
  const { params } = reading
  if (ours.has(name) || params.has(name)) return true
  if (paging.has(name)) throw problem('query/misplaced-paging', { name })
  refuseForeign(name)
  unknownParameter(name, [...ours, ...params.keys()], reading)
  return false
}

function declared(given: ReadonlyMap<string, RawValue>, params: DeclaredParams): RawQuery['params'] {
  const values = new Map<string, { readonly value: RawValue; readonly at: ParamPath }>()
  for (const name of params.keys()) {
    const value = given.get(name)
    if (value !== undefined) values.set(name, { value, at: parameter(name) })
  }
  return values
}
