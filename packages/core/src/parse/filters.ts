/**
 * Parses `filters` into a tree of groups, fields and comparisons. Names and values are not resolved; operators are.
 *
 *     filters[title]=Zebra                             → title $eq Zebra
 *     filters[id][0]=1&filters[id][1]=2                → id $in 1, 2
 *     filters[views][$gt]=1&filters[views][$lt]=9      → views ($gt 1 and $lt 9)
 *     filters[views][$gt][0]=1&filters[views][$gt][1]=2 → views $gt 1, 2: any of them
 *     filters[rating][$between][0]=2&…[1]=4            → rating $between 2, 4
 *     filters[author][mentor][name][$eq]=Ada           → author (mentor (name $eq Ada))
 *     filters[$or][0][a]=1&filters[$or][1][b]=2        → a $eq 1 or b $eq 2
 *     filters[$not][status]=news                       → not (status $eq news)
 *     filters[title][$not][$contains]=e                → title (not $contains e)
 *     filters[0][a]=1&filters[1][b]=2                  → a $eq 1 and b $eq 2; also a list inside a group
 *     filters[place][$near]=52,13,900                  → place $near 52,13,900: an operator of a plugin
 *     filters=                                         → none
 *
 * Rejects a text in place of a group (`filters=x`, `filters[0]=x`), `$and` and `$or` without a list, an unknown operator
 * (operators are case-sensitive), an operand that does not fit (`[$eq][$eq]`, three values or a comma text for
 * `$between`, a list for `$null`), more conditions than `limits.filterNodes`,
 * and texts to search for of more than `limits.searchLength` characters.
 *
 * Source: docs/contract/filters.md; refusals from the recorded exchanges filters-043,
 * filters-107, filters-108, filters-171, filters-172 and filters-174.
 */
import { nearest } from '../content-type/nearest.ts'
import { problem } from '../error/problems.ts'
import type { AddedOperator } from '../operator/added.ts'
import { isOperator, type OperatorName, operators } from '../operator/table.ts'
import { child } from './path.ts'
import type { ParamPath, RawFilter, RawValue } from './raw.ts'
import type { Reading } from './reading.ts'
import { entriesOf, isIndex, isList, shown } from './value.ts'

/** The operators that join or negate conditions. */
export const groupOperators = ['$and', '$or', '$not']

/** @throws ValidationError `query/bad-filter`, `query/unknown-operator`, `query/filter-too-large`, `query/filter-texts-too-long` */
export function parseFilters(value: RawValue, at: ParamPath, reading: Reading): RawFilter | undefined {
  return value === '' ? undefined : readGroup(value, at, reading)
}

/** Joins two conditions by AND. */
export function bothFilters(a: RawFilter | undefined, b: RawFilter | undefined): RawFilter | undefined {
  if (!a || !b) return a ?? b
  return { kind: 'and', explicit: false, children: [a, b], at: a.at }
}

/** Conditions on an entry's fields: an object, or a list of objects, joined by AND. */
function readGroup(value: RawValue, at: ParamPath, reading: Reading): RawFilter {
  if (typeof value === 'string') {
    throw problem('query/bad-filter', {
      at,
      reason: `expected conditions, such as [name][$eq]=value, not "${shown(value)}"`,
    })
  }
  return all(
    entriesOf(value).map(([key, item]) => {
      const place = child(at, key)
      return isIndex(key) ? readGroup(item, place, reading) : readKey(key, item, place, readGroup, reading)
    }),
    at,
    reading,
  )
}

/**
 * The conditions on one field: a value, an operator with its operand, or conditions on the fields of a related entry. The
 * texts of a list are alternative values (OR); all other elements are joined by AND.
 */
function readOfField(value: RawValue, at: ParamPath, reading: Reading): RawFilter {
  if (typeof value === 'string') return compare('$eq', [value], at, reading)
  const conditions: RawFilter[] = []
  const values: string[] = []
  for (const [key, item] of entriesOf(value)) {
    const place = child(at, key)
    if (!isIndex(key)) conditions.push(readKey(key, item, place, readOfField, reading))
    else if (typeof item === 'string') values.push(item)
    else conditions.push(readOfField(item, place, reading))
  }
  if (values.length > 0) conditions.unshift(compare('$in', values, at, reading))
  return all(conditions, at, reading)
}

type FilterReader = (value: RawValue, at: ParamPath, reading: Reading) => RawFilter

