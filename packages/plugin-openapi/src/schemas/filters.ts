import { isComparable } from '@octavo/core/internal'
import {
  type AddedOperator,
  type Attribute,
  type Operator,
  operators,
  type ScalarType,
} from '@octavo/core/plugin'
import type { JsonSchema } from '@octavo/server'

/** Operands in a query string are texts; these are the types that clients may write them in. */
type OperandType = 'string' | 'number' | 'boolean'

const operandTypes: Readonly<Record<string, OperandType>> = {
  integer: 'number',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
}

/** The classes of operators that most attribute types with such operands have. */
const usualClasses: Readonly<Record<OperandType, ScalarType['operators']>> = {
  string: ['any', 'ordered', 'prefix'],
  number: ['any', 'ordered'],
  boolean: ['any', 'ordered', 'prefix'],
}

/**
 * The schema of the operators of an attribute type, with a name: types with the same operators share it.
 * @param added The operators of plugins.
 */
export function operatorsOf(
  { name, operators: classes }: ScalarType,
  added: Iterable<AddedOperator>,
): { readonly name: string; readonly schema: JsonSchema } {
  const operand = operandTypes[name] ?? 'string'
  const isUsual = String(classes) === String(usualClasses[operand])
  const others = isUsual ? '' : classes.map(capital).join('')
  const own = [...added].filter(({ on }) => on.includes(name))
  const names = own.map((operator) => capital(operator.name.slice(1))).join('')
  return {
    name: `${capital(operand)}${others}${names}Operators`,
    schema: operatorSchema(operand, classes, own),
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function operatorSchema(
  operand: OperandType,
  classes: ScalarType['operators'],
  added: readonly AddedOperator[],
): JsonSchema {
  const value: JsonSchema = { type: operand === 'string' ? 'string' : [operand, 'string'] }
  const text: JsonSchema = { type: 'string' }
  const properties = Object.entries(operators)
    // Every filterable attribute has a text.
    .filter(([, { on }]) => on === 'text' || classes.includes(on))
    .map(([name, { operand: kind, on, meaning }]) => [
      name,
      { ...operandSchema(kind, on === 'text' || on === 'prefix' ? text : value), description: meaning },
    ])
  const ofPlugins = added.map(({ name, meaning, example }) => [
    name,
    { ...text, description: meaning, examples: [example] },
  ])
  return { type: 'object', properties: Object.fromEntries([...properties, ...ofPlugins]) }
}

function operandSchema(kind: Operator['operand'], value: JsonSchema): JsonSchema {
  if (kind === 'flag') return { type: ['boolean', 'string'] }
  if (kind === 'list') return { type: 'array', items: value }
  if (kind === 'pair') return { type: 'array', items: value, minItems: 2, maxItems: 2 }
  return value
}

/** Whether `filters` may name the attribute. */
export const isFilterable = (attribute: Attribute): boolean =>
  attribute.kind === 'relation'
    ? attribute.filterable
    : attribute.kind === 'component' || isComparable(attribute)
