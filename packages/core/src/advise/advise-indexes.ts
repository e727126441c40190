/** Finds filters and sorts of logged requests that no index serves, and suggests indexes. */
import { isComparedAsValue } from '../content-type/attribute-type.ts'
import type {
  ContentType,
  Model,
  Registry,
  RelationAttribute,
  ScalarAttribute,
} from '../content-type/model.ts'
import { fullTextOf } from '../content-type/search/full-text.ts'
import { searchedAttributes } from '../content-type/search/searched.ts'
import { type OperatorName, operators } from '../operator/table.ts'
import type { RawFilter, RawQuery, RawSort } from '../parse/raw.ts'
import { type Table, tablesOf } from '../schema/tables/tables.ts'

export interface ReadList {
  readonly type: ContentType
  readonly query: RawQuery
}

export interface Advice {
  /** The content-type or component, e.g. `api::article.article`. */
  readonly uid: string
  /** The filters and sorts, e.g. `filter status $eq, sort publishedAt:desc`. */
  readonly terms: string
  /** The number of requests with these filters and sorts. */
  readonly times: number
  /** The index to add to `options.indexes` of the model; `undefined`: no declarable index would serve. */
  readonly index: readonly string[] | undefined
  /** The attributes of `options.search` to add to the model; `undefined`: none of the terms searches in texts. */
  readonly search: readonly string[] | undefined
}

/** The comparisons in one table that must all be true. */
interface IndexDemand {
  readonly model: Model
  readonly compared: readonly Compared[]
  readonly sort: readonly { readonly attribute: ScalarAttribute; readonly direction: string }[]
}

interface Compared {
  readonly attribute: ScalarAttribute | RelationAttribute
  readonly operator: OperatorName
}

/** The use of a B-tree index for an operator; absent operators match too many rows or search in texts. */
const servedOperators: Partial<Record<OperatorName, 'value' | 'range'>> = {
  $eq: 'value',
  $in: 'value',
  $null: 'value',
  $lt: 'range',
  $lte: 'range',
  $gt: 'range',
  $gte: 'range',
  $between: 'range',
}

/** `$eqi` on a number, a boolean or a date also compares the value; see `resolve/filters.ts`. */
const serves = ({ attribute, operator }: Compared): 'value' | 'range' | undefined =>
  operator === '$eqi' && attribute.kind === 'scalar' && isComparedAsValue(attribute.type)
    ? 'value'
    : servedOperators[operator]

/** A comparison with a part of a text, which a trigram index serves. */
const isSearch = (one: Compared): one is Compared & { readonly attribute: ScalarAttribute } =>
  one.attribute.kind === 'scalar' &&
  one.attribute.type.search === 'text' &&
  'pattern' in operators[one.operator]

/** Most rows meet these operators, so a sequential scan is right. */
const unselective: ReadonlySet<OperatorName> = new Set([
  '$ne',
  '$nei',
  '$notIn',
  '$notNull',
  '$notContains',
  '$notContainsi',
])

/** The most frequent advice first. Unknown names are skipped: such requests were refused. */
export function adviseIndexes(registry: Registry, lists: readonly ReadList[]): readonly Advice[] {
  const tables = new Map(tablesOf(registry).map((table) => [table.name, table]))
  const found = new Map<string, Advice>()
  for (const { type, query } of lists) {
    for (const demand of demandsOf(type, query, registry)) {
      const advice = adviseOn(demand, tables)
      if (!advice) continue
      const key = JSON.stringify([advice.uid, advice.terms])
      found.set(key, { ...advice, times: (found.get(key)?.times ?? 0) + 1 })
    }
  }
  return [...found.values()].toSorted((a, b) => b.times - a.times || a.terms.localeCompare(b.terms))
}

function demandsOf(
  type: ContentType,
  { filters, sort }: RawQuery,
  registry: Registry,
): readonly IndexDemand[] {
  const demands: IndexDemand[] = []
  const own = filters ? gather(filters, type, registry, demands) : []
  // A filter finds few rows, which are sorted in memory; without a filter the sort reads the whole table.
  demands.push({ model: type, compared: own, sort: sortOf(sort, type) })
  return demands
}

