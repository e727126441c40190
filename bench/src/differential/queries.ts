/** Random reads, without what is answered otherwise on purpose: see the table of differences in docs/contract. */
import fc from 'fast-check'
import { type Attribute, isToMany, linksOf, targetOf, uidOf, valuesOf } from './model.ts'
import { encoded, notation, type Parameters } from './notations.ts'
import { contentTypes } from './project.ts'
import { operand, word } from './values.ts'

const none: fc.Arbitrary<Parameters> = fc.constant([])
const one = (name: string, value: string | number): Parameters => [[name, value]]
const together = (...parts: readonly fc.Arbitrary<Parameters>[]): fc.Arbitrary<Parameters> =>
  fc.tuple(...parts).map((lists) => lists.flat())
const sometimes = (percent: number, part: fc.Arbitrary<Parameters>): fc.Arbitrary<Parameters> =>
  fc.oneof({ weight: 100 - percent, arbitrary: none }, { weight: percent, arbitrary: part })
const oneOf = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items)

const everyType = ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull', '$not', '']
const ordered = ['$lt', '$lte', '$gt', '$gte', '$between']
const textual = [
  ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
]
const texts = new Set(['string', 'text', 'richtext', 'uid', 'email'])

function operatorsOf({ type }: Attribute): readonly string[] {
  if (type === 'json') return ['$null', '$notNull']
  if (texts.has(type)) return [...everyType, ...ordered, ...textual]
  return type === 'boolean' || type === 'enumeration' ? everyType : [...everyType, ...ordered]
}

function comparison(at: string, attribute: Attribute): fc.Arbitrary<Parameters> {
  const value = operand(attribute)
  return oneOf(operatorsOf(attribute)).chain((operator) => {
    const place = operator === '' ? at : `${at}[${operator}]`
    const listed = (min: number, max: number) =>
      fc
        .array(value, { minLength: min, maxLength: max })
        .map((items) => items.map((item, i) => [`${place}[${i}]`, item] as const))
    if (operator === '$between') return listed(2, 2)
    if (operator === '$in' || operator === '$notIn') return listed(1, 3)
    if (operator === '$null' || operator === '$notNull')
      return oneOf(['true', 'false', '1', '0', 'f', 'yes']).map((flag) => one(place, flag))
    const single = value.map((text) => one(place, text))
    // Any of several values. The reference takes no list for `$not`.
    if (operator === '$not') return single
    return fc.oneof({ weight: 6, arbitrary: single }, { weight: 1, arbitrary: listed(2, 3) })
  })
}

function filters(model: string, at: string, depth = 0): fc.Arbitrary<Parameters> {
  const attribute = oneOf(valuesOf(model)).chain((value) => comparison(`${at}[${value.name}]`, value))
  if (depth === 3) return attribute
  const through = linksOf(model).filter(({ type }) => type === 'relation' || type === 'component')
  const parts = [{ weight: 5, arbitrary: attribute }]
  if (through.length > 0) {
    const nested = oneOf(through).chain((link) => filters(targetOf(link), `${at}[${link.name}]`, depth + 1))
    parts.push({ weight: 3, arbitrary: nested })
  }
  const groups = oneOf(['$and', '$or']).chain((group) =>
    together(...[0, 1].map((i) => filters(model, `${at}[${group}][${i}]`, depth + 1))),
  )
  parts.push({ weight: 1, arbitrary: groups })
  parts.push({ weight: 1, arbitrary: filters(model, `${at}[$not]`, depth + 1) })
  return fc.oneof(...parts)
}

/** Times at which the two servers stored an entry, which differ by milliseconds: they give no common order. */
const unsorted = new Set(['createdAt', 'updatedAt', 'publishedAt'])

function sortTerm(model: string, depth = 0): fc.Arbitrary<string> {
  const own = valuesOf(model).filter(({ name, type }) => type !== 'json' && !unsorted.has(name))
  const attribute = oneOf(own.map(({ name }) => name))
  const through = linksOf(model).filter(
    (link) => (link.type === 'relation' || link.type === 'component') && !isToMany(link),
  )
  if (depth === 2 || through.length === 0) return attribute
  const nested = oneOf(through).chain((link) =>
    sortTerm(targetOf(link), depth + 1).map((term) => `${link.name}.${term}`),
  )
  return fc.oneof({ weight: 3, arbitrary: attribute }, { weight: 1, arbitrary: nested })
}

const sort = (model: string, at: string): fc.Arbitrary<Parameters> =>
  fc
    .tuple(sortTerm(model), oneOf(['', ':desc', ':ASC']))
    .map(([term, direction]) => one(at, `${term}${direction},id`))

const fields = (model: string, at: string): fc.Arbitrary<Parameters> =>
  fc
    .uniqueArray(oneOf(valuesOf(model).map(({ name }) => name)), { minLength: 1, maxLength: 2 })
    .map((names) => names.map((name, i) => [`${at}[fields][${i}]`, name] as const))

function inZone({ name, components = [] }: Attribute, at: string, depth: number): fc.Arbitrary<Parameters> {
  const kept = oneOf(components as readonly string[]).chain((uid) =>
    fc.oneof(
      oneOf(['true', '*', '', 'false']).map((value) => one(`${at}[${name}][on][${uid}]`, value)),
      populate(uid, `${at}[${name}][on][${uid}][populate]`, depth + 1),
    ),
  )
  return fc.oneof(
    fc.constant(one(`${at}[${name}][populate]`, '*')),
    fc.constant(one(`${at}[${name}]`, '*')),
    kept,
  )
}

