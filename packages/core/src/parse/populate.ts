/**
 * Parses `populate` into named places with their options. Options of the same place are merged.
 *
 *     populate=*                                    → all, one level
 *     populate=author,seo.metaImage                 → author; seo, and in it metaImage
 *     populate[0]=author&populate[1]=seo            → author, seo; also populate[]= and a repeated populate=
 *     populate[author]=true                         → author; also * and any text except those of the next line
 *     populate=*&populate[seo]=false                → all except seo; also 0 and f
 *     populate[author][populate]=avatar             → author, and in it avatar; all forms again
 *     populate[author][fields]=name                 → author with its name; also sort, filters, and plugins' parameters
 *     populate[articles][start]=1&…[limit]=2        → of each parent's articles the second and third; also page, pageSize
 *     populate[articles][count]=true                → their number
 *     populate[blocks][on][blocks.hero]=true        → of a zone only these components; any text, or an object
 *     populate[latest][of]=articles                 → articles, under the name latest
 *     populate=loc&populate[h]=*                    → loc, h
 *     populate=true, populate=** or populate=deep   → a name that no content-type has, which populates nothing
 *     populate=, populate[author]=                  → nothing
 *
 * Other keys of a place are ignored and reported, including `pagination`. `false` leaves a place out whatever its other options. Rejects
 * bad nested parameters, an `on` without brackets, a `count` that is no boolean, and more levels or places than `limits` has.
 *
 * Source: docs/contract/reading.md#populate; recorded exchanges
 * populate-030 (pagination), populate-065 (commas), populate-083 (other keys) and clients-001 to clients-004 (unions).
 */
import { problem } from '../error/problems.ts'
import { parseFields } from './fields.ts'
import { bothFilters, parseFilters } from './filters.ts'
import { parseChildPage } from './pagination.ts'
import { child } from './path.ts'
import type { ParamPath, RawChild, RawNode, RawPagination, RawPopulate, RawValue } from './raw.ts'
import type { Reading } from './reading.ts'
import { parseSort } from './sort.ts'
import { unknownKeys } from './unknown.ts'
import { entriesOf, isIndex, isList, type RawObject, readYesNo, shown, unwrapped } from './value.ts'

/** Named places during parsing, while options are still added. */
type OpenPlaces = Map<string, OpenChild | false>

interface OpenPopulate extends RawPopulate {
  all: boolean
  readonly named: OpenPlaces
}

interface OpenChild extends RawChild {
  fields: RawNode['fields']
  sort: RawChild['sort']
  filters: RawChild['filters']
  readonly populate: OpenPopulate
  readonly params: Map<string, { readonly value: RawValue; readonly at: ParamPath }>
  page: RawPagination | undefined
  count: boolean
  on: OpenPlaces | undefined
  of: string | undefined
}

/**
 * @throws ValidationError `query/bad-populate`, `query/populate-too-deep`, `query/populate-too-large`, or what the
 *   parameter inside throws.
 */
export function parsePopulate(value: RawValue, at: ParamPath, reading: Reading): RawPopulate {
  const populate: OpenPopulate = { all: false, named: new Map() }
  addTo(populate, value, at, 1, reading)
  return populate
}

/** @param depth The level of the named places below the root, at least 1. */
function addTo(
  populate: OpenPopulate,
  value: RawValue,
  at: ParamPath,
  depth: number,
  reading: Reading,
): void {
  if (typeof value === 'string') {
    for (const path of value.split(',')) addPath(populate, path.trim(), at, depth, reading)
    return
  }
  for (const [key, item] of entriesOf(value)) {
    const place = child(at, key)
    if (isIndex(key)) addTo(populate, item, place, depth, reading)
    else addNamed(populate.named, key, item, place, depth, reading)
  }
}

/** `*`, `author`, `author.avatar` or `seo.*` */
function addPath(populate: OpenPopulate, path: string, at: ParamPath, depth: number, reading: Reading): void {
  const dot = path.indexOf('.')
  const name = dot === -1 ? path : path.slice(0, dot)
  const rest = dot === -1 ? '' : path.slice(dot + 1)
  if (name === '') return
  if (name === '*' && rest === '') {
    populate.all = true
    return
  }
  const place = openPlace(populate.named, name, at, depth, reading)
  if (place) addPath(place.populate, rest, at, depth + 1, reading)
}

/** The options of one place: a boolean, an object, or a list of these. */
function addNamed(
  places: OpenPlaces,
  name: string,
  value: RawValue,
  at: ParamPath,
  depth: number,
  reading: Reading,
): void {
  if (typeof value === 'string') {
    if (readYesNo(value) === false) places.set(name, false)
    else if (value !== '') openPlace(places, name, at, depth, reading)
    return
  }
  if (isList(value)) {
    for (const [i, item] of value.entries()) addNamed(places, name, item, child(at, i), depth, reading)
    return
  }
  // Options of an excluded place are still parsed, so that errors do not depend on the order of parameters.
  const place = openPlace(places, name, at, depth, reading) || newChild(at)
  addOptions(place, name, value, at, depth, reading)
  for (const [key, item] of entriesOf(value)) {
    if (isIndex(key)) addNamed(places, name, item, child(at, key), depth, reading)
  }
}

