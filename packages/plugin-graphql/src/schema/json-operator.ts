/** Comparison of attributes with JSON: REST has texts only, GraphQL also numbers, booleans, objects and lists. */
import { type FilterOperator, sql } from '@octavo/core'
import { jsonText } from '@octavo/core/internal'
import { InvalidValue } from '@octavo/core/plugin'

export const jsonOperator = '$equalsJson'

/** The types whose values are JSON. Types of plugins read their own texts, in GraphQL as well. */
const types = ['json', 'array', 'blocks'] as const

export const isJson = (type: string): boolean => types.some((one) => one === type)

/** The operator that compares with a value of JSON, `filters[extra][$equalsJson]=5`. */
export const equalsJson: FilterOperator<string, typeof jsonOperator> = {
  on: types,
  meaning: 'is equal to the JSON',
  example: '{"a":1}',
  read: (text) => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new InvalidValue('JSON, such as 5, "text" or {"a":1}')
    }
    return jsonText(value)
  },
  sql: (value, operand) => sql`${value} = ${operand}::jsonb`,
  reads: [],
}

/** Operators that compare values, with their opposites. */
const negated: ReadonlyMap<string, boolean> = new Map([
  ['$eq', false],
  ['$in', false],
  ['$ne', true],
  ['$notIn', true],
])

type Path = readonly (string | number)[]

/** The parameters of a comparison with values that are not all texts; `undefined` for others, which are those of REST. */
export function jsonParameters(
  operator: string,
  operand: unknown,
  path: Path,
): readonly (readonly [Path, string])[] | undefined {
  const isNegated = negated.get(operator)
  if (isNegated === undefined) return undefined
  const isList = operator === '$in' || operator === '$notIn'
  const values = isList && Array.isArray(operand) ? operand : [operand]
  const given = values.filter((value) => value !== null)
  if (given.every((value) => typeof value === 'string')) return undefined
  return given.map((value, i) => {
    const place = [...path, ...(isNegated ? ['$not'] : []), jsonOperator, i]
    return [place, JSON.stringify(value)] as const
  })
}