function inLink(link: Attribute, at: string, depth: number): fc.Arbitrary<Parameters> {
  const place = `${at}[${link.name}]`
  const target = targetOf(link)
  const whole = oneOf(['true', '*', 'yes']).map((value) => one(place, value))
  if (depth > 2) return whole
  const count = oneOf(['true', '1', 't']).map((flag) => one(`${place}[count]`, flag))
  // Strapi adds the attribute of a sort to the selected ones.
  const chosen =
    link.type === 'relation'
      ? fc.oneof(
          fields(target, place),
          sort(target, `${place}[sort]`),
          filters(target, `${place}[filters]`, 1),
        )
      : fields(target, place)
  const below = populate(target, `${place}[populate]`, depth + 1)
  const deep = linksOf(target).length > 0 ? together(chosen, below) : chosen
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    { weight: 4, arbitrary: chosen },
    { weight: 4, arbitrary: deep },
    { weight: 1, arbitrary: count },
  )
}

function populate(model: string, at: string, depth = 0): fc.Arbitrary<Parameters> {
  const links = linksOf(model)
  if (links.length === 0) return none
  const some = fc
    .uniqueArray(oneOf(links), { minLength: 1, maxLength: 3, selector: ({ name }) => name })
    .chain((chosen) =>
      together(
        ...chosen.map((link) =>
          link.type === 'dynamiczone' ? inZone(link, at, depth) : inLink(link, at, depth),
        ),
      ),
    )
  const all = fc.constant(one(at, '*'))
  const list = fc
    .uniqueArray(oneOf(links.map(({ name }) => name)), { minLength: 1, maxLength: 2 })
    .map((names) => one(at, names.join()))
  return fc.oneof(all, list, { weight: 3, arbitrary: some })
}

/** More than a whole number of 4 bytes. */
const long = 99_999_999_999

const pagination: fc.Arbitrary<Parameters> = fc.oneof(
  fc
    .tuple(oneOf([0, 1, 2, 3, '', '1e1', long]), oneOf([1, 2, 3, 200, 0, -1, '', '0x2', '2.0', long]))
    .map(([page, size]) => [...one('pagination[page]', page), ...one('pagination[pageSize]', size)]),
  fc
    .tuple(oneOf([-1, 0, 1, 3, '', ' 2', long]), oneOf([1, 2, 5, -1, 0, -2, 1_000, '', '1e1', long]))
    .map(([start, limit]) => [...one('pagination[start]', start), ...one('pagination[limit]', limit)]),
  oneOf(['true', 'false', '0', '1']).map((flag) => one('pagination[withCount]', flag)),
)

/** Strapi searches private attributes as well. */
const hasPrivate = new Set(
  contentTypes.filter(({ attributes }) => Object.values(attributes).some((one) => one.private)).map(uidOf),
)

function ofList(model: string): fc.Arbitrary<Parameters> {
  const order = fc.oneof(fields(model, '').map(withoutBrackets), sort(model, 'sort'))
  const search = hasPrivate.has(model)
    ? none
    : sometimes(
        10,
        word.filter(Boolean).map((q) => one('_q', q)),
      )
  return together(order, sometimes(60, filters(model, 'filters')), search, sometimes(30, pagination))
}

/** `[fields][0]` inside an object is `fields[0]` at the root. A list without another sort is in the order of ids. */
const withoutBrackets = (parameters: Parameters): Parameters => [
  ...parameters.map(([name, value]) => [name.replace('[fields]', 'fields'), value] as const),
  ['sort', 'id'],
]

/** @param ids The highest id of a path. @returns The path and the query of a GET */
export const read = (ids: number): fc.Arbitrary<string> =>
  oneOf(contentTypes).chain((type) => {
    const { singularName, pluralName } = type.info
    const model = uidOf(type)
    const isLocalized = JSON.stringify(type.pluginOptions ?? {}).includes('"localized":true')
    const locale = oneOf(['fr', 'de', 'en', 'all']).map((code) => one('locale', code))
    const always = [
      sometimes(50, populate(model, 'populate')),
      // Filters and populated relations go to drafts in Strapi, whatever is asked for.
      fc.constant(one('publicationState', 'preview')),
    ]
    const single = together(...always, isLocalized ? sometimes(30, locale) : none)
    const list = together(ofList(model), ...always, isLocalized ? sometimes(30, locale) : none)
    const entry = fc
      .integer({ min: 1, max: ids })
      .chain((id) => address(`${pluralName}/${id}`, together(...always)))
    if (type.kind === 'singleType') return address(singularName, single)
    return fc.oneof({ weight: 6, arbitrary: address(pluralName, list) }, { weight: 1, arbitrary: entry })
  })

/** Octavo does not read the filters and the sort of a relation that the caller may not find. */
export const isPlain = (parameters: string): boolean =>
  !/(?:^|[?&])populate[^&=]*\[(?:filters|sort)\]/.test(decodeURIComponent(parameters))

/**
 * The parameters by which a write asks for its answer.
 * @param path Its own, with the locale of a single type.
 */
export function ofAnswer(uid: string, path: string): fc.Arbitrary<string> {
  const isSingle = contentTypes.some((type) => uidOf(type) === uid && type.kind === 'singleType')
  const own = new URLSearchParams(path.replace(/^[^?]*/, '')).get('locale')
  const locale = isSingle
    ? fc.constant(own === null ? [] : one('locale', own))
    : sometimes(
        20,
        oneOf(['fr', 'de', 'en', 'all']).map((code) => one('locale', code)),
      )
  return together(
    sometimes(50, populate(uid, 'populate')),
    sometimes(30, fields(uid, '').map(withoutBrackets)),
    locale,
    fc.constant(one('publicationState', 'preview')),
  )
    .map(encoded)
    .filter(isPlain)
}

const address = (path: string, parameters: fc.Arbitrary<Parameters>): fc.Arbitrary<string> =>
  fc.tuple(parameters, notation).map(([given, write]) => `/api/${path}?${write(given)}`)