/** Operators of other query languages, by the name that they have here: none of them is near by its letters. */
const elsewhere: Readonly<Record<string, string>> = {
  $like: '$contains',
  $ilike: '$containsi',
  $icontains: '$containsi',
  $nin: '$notIn',
  $neq: '$ne',
  $exists: '$notNull',
}

/** @param readHere Parses the values that are valid at the place of the key; `$not` accepts the same. */
function readKey(
  key: string,
  value: RawValue,
  at: ParamPath,
  readHere: FilterReader,
  reading: Reading,
): RawFilter {
  if (!key.startsWith('$')) return { kind: 'field', name: key, child: readOfField(value, at, reading), at }
  switch (key) {
    case '$and':
      return { kind: 'and', explicit: true, children: readGroups(key, value, at, reading), at }
    case '$or':
      return { kind: 'or', explicit: true, children: readGroups(key, value, at, reading), at }
    case '$not':
      reading.countConditions(1)
      return { kind: 'not', child: readHere(value, at, reading), at }
    default: {
      if (isOperator(key)) return compare(key, readOperand(key, value, at), at, reading)
      const added = reading.operators.get(key)
      if (added) return compareAdded(added, value, at, reading)
      const known = [...Object.keys(operators), ...reading.operators.keys(), ...groupOperators]
      const meant = Object.hasOwn(elsewhere, key) ? elsewhere[key] : nearest(key, known)
      const list = `here are ${known.join(', ')}.`
      const hint = meant === undefined ? `; t${list}` : `; did you mean "${meant}"? T${list}`
      throw problem('query/unknown-operator', { at, operator: shown(key), hint })
    }
  }
}

/** Below a field the elements are groups as well, with operators (`filters[title][$or][0][$eq]=a`) or fields. */
function readGroups(
  operator: string,
  value: RawValue,
  at: ParamPath,
  reading: Reading,
): readonly RawFilter[] {
  if (!isList(value)) {
    throw problem('query/bad-filter', {
      at,
      reason: `${operator} takes a list of groups, such as ${operator}[0][name][$eq]=value`,
    })
  }
  reading.countConditions(1)
  return value.map((item, i) => readGroup(item, child(at, i), reading))
}

/** @returns At least one value. */
function readOperand(operator: OperatorName, value: RawValue, at: ParamPath): readonly string[] {
  const { operand } = operators[operator]
  const refuse = (expected: string) => badOperand(operator, expected, value, at)
  const values = readTexts(operator, value, at)
  switch (operand) {
    case 'one':
    case 'list':
      return values
    case 'pair':
      if (values.length !== 2) throw refuse('two values, [0] and [1]')
      return values
    case 'flag':
      // A list means its first item, as in the reference server.
      return values.slice(0, 1)
  }
}

function readTexts(operator: string, value: RawValue, at: ParamPath): readonly string[] {
  const values = typeof value === 'string' ? [value] : value
  if (!isTexts(values)) throw badOperand(operator, 'a value', value, at)
  return values
}

const badOperand = (operator: string, expected: string, value: RawValue, at: ParamPath) =>
  problem('query/bad-filter', { at, reason: `${operator} takes ${expected}, not "${shown(value)}"` })

const isTexts = (value: RawValue): value is readonly string[] =>
  isList(value) && value.every((item) => typeof item === 'string')

/** The operators whose text may be anywhere in another one, or at its end. */
const searches: ReadonlySet<OperatorName> = new Set([
  '$contains',
  '$containsi',
  '$notContains',
  '$notContainsi',
  '$endsWith',
  '$endsWithi',
])

function compare(
  operator: OperatorName,
  values: readonly string[],
  at: ParamPath,
  reading: Reading,
): RawFilter {
  // A list of values becomes one comparison per value; $in stays a single comparison of any length.
  reading.countConditions(operators[operator].operand === 'one' ? values.length : 1)
  if (searches.has(operator)) reading.countSearched(values)
  return { kind: 'compare', operator, values, at }
}

/** An operator of a plugin, which takes one value or a list of alternative ones. */
function compareAdded(operator: AddedOperator, value: RawValue, at: ParamPath, reading: Reading): RawFilter {
  const values = readTexts(operator.name, value, at)
  reading.countConditions(values.length)
  return { kind: 'added', operator, values, at }
}

/** Joins conditions by AND; a single one is returned as it is. */
function all(children: readonly RawFilter[], at: ParamPath, reading: Reading): RawFilter {
  const [only] = children
  if (only && children.length === 1) return only
  reading.countConditions(1)
  return { kind: 'and', explicit: false, children, at }
}