function addOptions(
  place: OpenChild,
  name: string,
  value: RawObject,
  at: ParamPath,
  depth: number,
  reading: Reading,
): void {
  if (reading.unknownName) unknownKeys(value, optionsOf(reading), at, reading)
  for (const [key, item] of entriesOf(value)) {
    const here = child(at, key)
    switch (key) {
      case 'fields':
        place.fields = bothFields(place.fields, parseFields(item, here))
        break
      case 'sort':
        place.sort = [...place.sort, ...parseSort(item, here, reading)]
        break
      case 'filters':
        place.filters = bothFilters(place.filters, parseFilters(item, here, reading))
        break
      case 'populate':
        addTo(place.populate, item, here, depth + 1, reading)
        break
      case 'count':
        place.count = readCount(item, here) || place.count
        break
      case 'on':
        addOn(place, item, here, depth, reading)
        break
      case 'of':
        place.of = readOf(item, name, here)
        break
      default:
        if ((reading.params.get(key)?.scope ?? 'root') !== 'root')
          place.params.set(key, { value: item, at: here })
    }
  }
  place.page = bothPages(place.page, parseChildPage(value, at), at)
}

/** The components of a zone are at the level of the zone. */
function addOn(zone: OpenChild, value: RawValue, at: ParamPath, depth: number, reading: Reading): void {
  if (value === '') return
  if (typeof value === 'string' || isList(value)) {
    throw problem('query/bad-populate', {
      at,
      reason: `expected components in brackets, such as [category.name]=true, not "${shown(value)}"`,
    })
  }
  zone.on ??= new Map()
  for (const [uid, item] of entriesOf(value))
    addNamed(zone.on, uid, typeof item === 'string' ? 'true' : item, child(at, uid), depth, reading)
}

/** The options of a place: those of this file, and the parameters of plugins for populated places. */
const optionsOf = ({ params }: Reading): readonly string[] => [
  ...['fields', 'sort', 'filters', 'populate', 'start', 'limit', 'page', 'pageSize', 'count', 'on', 'of'],
  ...[...params].filter(([, { scope = 'root' }]) => scope !== 'root').map(([name]) => name),
]

/** Returns or creates the place of a name; `false` when it is excluded. */
function openPlace(
  places: OpenPlaces,
  name: string,
  at: ParamPath,
  depth: number,
  reading: Reading,
): OpenChild | false {
  const known = places.get(name)
  if (known !== undefined) return known
  reading.countPlace(at, depth)
  const place = newChild(at)
  places.set(name, place)
  return place
}

const newChild = (at: ParamPath): OpenChild => ({
  fields: undefined,
  sort: [],
  filters: undefined,
  populate: { all: false, named: new Map() },
  params: new Map(),
  at,
  page: undefined,
  count: false,
  on: undefined,
  of: undefined,
})

/** The names under which a place may show an attribute of another name: they become part of the answer as they are. */
const ownName = /^[A-Za-z_~][\w~]{0,199}$/

/** The name of an attribute; `undefined` for an empty text. */
function readOf(item: RawValue, place: string, at: ParamPath): string | undefined {
  const name = unwrapped(item)
  if (!ownName.test(place))
    throw problem('query/bad-populate', {
      at,
      reason: `expected a name of letters, digits and _, not "${shown(place)}"`,
    })
  if (typeof name === 'string') return name === '' ? undefined : name
  throw problem('query/bad-populate', {
    at,
    reason: `expected the name of an attribute, not "${shown(item)}"`,
  })
}

function readCount(value: RawValue, at: ParamPath): boolean {
  const count = value === '' ? false : readYesNo(value)
  if (count !== undefined) return count
  throw problem('query/bad-populate', {
    at,
    reason: `expected true, 1, t, false, 0 or f, not "${shown(value)}"`,
  })
}

function bothFields(a: RawNode['fields'], b: RawNode['fields']): RawNode['fields'] {
  if (a === undefined || b === undefined) return a ?? b
  return a === '*' || b === '*' ? '*' : [...a, ...b]
}

function bothPages(
  a: RawPagination | undefined,
  b: RawPagination | undefined,
  at: ParamPath,
): RawPagination | undefined {
  if (!a || !b) return a ?? b
  if (a.kind !== b.kind) throw problem('query/mixed-paging', { at })
  return { ...a, ...b } as RawPagination // safe: both are of one kind, as checked above
}
