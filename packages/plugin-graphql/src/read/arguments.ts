/** Arguments of fields as parameters of REST. */
import { isValue } from '@octavo/core/internal'
import type { Attribute, Model, Registry } from '@octavo/core/plugin'
import { problem } from '../problems.ts'
import { isJson, jsonParameters } from '../schema/json-operator.ts'

/** A parameter of REST: the names in its brackets, `['filters', 'title', '$eq']`, and its text. */
export type Parameter = readonly [path: readonly (string | number)[], value: string]

type Values = Readonly<Record<string, unknown>>

/** The paging that a field without paging has, and the most entries of a list. */
export interface PageBounds {
  readonly defaultLimit: number
  readonly amountLimit: number
}

export interface Page {
  readonly start: number
  /** Entries that are read. */
  readonly limit: number
  /** The size for `meta.pagination`: as asked for. */
  readonly pageSize: number
  /** The number for `meta.pagination`, from 1. */
  readonly page: number
}

/**
 * The paging of a list. `page` without `pageSize` is a page of one entry, a size below 1 is 1, and `limit: -1`, unlike
 * `pageSize: -1`, asks for the maximum. Source: the recorded exchanges page-003 to page-011.
 *
 * @throws PaginationError for a mix of both methods
 */
export function pageOf(given: unknown, { defaultLimit, amountLimit }: PageBounds): Page {
  const { page, pageSize, start, limit } = (given ?? {}) as Readonly<
    Record<string, number | null | undefined>
  >
  const byPage = isGiven(page) || isGiven(pageSize)
  if (byPage && (isGiven(start) || isGiven(limit))) throw problem('graphql/mixed-paging')
  const asked = byPage ? (pageSize ?? 1) : (limit ?? defaultLimit)
  const size = asked === -1 && !byPage ? amountLimit : Math.max(asked, 1)
  const read = Math.min(size, amountLimit)
  const from = Math.max(start ?? 0, 0)
  const number = byPage ? Math.max(page ?? 1, 1) : Math.floor(from / read) + 1
  return {
    start: byPage ? Math.min((number - 1) * read, largest) : from,
    limit: read,
    pageSize: size,
    page: number,
  }
}

/** The largest number that `pagination` takes. */
const largest = 2 ** 31 - 1

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** `sort: ["title:desc", "id"]`; a text may have commas. */
export const sortParameters = (given: unknown): readonly Parameter[] =>
  ((given ?? []) as readonly (string | null)[])
    .filter((term) => term !== null)
    .map((term, i): Parameter => [['sort', i], term])

/**
 * Filters on entries or components of a model.
 * @throws ValidationError for `and` and `or` on a value
 */
export function filterParameters(given: unknown, model: Model, registry: Registry): readonly Parameter[] {
  const all: Parameter[] = []
  addGroup(given, ['filters'], model, { registry, all })
  return all
}

interface Filtering {
  readonly registry: Registry
  readonly all: Parameter[]
}

type Path = readonly (string | number)[]

function addGroup(given: unknown, path: Path, model: Model, filtering: Filtering): void {
  for (const [name, value] of Object.entries((given ?? {}) as Values)) {
    if (value === undefined) continue
    if (name === 'and' || name === 'or') {
      for (const [i, item] of ((value ?? []) as readonly unknown[]).entries())
        addGroup(item, [...path, `$${name}`, i], model, filtering)
    } else if (name === 'not') addGroup(value, [...path, '$not'], model, filtering)
    else if (name === 'id') addValue(value, [...path, 'id'], filtering)
    else addAttribute(value, [...path, name], model.attributes.get(name), filtering)
  }
}

function addAttribute(
  value: unknown,
  path: Path,
  attribute: Attribute | undefined,
  filtering: Filtering,
): void {
  if (!attribute || isValue(attribute)) {
    addValue(value, path, filtering, attribute && isJson(attribute.type.name))
    return
  }
  const { registry } = filtering
  if (attribute.kind === 'zone') return
  const target = registry.model(attribute.kind === 'relation' ? attribute.target : attribute.component)
  addGroup(value, path, target, filtering)
}

/** Operators on a value, with those of REST. @param hasJson Whether the value is JSON. */
function addValue(given: unknown, path: Path, filtering: Filtering, hasJson = false): void {
  const { all } = filtering
  const before = all.length
  const flags = new Set<Flag>()
  let isKnown = false
  for (const [name, value] of Object.entries((given ?? { eq: null }) as Values)) {
    if (value === undefined) continue
    if (name === 'and' || name === 'or')
      throw problem('graphql/bad-operator', {
        at: `filters.${path.slice(1).join('.')}`,
        operator: name,
      })
    if (name === 'not' && value !== null) {
      addValue(value, [...path, '$not'], filtering, hasJson)
      continue
    }
    const operator = name === 'not' ? '$ne' : `$${name}`
    const compared = hasJson ? jsonParameters(operator, value, path) : undefined
    if (compared) {
      all.push(...compared)
      continue
    }
    const known = flagsOf(operator, value, path)
    for (const flag of known ?? []) flags.add(flag)
    isKnown ||= known !== undefined
    if (!known) all.push(...operands(operator, value, path))
  }
  for (const flag of flags) all.push([[...path, flag], 'true'])
  // A condition that every entry has must not vanish from an `or` around it.
  if (isKnown && all.length === before) for (const flag of never) all.push([[...path, '$not', flag], 'true'])
}

type Flag = '$null' | '$notNull'

/** Flags that no value has together. */
const never: readonly Flag[] = ['$null', '$notNull']

/** The flags that an operator stands for when its operand is null. Operators that are not listed find nothing: no value is greater than null or contains it. */
const withNull: Readonly<Record<string, readonly Flag[]>> = {
  $eq: ['$null'],
  $eqi: ['$null'],
  $ne: ['$notNull'],
  $nei: ['$notNull'],
  $notContains: ['$notNull'],
  $notContainsi: ['$notNull'],
  // A flag that is null is false.
  $null: ['$notNull'],
  $notNull: ['$null'],
}

/** The flags that an operator means with an operand that the text of REST cannot have; `undefined` with others. */
function flagsOf(operator: string, operand: unknown, path: Path): readonly Flag[] | undefined {
  if (operand === null) return withNull[operator] ?? never
  if (operator === '$null' || operator === '$notNull')
    return [(operator === '$null') === operand ? '$null' : '$notNull']
  if (!Array.isArray(operand)) return undefined
  if (operator === '$between') return operand.includes(null) ? never : undefined
  if (operand.some((item) => item !== null)) return undefined
  // The reference leaves out an empty list of ids: the recorded exchange filters-118.
  const isId = path.findLast((name) => name !== '$not') === 'id'
  if (isId && operand.length === 0) return undefined
  // Any of no values, of `in` and of the operators of plugins.
  return operator === '$notIn' ? [] : never
}

function operands(operator: string, operand: unknown, path: Path): readonly Parameter[] {
  if (!Array.isArray(operand)) return [[[...path, operator], text(operand)]]
  if (operator === '$between' && operand.length === 0) return [[[...path, operator], '']]
  return operand
    .filter((item) => item !== null)
    .map((item, i): Parameter => [[...path, operator, i], text(item)])
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
