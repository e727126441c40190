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
  sentence(condition, [], options)

function sentence(condition: Condition, at: readonly string[], options: DescribeOptions): string {
  const { words = english } = options
  switch (condition.kind) {
    case 'comparison': {
      const path = [...at, ...condition.path]
      return `${named(path, options)} ${compared(path, condition.operator, condition.values, options)}`
    }
    case 'all':
    case 'any': {
      const join = condition.kind === 'all' ? words.and : words.or
      return condition.conditions.map((one) => bracketed(one, at, options)).join(` ${join} `)
    }
    case 'not':
      return `${words.not} ${bracketed(condition.condition, at, options)}`
    case 'of':
      return bracketed(condition.condition, [...at, ...condition.path], options)
  }
}

/** Groups within groups have brackets. */
function bracketed(condition: Condition, at: readonly string[], options: DescribeOptions): string {
  const text = sentence(condition, at, options)
  const inner = condition.kind === 'of' ? condition.condition : condition
  return inner.kind === 'all' || inner.kind === 'any' ? `(${text})` : text
}

const named = (path: readonly string[], { label, words = english }: DescribeOptions): string =>
  path.map((name, i) => label?.(path.slice(0, i + 1)) ?? name).join(words.step)

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
