/** The inputs of filters on values: one for each scalar, with all operators. */
import type { DeclaredOperators } from '@octavo/core/plugin'
import { jsonOperator } from './json-operator.ts'
import { scalarOfType } from './values.ts'

/** Fields of a filter on a value: the operators of REST without their `$`. `and`, `or` and `not` join filters. */
const valueOperators = [
  ...[
    'eq',
    'eqi',
    'ne',
    'nei',
    'startsWith',
    'endsWith',
    'contains',
    'notContains',
    'containsi',
    'notContainsi',
  ],
  ...['gt', 'gte', 'lt', 'lte', 'null', 'notNull', 'in', 'notIn', 'between'],
]

const lists = new Set(['in', 'notIn', 'between'])
const flags = new Set(['null', 'notNull'])

const filteredScalars = [
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

/**
 * `input StringFilterInput { … }` and those of the other scalars. An operator of a plugin is in the input of each scalar that one of its attribute types
 * has; its operand is the text of REST, and a list means any of them.
 */
export const filterInputs = (added: DeclaredOperators): string =>
  filteredScalars.map((scalar) => filterInput(scalar, addedFields(scalar, added))).join('\n\n')

function filterInput(scalar: string, added: readonly string[]): string {
  const fields = valueOperators.map((name) => {
    if (flags.has(name)) return `${name}: Boolean`
    return `${name}: ${lists.has(name) ? `[${scalar}]` : scalar}`
  })
  const joined = [`and: [${scalar}]`, `or: [${scalar}]`, `not: ${scalar}FilterInput`, ...fields, ...added]
  return `input ${scalar}FilterInput {\n  ${joined.join('\n  ')}\n}`
}

const addedFields = (scalar: string, added: DeclaredOperators): readonly string[] =>
  [...added.values()]
    // The operators of JSON take values of JSON in GraphQL.
    .filter(({ name, on }) => name !== jsonOperator && on.some((type) => scalarOfType(type) === scalar))
    .map(({ name, meaning }) => `${JSON.stringify(meaning)} ${name.slice(1)}: [String]`)
