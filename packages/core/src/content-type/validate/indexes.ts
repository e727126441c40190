import type { Draft } from '../draft/drafts.ts'
import { isGiven, isPlain } from '../draft/given.ts'
import { show } from '../draft/names.ts'
import type { Attribute, ModelIndex, RelationAttribute, ScalarAttribute } from '../model.ts'
import { didYouMean } from '../nearest.ts'

/** Types whose values may be too long for an index. */
const long: ReadonlySet<string> = new Set(['text', 'richtext'])

/**
 * The indexes of `options.indexes`, resolved; mistakes are reported.
 *
 *     { "indexes": [{ "attributes": ["status", "publishedAt", "id"] }, { "attributes": ["sku", "shop"], "unique": true }] }
 */
export function buildIndexes(
  draft: Draft,
  attributes: ReadonlyMap<string, Attribute>,
  id: ScalarAttribute,
): readonly ModelIndex[] {
  const given: unknown = draft.definition.options?.indexes
  if (!isGiven(given)) return []
  if (!Array.isArray(given)) {
    draft.report(['options', 'indexes'], `must be a list of { attributes: [names] }, not ${show(given)}`)
    return []
  }
  const seen = new Set<string>()
  return given.flatMap((item: unknown, i): readonly ModelIndex[] => {
    const path = ['options', 'indexes', String(i)]
    const index = buildIndex(item, path, draft, attributes, id)
    if (!index) return []
    const names = index.attributes.map(({ name }) => name).join(', ')
    if (seen.has(names)) {
      draft.report(path, `there is an index of ${names} already`)
      return []
    }
    seen.add(names)
    return [index]
  })
}

function buildIndex(
  item: unknown,
  path: readonly string[],
  draft: Draft,
  attributes: ReadonlyMap<string, Attribute>,
  id: ScalarAttribute,
): ModelIndex | undefined {
  if (!isPlain(item)) {
    draft.report(path, `must be an object such as { "attributes": ["title"] }, not ${show(item)}`)
    return undefined
  }
  const unknown = Object.keys(item).find((key) => key !== 'attributes' && key !== 'unique')
  if (unknown !== undefined)
    draft.report([...path, unknown], 'is not known; an index has attributes, and unique')
  if (isGiven(item.unique) && typeof item.unique !== 'boolean')
    draft.report([...path, 'unique'], `must be true or false, not ${show(item.unique)}`)
  const names: unknown = item.attributes
  if (!Array.isArray(names) || names.length === 0) {
    draft.report([...path, 'attributes'], 'must be a list of at least one name of an attribute')
    return undefined
  }
  const unique = item.unique === true
  const columns = names.map((name: unknown, n) => {
    const found = name === 'id' ? id : attributes.get(String(name))
    const reason = names.indexOf(name) < n ? 'is named twice' : reasonAgainst(found, unique)
    if (!reason) return found as ModelIndex['attributes'][number] // the line above leaves these
    const hint = found ? '' : didYouMean(String(name), ['id', ...attributes.keys()])
    draft.report([...path, 'attributes', String(n)], `${show(name)} ${reason}${hint}`)
    return undefined
  })
  const all = columns.filter((column) => column !== undefined)
  return all.length === names.length ? Object.freeze({ attributes: Object.freeze(all), unique }) : undefined
}

/** The reason why an attribute cannot be indexed; `undefined` when it can. */
function reasonAgainst(attribute: Attribute | undefined, unique: boolean): string | undefined {
  if (!attribute) return 'is no attribute'
  if (attribute.kind === 'scalar') {
    if (long.has(attribute.type.name)) return `is a ${attribute.type.name}, which is too long for an index`
    const unordered = attribute.type.secret || attribute.type.column(attribute.definition) === 'jsonb'
    return unordered ? `is a ${attribute.type.name}, which filters and sorts cannot use` : undefined
  }
  if (!isOwnKey(attribute)) return 'has no column in this table; only values and to-one relations have'
  return unique ? 'is a relation, of which no unique index is made' : undefined
}

const isOwnKey = (attribute: Attribute): attribute is RelationAttribute =>
  attribute.kind === 'relation' && attribute.storage.kind === 'own'
