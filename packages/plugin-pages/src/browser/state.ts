/** The query of the page, as its address has it after `#`. */
export interface QueryState {
  /** Path of the content-type: `/api/articles`. */
  readonly path: string
  /** The id of an entry; empty for the list. */
  readonly id: string
  /** Names; empty for all. */
  readonly fields: readonly string[]
  /** Whether entries meet all filters or any. */
  readonly match: 'and' | 'or'
  readonly filters: readonly FilterState[]
  readonly sort: readonly SortState[]
  /** Dotted paths: `author`, `author.articles`. */
  readonly populate: readonly string[]
  readonly page: string
  readonly pageSize: string
  readonly locale: string
  readonly publicationState: '' | 'preview'
  readonly search: string
}

export interface FilterState {
  /** A dotted path: `author.name`. */
  readonly path: string
  readonly operator: string
  /** Of lists and pairs: separated by commas. */
  readonly value: string
}

export interface SortState {
  /** A dotted path. */
  readonly path: string
  readonly direction: 'asc' | 'desc'
}

export const emptyState: QueryState = {
  path: '',
  id: '',
  fields: [],
  match: 'and',
  filters: [],
  sort: [],
  populate: [],
  page: '',
  pageSize: '',
  locale: '',
  publicationState: '',
  search: '',
}

/** The state without what is empty, for a short address. */
export const printState = (state: QueryState): string =>
  encodeURIComponent(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(state).filter(
          ([name, value]) => value.length > 0 && value !== emptyState[name as keyof QueryState], // a key of the state
        ),
      ),
    ),
  )

/** Reads the part of an address after `#`. Parts of another form are left out, since anyone may have written the link. */
export function readState(hash: string): QueryState {
  const given = parsed(hash.replace(/^#/, ''))
  const text = (name: string): string => (typeof given[name] === 'string' ? given[name] : '')
  const rows = (name: string, keys: readonly string[]): readonly Readonly<Record<string, string>>[] =>
    (Array.isArray(given[name]) ? given[name] : []).filter(
      (row: unknown): row is Readonly<Record<string, string>> =>
        isRecord(row) && keys.every((key) => typeof row[key] === 'string'),
    )
  const names = (name: string): readonly string[] =>
    (Array.isArray(given[name]) ? given[name] : []).filter((item: unknown) => typeof item === 'string')
  return {
    path: text('path'),
    id: text('id'),
    fields: names('fields'),
    match: given.match === 'or' ? 'or' : 'and',
    filters: rows('filters', ['path', 'operator', 'value']).map(
      ({ path = '', operator = '', value = '' }) => ({
        path,
        operator,
        value,
      }),
    ),
    sort: rows('sort', ['path']).map(({ path = '', direction }) => ({
      path,
      direction: direction === 'desc' ? 'desc' : 'asc',
    })),
    populate: names('populate'),
    page: text('page'),
    pageSize: text('pageSize'),
    locale: text('locale'),
    publicationState: given.publicationState === 'preview' ? 'preview' : '',
    search: text('search'),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    // Half of a pair of UTF-16 cannot be part of an address.
    const value: unknown = JSON.parse(decodeURIComponent(text), (_, part: unknown) =>
      typeof part === 'string' ? part.toWellFormed() : part,
    )
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
