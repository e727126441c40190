/** Conditions in words. */
import type { Condition } from './condition.ts'

/** The words of one language. Operators of plugins that have none are shown as they are written. */
export interface FilterWords {
  readonly operators: Readonly<Record<string, string>>
  readonly and: string
  readonly or: string
  readonly not: string
  /** Between the names of a path: `Author › Name`. */
  readonly step: string
  /** Before conditions that one related entry meets together: `Tags with (Name is “a” and State is “b”)`. */
  readonly with: (name: string) => string
}

export const english: FilterWords = {
  operators: {
    $eq: 'is',
    $eqi: 'is, in any case,',
    $ne: 'is not',
    $nei: 'is not, in any case,',
    $lt: 'is less than',
    $lte: 'is at most',
    $gt: 'is more than',
    $gte: 'is at least',
    $in: 'is one of',
    $notIn: 'is none of',
    $contains: 'contains',
    $notContains: 'does not contain',
    $containsi: 'contains, in any case,',
    $notContainsi: 'does not contain, in any case,',
    $startsWith: 'begins with',
    $startsWithi: 'begins, in any case, with',
    $endsWith: 'ends with',
    $endsWithi: 'ends, in any case, with',
    $null: 'is empty',
    $notNull: 'is not empty',
    $between: 'is between',
  },
  and: 'and',
  or: 'or',
  not: 'not',
  step: ' › ',
  with: (name) => `${name} with`,
}

export interface DescribeOptions {
  /** The label of an attribute, from the list's content-type on: `['author', 'name']` → `Name`. Default: the name. */
  readonly label?: (path: readonly string[]) => string
  /** A value as people read it, such as a date or the label of a state. Default: the text itself, quoted. */
  readonly value?: (path: readonly string[], value: string) => string
  readonly words?: FilterWords
}

/** A condition as one sentence: `Status is one of “news”, “review” and Author › Name contains “ada”`. */
export const describe = (condition: Condition, options: DescribeOptions = {}): string =>
  sentence(condition, { at: [], from: 0 }, options)

/** The way to what a condition is about, and how many of its names were said already. */
interface Place {
  readonly at: readonly string[]
  readonly from: number
}

function sentence(condition: Condition, place: Place, options: DescribeOptions): string {
  const { words = english } = options
  switch (condition.kind) {
    case 'comparison': {
      const path = [...place.at, ...condition.path]
      return `${named(path, place.from, options)} ${compared(path, condition.operator, condition.values, options)}`
    }
    case 'all':
    case 'any': {
      const join = condition.kind === 'all' ? words.and : words.or
      return condition.conditions.map((one) => bracketed(one, place, options)).join(` ${join} `)
    }
    case 'not':
      return `${words.not} ${bracketed(condition.condition, place, options)}`
    case 'of': {
      const at = [...place.at, ...condition.path]
      // Several conditions on one attribute name it each time.
      if (!leadsOn(condition.condition)) return bracketed(condition.condition, { ...place, at }, options)
      const inner = sentence(condition.condition, { at, from: at.length }, options)
      return `${words.with(named(at, place.from, options))} (${inner})`
    }
  }
}

/** Whether a condition is about attributes of what its path leads to. */
function leadsOn(condition: Condition): boolean {
  switch (condition.kind) {
    case 'comparison':
    case 'of':
      return condition.path.length > 0
    case 'not':
      return leadsOn(condition.condition)
    case 'all':
    case 'any':
      return condition.conditions.some(leadsOn)
  }
}

/** Groups within groups have brackets. */
function bracketed(condition: Condition, place: Place, options: DescribeOptions): string {
  const text = sentence(condition, place, options)
  const inner = condition.kind === 'of' && !leadsOn(condition.condition) ? condition.condition : condition
  return inner.kind === 'all' || inner.kind === 'any' ? `(${text})` : text
}

const named = (path: readonly string[], from: number, { label, words = english }: DescribeOptions): string =>
  path
    .map((name, i) => label?.(path.slice(0, i + 1)) ?? name)
    .slice(from)
    .join(words.step)

function compared(
  path: readonly string[],
  operator: string,
  values: readonly string[],
  { value, words = english }: DescribeOptions,
): string {
  if (operator === '$null' || operator === '$notNull') {
    const isReversed = ['false', '0', 'f', ''].includes(values[0] ?? 'true')
    const isNull = (operator === '$null') !== isReversed
    return (isNull ? words.operators.$null : words.operators.$notNull) ?? operator
  }
  const shown = values.map((one) => value?.(path, one) ?? `“${one}”`)
  const joined = operator === '$between' ? shown.join(` ${words.and} `) : shown.join(', ')
  return `${words.operators[operator] ?? operator} ${joined}`
}

const values = ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'] as const
const order = ['$lt', '$lte', '$gt', '$gte', '$between'] as const
const texts = [
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
  '$eqi',
  '$nei',
] as const

const numbers: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal'])
const unordered: ReadonlySet<string> = new Set(['json', 'array', 'blocks'])
const unfiltered: ReadonlySet<string> = new Set(['password', 'media', 'dynamiczone'])

/** The operators that an attribute type takes, as docs/operators.md lists them; none for types that no filter compares. */
export function operatorsFor(type: string): readonly string[] {
  if (unfiltered.has(type)) return []
  if (type === 'relation' || type === 'component') return ['$null', '$notNull']
  return [
    ...values,
    ...(unordered.has(type) ? [] : order),
    ...texts,
    ...(numbers.has(type) ? [] : ['$startsWith']),
  ]
}