/** Returns the comparisons in the model's own table; those in other tables and in alternatives are added to `demands`. */
function gather(
  filter: RawFilter,
  model: Model,
  registry: Registry,
  demands: IndexDemand[],
): readonly Compared[] {
  switch (filter.kind) {
    case 'and':
      return filter.children.flatMap((child) => gather(child, model, registry, demands))
    case 'or':
      // Each alternative is a separate index lookup.
      for (const child of filter.children)
        demands.push({ model, compared: gather(child, model, registry, demands), sort: [] })
      return []
    case 'field': {
      const attribute = filter.name === 'id' ? model.id : model.attributes.get(filter.name)
      // No index that a model can have serves an expression.
      if (!attribute || attribute.kind === 'zone' || attribute.kind === 'computed') return []
      if (attribute.kind === 'scalar')
        return comparedBy(filter.child).map((operator) => ({ attribute, operator }))
      const target = registry.model(attribute.kind === 'relation' ? attribute.target : attribute.component)
      const compared = gather(filter.child, target, registry, demands)
      const isKey = attribute.kind === 'relation' && attribute.storage.kind === 'own'
      const direct = comparedBy(filter.child)
      if (isKey && direct.length > 0) return direct.map((operator) => ({ attribute, operator }))
      if (isKey && compared.length > 0 && compared.every((one) => one.attribute === target.id))
        return compared.map(({ operator }) => ({ attribute, operator }))
      demands.push({ model: target, compared, sort: [] })
      return []
    }
    default:
      return []
  }
}

/** The operators on one attribute that must all be true. */
function comparedBy(filter: RawFilter): readonly OperatorName[] {
  if (filter.kind === 'compare') return [filter.operator]
  return filter.kind === 'and' ? filter.children.flatMap(comparedBy) : []
}

/** A sort through a relation reads all related rows, whatever the indexes; later terms cannot use an index order. */
function sortOf(terms: readonly RawSort[], model: Model): IndexDemand['sort'] {
  const sort: { attribute: ScalarAttribute; direction: string }[] = []
  for (const { path, direction } of terms) {
    const [name = '', ...rest] = path
    const attribute = name === 'id' ? model.id : model.attributes.get(name)
    if (attribute?.kind !== 'scalar' || rest.length > 0) break
    sort.push({ attribute, direction })
  }
  return sort
}

function adviseOn(
  { model, compared, sort }: IndexDemand,
  tables: ReadonlyMap<string, Table>,
): Omit<Advice, 'times'> | undefined {
  const selective = compared.filter(({ operator }) => !unselective.has(operator))
  const values = selective.filter((one) => serves(one) === 'value')
  const ranges = selective.filter((one) => serves(one) === 'range')
  const indexes = indexesOf(model, tables)
  const leads = (one: Compared): boolean => indexes.some(([first]) => first === columnOf(one.attribute))
  if (selective.some((one) => serves(one) && leads(one))) return undefined
  const searched = searchedAttributes(model) ?? []
  // A model has one index for searches: that of a full-text search is not replaced.
  const texts = selective.flatMap((one) => (isSearch(one) && !fullTextOf(model) ? [one.attribute] : []))
  if (texts.some((attribute) => searched.includes(attribute))) return undefined
  if (
    selective.length === 0 &&
    (sort.length === 0 || indexes.some(([first]) => first === sort[0]?.attribute.column))
  )
    return undefined

  const words = [
    ...selective.map(({ attribute, operator }) => `filter ${attribute.name} ${operator}`),
    ...sort.map(({ attribute, direction }) => `sort ${attribute.name}:${direction}`),
  ]
  const [range] = ranges
  const names = [
    ...values.map(({ attribute }) => attribute.name),
    ...(sort.length > 0
      ? [...sort.map(({ attribute }) => attribute.name), 'id']
      : range
        ? [range.attribute.name]
        : []),
  ]
  // When no comparison can use an index, an index can still provide the order.
  return {
    uid: model.uid,
    terms: words.join(', '),
    index: names.length > 0 ? [...new Set(names)] : undefined,
    search: texts.length > 0 ? [...new Set([...searched, ...texts].map(({ name }) => name))] : undefined,
  }
}

const indexesOf = (model: Model, tables: ReadonlyMap<string, Table>): readonly (readonly string[])[] => [
  [model.id.column],
  ...(tables.get(model.table)?.indexes ?? []).map(({ columns }) => columns),
]

const columnOf = (attribute: ScalarAttribute | RelationAttribute): string | undefined =>
  attribute.kind === 'scalar'
    ? attribute.column
    : attribute.storage.kind === 'own'
      ? attribute.storage.column
      : undefined
