/** The state of a list as its address has it, and the request for it. */
import { type Condition, readFilters, writeFilters } from '../../filters/index.ts'
import type { Query } from '../../query-text.ts'
import { cellFor } from '../extensions/registry.ts'
import { labelFieldOf, mainFieldOf } from '../model/layout.ts'
import { type ContentType, isToMany, pictureFieldOf, pictureFields, targetOf } from '../model/model.ts'
import { readableLocales } from '../model/rights.ts'
import type { SignedIn } from '../model/session.tsx'
import { allOf, partsOf } from './filter-fields.ts'

export interface ListState {
  readonly search: string
  readonly filters: Condition | undefined
  /** `title:asc` */
  readonly sort: string
  readonly view: 'all' | 'drafts' | 'published' | 'mine'
  readonly locale: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
  /** The place of the first entry of the page, from 0. */
  readonly from: number
}

const views: readonly string[] = ['drafts', 'published', 'mine']

export function stateOf(search: string): ListState {
  const query = new URLSearchParams(search)
  const view = query.get('view') ?? ''
  const [after, before] = [query.get('after') ?? undefined, query.get('before') ?? undefined]
  const from = Number(query.get('from'))
  return {
    search: query.get('q') ?? '',
    filters: readFilters(search),
    sort: query.get('sort') ?? '',
    view: views.includes(view) ? (view as ListState['view']) : 'all',
    locale: query.get('locale') ?? undefined,
    after,
    before,
    // Without a cursor it is the first page, whatever an address says.
    from: Number.isSafeInteger(from) && from > 0 && (after ?? before) !== undefined ? from : 0,
  }
}

export function searchOf({ search, filters, sort, view, locale, after, before, from }: ListState): string {
  const query = new URLSearchParams()
  if (search !== '') query.set('q', search)
  if (sort !== '') query.set('sort', sort)
  if (view !== 'all') query.set('view', view)
  if (locale !== undefined) query.set('locale', locale)
  if (after !== undefined) query.set('after', after)
  if (before !== undefined) query.set('before', before)
  if (from > 0) query.set('from', String(from))
  return [query.toString(), writeFilters(filters)].filter((part) => part !== '').join('&')
}

export interface Column {
  readonly name: string
  readonly kind: 'value' | 'relation' | 'state' | 'locales' | 'changed'
  readonly sortable: boolean
}

const shownTypes = [
  'string',
  'text',
  'enumeration',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'time',
  'email',
  'uid',
]

/** Columns with cells of their own. */
const ofDesk: readonly string[] = ['id', 'publishedAt', 'locale', 'updatedAt', 'localizations']

/** All columns that a list can have, without the first one, which names the entry. */
export function columnsOf(type: ContentType): readonly Column[] {
  const { list, fields } = type.layout
  const main = mainFieldOf(type)
  const isSortable = (name: string): boolean => fields[name]?.sortable !== false
  const own = Object.entries(type.attributes).flatMap(([name, definition]): readonly Column[] => {
    if (ofDesk.includes(name) || name === main || definition.private === true) return []
    // A list has only the attributes of the server that its layout names.
    if (definition.readOnly === true && !list.columns.includes(name)) return []
    if (definition.type === 'relation' && targetOf(definition)?.startsWith('api::'))
      return [{ name, kind: 'relation', sortable: false }]
    if (shownTypes.includes(definition.type)) return [{ name, kind: 'value', sortable: isSortable(name) }]
    return cellFor(definition) ? [{ name, kind: 'value', sortable: false }] : []
  })
  return [
    ...(type.hasDrafts ? [{ name: 'publishedAt', kind: 'state', sortable: true } as const] : []),
    ...(main === undefined ? [] : [{ name: 'id', kind: 'value', sortable: isSortable('id') } as const]),
    ...own,
    ...(type.isLocalized ? [{ name: 'locale', kind: 'locales', sortable: false } as const] : []),
    { name: 'updatedAt', kind: 'changed', sortable: isSortable('updatedAt') },
  ]
}

