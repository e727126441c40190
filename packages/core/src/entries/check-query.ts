import {
  type Attribute,
  isValue,
  type Model,
  type Registry,
  type UsesAttribute,
} from '../content-type/model.ts'
import { didYouMean } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import { isObject } from '../kinds-of-values.ts'
import { pagingKeys } from '../parse/pagination.ts'
import { ownParameters } from '../parse/parse-query.ts'
import type { DeclaredParams } from '../parse/reading.ts'
import { isIndex } from '../parse/value.ts'
import { targetsOf } from '../resolve/unknown-places.ts'
import type { QueryInput } from './query/query-input.ts'

type Path = readonly string[]
type Populated = Attribute | UsesAttribute

const listKeys = ['fields', 'populate', 'sort', 'filters', 'start', 'limit', 'page', 'pageSize']

/** The options of a populated place, by the kind of its attribute. */
const childKeys = {
  scalar: [],
  computed: [],
  relation: [...listKeys, 'count'],
  component: listKeys,
  zone: ['fields', 'populate', 'on'],
  uses: ['fields', 'populate', 'sort', 'filters', 'start', 'limit', 'page', 'pageSize', 'on'],
} as const satisfies Record<Populated['kind'], readonly string[]>

/**
 * Checks the names in the query of a program that `parse` ignores in a URL: parameters, keys of `pagination`, and in
 * `populate` names and options at any depth.
 *
 *     { filtres: {} }                         → There is no parameter "filtres"; did you mean "filters"?
 *     { populate: ['athor'] }                 → populate.0: there is nothing to populate under the name "athor"; …
 *     { populate: { author: { sorts: [] } } } → There is no parameter "populate.author.sorts"; did you mean "sort"?
 *
 * @throws ValidationError `query/unknown-parameter`, `query/nothing-to-populate`
 */
export function checkQuery(query: QueryInput, type: Model, registry: Registry, params: DeclaredParams): void {
  checkKeys(query, [...ownParameters, ...params.keys()], [])
  if (isObject(query.pagination)) checkKeys(query.pagination, pagingKeys, ['pagination'])
  new PopulateCheck(registry, params).populate(query.populate, [type], ['populate'])
}

/** A key with the value `undefined` is treated as absent. */
function checkKeys(given: object, known: readonly string[], path: Path): void {
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && !known.includes(key))
      throw problem('query/unknown-parameter', {
        name: [...path, key].join('.'),
        hint: didYouMean(key, known, `; there are ${known.join(', ')}`),
      })
}

class PopulateCheck {
  readonly #registry: Registry
  /** Parameters of plugins that populated places may have. */
  readonly #params: readonly string[]

  constructor(registry: Registry, params: DeclaredParams) {
    this.#registry = registry
    this.#params = [...params].filter(([, { scope = 'root' }]) => scope !== 'root').map(([name]) => name)
  }

  /** @param models The models at this place: several in a dynamic zone. */
  populate(value: unknown, models: readonly Model[], path: Path): void {
    if (value === undefined || value === null || value === '') return
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) this.populate(item, models, [...path, String(i)])
    } else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        const here = [...path, key]
        if (isIndex(key)) this.populate(item, models, here)
        else if (item !== undefined) this.#options(item, this.#named(key, models, path), here)
      }
    } else {
      for (const names of String(value).split(',')) this.#path(names.trim(), models, path)
    }
  }

  /** `author.avatar` */
  #path(names: string, models: readonly Model[], path: Path): void {
    const [name = '', ...rest] = names.split('.')
    if (name === '' || (name === '*' && rest.length === 0)) return
    this.#path(rest.join('.'), this.#targets(this.#named(name, models, path)), path)
  }

  #options(value: unknown, attributes: readonly Populated[], path: Path): void {
    if (Array.isArray(value))
      for (const [i, item] of value.entries()) this.#options(item, attributes, [...path, String(i)])
    if (!isObject(value)) return
    const options = Object.fromEntries(Object.entries(value).filter(([key]) => !isIndex(key)))
    checkKeys(options, [...attributes.flatMap(({ kind }) => childKeys[kind]), ...this.#params], path)
    this.populate(value.populate, this.#targets(attributes), [...path, 'populate'])
    if (!isObject(value.on)) return
    const parts = attributes.flatMap((attribute) => (hasParts(attribute) ? targetsOf(attribute) : []))
    for (const [uid, item] of Object.entries(value.on)) {
      if (item === undefined) continue
      if (!parts.includes(uid)) throw nothingUnder(uid, parts, [...path, 'on'])
      this.#part(item, this.#registry.model(uid), [...path, 'on', uid])
    }
  }

  /** The options of one component of a zone, or of one content-type in a list of uses. */
  #part(value: unknown, model: Model, path: Path): void {
    if (!isObject(value)) return
    checkKeys(value, [...childKeys.component, ...this.#params], path)
    this.populate(value.populate, [model], [...path, 'populate'])
  }

  #named(name: string, models: readonly Model[], path: Path): readonly Populated[] {
    const all = models.flatMap(({ attributes, uses }) => [
      ...[...attributes.values()].filter(isPopulated),
      ...uses.values(),
    ])
    const found = all.filter((attribute) => attribute.name === name)
    if (found.length > 0) return found
    throw nothingUnder(
      name,
      all.map((attribute) => attribute.name),
      path,
    )
  }

  #targets(attributes: readonly Populated[]): readonly Model[] {
    return attributes.flatMap(targetsOf).map((uid) => this.#registry.model(uid))
  }
}

const hasParts = ({ kind }: Populated): boolean => kind === 'zone' || kind === 'uses'

const isPopulated = (attribute: Attribute): boolean => !isValue(attribute) && !attribute.private

const nothingUnder = (name: string, known: readonly string[], path: Path) =>
  problem('query/nothing-to-populate', {
    at: path.join('.'),
    name,
    hint: didYouMean(name, known),
  })
