/** The inputs of filters on values: one for each scalar, with all operators. */

/** Fields of a filter on a value, with the operator of REST; `and`, `or` and `not` join filters. */
export const valueOperators = {
  eq: '$eq',
  eqi: '$eqi',
  ne: '$ne',
  nei: '$nei',
  startsWith: '$startsWith',
  endsWith: '$endsWith',
  contains: '$contains',
  notContains: '$notContains',
  containsi: '$containsi',
  notContainsi: '$notContainsi',
  gt: '$gt',
  gte: '$gte',
  lt: '$lt',
  lte: '$lte',
  null: '$null',
  notNull: '$notNull',
  in: '$in',
  notIn: '$notIn',
  between: '$between',
} as const

const lists = new Set(['in', 'notIn', 'between'])
const flags = new Set(['null', 'notNull'])

export const filteredScalars = [
  'ID',
  'Boolean',
  'String',
  'Int',
  'Long',
  'Float',
  'Date',
  'Time',
  'DateTime',
  'JSON',
] as const

/** `input StringFilterInput { … }` */
export function filterInput(scalar: string): string {
  const fields = Object.keys(valueOperators).map((name) => {
    if (flags.has(name)) return `${name}: Boolean`
    return `${name}: ${lists.has(name) ? `[${scalar}]` : scalar}`
  })
  const joined = [`and: [${scalar}]`, `or: [${scalar}]`, `not: ${scalar}FilterInput`, ...fields]
  return `input ${scalar}FilterInput {\n  ${joined.join('\n  ')}\n}`
}