/** The columns without a choice of the person: those of the layout, with the state before them and the languages behind. */
export function usualColumns(type: ContentType): readonly string[] {
  const { columns } = type.layout.list
  const before = type.hasDrafts ? ['publishedAt'] : []
  const behind = type.isLocalized ? ['locale'] : []
  const isLast = columns.at(-1) === 'updatedAt'
  const all = [
    ...before,
    ...columns.slice(0, isLast ? -1 : undefined),
    ...behind,
    ...(isLast ? ['updatedAt'] : []),
  ]
  return [...new Set(all)].filter((name) => columnsOf(type).some((column) => column.name === name))
}

/**
 * The order of a list: that of the person or else of the layout, where the content has the attribute and the person may read it. A saved
 * view may be older than the content-type or the roles.
 */
export function sortOf({ layout, attributes }: ContentType, { sort }: Pick<ListState, 'sort'>): string {
  const isKnown = (order: string): boolean =>
    order.split(',').every((term) => {
      const [by = ''] = term.trim().split(/[.:]/)
      return by === 'id' || attributes[by] !== undefined
    })
  return [sort, layout.list.sort].find((order) => order !== '' && isKnown(order)) ?? 'id:desc'
}

/**
 * The locale of a list: the first that the person may read, also where a view or an address has one that was deleted since, or that the
 * roles do not show. `undefined`: the type has none.
 */
export function localeOf({ locale }: ListState, type: ContentType, session: SignedIn): string | undefined {
  if (!type.isLocalized) return undefined
  const codes = readableLocales(type, session).map(({ code }) => code)
  return codes.find((code) => code === locale) ?? codes[0]
}

/** The query of a page of the list. */
export function queryOf(
  type: ContentType,
  session: SignedIn,
  columns: readonly Column[],
  state: ListState,
): Query {
  const { model } = session
  const locale = localeOf(state, type, session)
  const main = mainFieldOf(type)
  const picture = pictureFieldOf(model, type.attributes)
  const values = columns.filter(({ kind, name }) => kind === 'value' && name !== 'id').map(({ name }) => name)
  const populate: Record<string, Query> = {}
  if (picture) populate[picture] = { fields: pictureFields }
  if (type.isLocalized)
    populate.localizations = { fields: ['locale', ...(type.hasDrafts ? ['publishedAt'] : [])] }
  for (const { name } of columns.filter(({ kind }) => kind === 'relation')) {
    const target = model.types.find(({ uid }) => uid === targetOf(type.attributes[name] ?? { type: '' }))
    if (!target) continue
    const label = labelFieldOf(model, type.uid, name, target)
    const many = isToMany(type.attributes[name] ?? { type: '' })
    populate[name] = { fields: [label ?? 'id'], ...(many && { limit: 4 }) }
  }
  return {
    publicationState: 'preview',
    ...(locale !== undefined && { locale }),
    fields: [
      ...new Set([
        ...(main ? [main] : []),
        ...values,
        'updatedAt',
        ...(type.hasDrafts ? ['publishedAt'] : []),
        ...(type.isLocalized ? ['locale'] : []),
      ]),
    ],
    populate,
    sort: [sortOf(type, state)],
    ...(state.search !== '' && { _q: state.search }),
    pagination: {
      pageSize: type.layout.list.pageSize,
      withCount: true,
      ...(state.before !== undefined ? { before: state.before } : { after: state.after ?? '' }),
    },
  }
}

/** The conditions of a list, for the request. */
export const filtersOf = ({ filters, view }: ListState, personId: number): string =>
  writeFilters(allOf([...ofView(view, personId), ...partsOf(filters)]))

function ofView(view: ListState['view'], personId: number): readonly Condition[] {
  const compare = (path: readonly string[], operator: string, value: string): readonly Condition[] => [
    { kind: 'comparison', path, operator, values: [value] },
  ]
  switch (view) {
    case 'drafts':
      return compare(['publishedAt'], '$null', 'true')
    case 'published':
      return compare(['publishedAt'], '$notNull', 'true')
    case 'mine':
      return compare(['createdBy', 'id'], '$eq', String(personId))
    case 'all':
      return []
  }
}
