/** The state of a list as its address has it, and the request for it. */
import type { Query } from '../api.ts'
import { type ContentType, isToMany, type Model, mainFieldOf, pictureFieldOf, targetOf } from '../model.ts'

export interface Filter {
  readonly field: string
  readonly operator: string
  readonly value: string
}

export interface ListState {
  readonly search: string
  readonly filters: readonly Filter[]
  /** `title:asc` */
  readonly sort: string
  readonly view: 'all' | 'drafts' | 'published' | 'mine'
  readonly locale: string | undefined
  readonly after: string | undefined
  readonly before: string | undefined
  /** The place of the first entry of the page, from 0. */
  readonly from: number
}

export const pageSize = 25
const views: readonly string[] = ['drafts', 'published', 'mine']

const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' &&
  value !== null &&
  ['field', 'operator', 'value'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string')

function filtersIn(text: string | null): readonly Filter[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isFilter) : []
  } catch {
    return []
  }
}

export function stateOf(search: string): ListState {
  const query = new URLSearchParams(search)
  const view = query.get('view') ?? ''
  return {
    search: query.get('q') ?? '',
    filters: filtersIn(query.get('filters')),
    sort: query.get('sort') ?? '',
    view: views.includes(view) ? (view as ListState['view']) : 'all',
    locale: query.get('locale') ?? undefined,
    after: query.get('after') ?? undefined,
    before: query.get('before') ?? undefined,
    from: Number(query.get('from') ?? 0) || 0,
  }
}

export function searchOf({ search, filters, sort, view, locale, after, before, from }: ListState): string {
  const query = new URLSearchParams()
  if (search !== '') query.set('q', search)
  if (filters.length > 0) query.set('filters', JSON.stringify(filters))
  if (sort !== '') query.set('sort', sort)
  if (view !== 'all') query.set('view', view)
  if (locale !== undefined) query.set('locale', locale)
  if (after !== undefined) query.set('after', after)
  if (before !== undefined) query.set('before', before)
  if (from > 0) query.set('from', String(from))
  return query.toString()
}

export interface Column {
  readonly name: string
  readonly kind: 'value' | 'relation' | 'state' | 'locales' | 'changed'
  readonly sortable: boolean
}

const shownTypes = [
  'string',
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

/** All columns that a list can have, without the first one, which names the entry. */
export function columnsOf(type: ContentType): readonly Column[] {
  const main = mainFieldOf(type.attributes)
  const own = Object.entries(type.attributes).flatMap(([name, definition]): readonly Column[] => {
    if (name === main || definition.readOnly === true || definition.private === true) return []
    if (definition.type === 'relation' && targetOf(definition)?.startsWith('api::'))
      return [{ name, kind: 'relation', sortable: false }]
    return shownTypes.includes(definition.type) ? [{ name, kind: 'value', sortable: true }] : []
  })
  return [
    ...(type.hasDrafts ? [{ name: 'publishedAt', kind: 'state', sortable: true } as const] : []),
    ...own,
    ...(type.isLocalized ? [{ name: 'locale', kind: 'locales', sortable: false } as const] : []),
    { name: 'updatedAt', kind: 'changed', sortable: true },
  ]
}

/** The columns without a choice of the person: state, the first relation or value, languages, and the last change. */
export function usualColumns(type: ContentType): readonly string[] {
  const all = columnsOf(type)
  const own = [
    ...all.filter(({ kind }) => kind === 'relation').slice(0, 1),
    ...all.filter(({ kind, name }) => kind === 'value' && type.attributes[name]?.type !== 'uid').slice(0, 1),
  ]
  return all
    .filter((column) => own.includes(column) || !['value', 'relation'].includes(column.kind))
    .map(({ name }) => name)
}

/** The query of a page of the list. */
export function queryOf(
  type: ContentType,
  model: Model,
  columns: readonly Column[],
  state: ListState,
  personId: number,
): Query {
  const main = mainFieldOf(type.attributes)
  const picture = pictureFieldOf(type.attributes)
  const values = columns.filter(({ kind }) => kind === 'value').map(({ name }) => name)
  const populate: Record<string, Query> = {}
  if (picture) populate[picture] = { fields: ['url', 'formats', 'mime'] }
  if (type.isLocalized)
    populate.localizations = { fields: ['locale', ...(type.hasDrafts ? ['publishedAt'] : [])] }
  for (const { name } of columns.filter(({ kind }) => kind === 'relation')) {
    const target = model.types.find(({ uid }) => uid === targetOf(type.attributes[name] ?? { type: '' }))
    const label = target && mainFieldOf(target.attributes)
    if (!target) continue
    const many = isToMany(type.attributes[name] ?? { type: '' })
    populate[name] = { fields: [label ?? 'id'], ...(many && { limit: 4 }) }
  }
  return {
    publicationState: 'preview',
    ...(type.isLocalized && state.locale !== undefined && { locale: state.locale }),
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
    sort: [state.sort === '' ? 'updatedAt:desc' : state.sort],
    ...(state.search !== '' && { _q: state.search }),
    filters: { $and: conditionsOf(state, personId) },
    pagination: {
      pageSize,
      withCount: true,
      ...(state.before !== undefined ? { before: state.before } : { after: state.after ?? '' }),
    },
  }
}

const conditionsOf = ({ filters, view }: ListState, personId: number): readonly Query[] => [
  ...(view === 'drafts' ? [{ publishedAt: { $null: true } }] : []),
  ...(view === 'published' ? [{ publishedAt: { $notNull: true } }] : []),
  ...(view === 'mine' ? [{ createdBy: { id: { $eq: personId } } }] : []),
  ...filters.map(({ field, operator, value }) => {
    const flags = operator === '$null' || operator === '$notNull'
    const comparison: Query = { [operator]: flags ? true : value }
    return field.split('.').reduceRight<Query>((inner, name) => ({ [name]: inner }), comparison)
  }),
]
