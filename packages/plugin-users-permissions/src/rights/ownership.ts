import {
  allOf,
  anyOf,
  type Condition,
  isNull,
  isSet,
  type Model,
  type Operand,
  type OperatorName,
  operators,
  type Registry,
  type RuntimeValue,
} from '@octavo/core'
import type { Where } from './grants.ts'

/** How `where` names the caller's id. */
export const ownIdName = '$user.id'

/**
 * The `where` of a permission as a condition of the plan. The caller's id stays open until the statement runs, so that
 * one statement serves all callers.
 *
 *     { author: { id: '$user.id' } }          an entry whose author is the caller
 *     { $or: [{ public: true }, { owner: '$user.id' }] }
 *
 * @throws Error that names the place: an unknown attribute, operator or value.
 */
export function conditionOf(where: Where, model: Model, registry: Registry, ownId: RuntimeValue): Condition {
  const parts = Object.entries(where).map(([name, value]): Condition => {
    if (name === '$and' || name === '$or') {
      if (!Array.isArray(value)) throw new Error(`${name} takes a list`)
      const children = (value as readonly Where[]).map((item) => conditionOf(item, model, registry, ownId))
      return name === '$and' ? (allOf(children) ?? always) : anyOf(children)
    }
    const attribute = name === 'id' ? model.id : model.attributes.get(name)
    if (!attribute) throw new Error(`${model.uid} has no attribute "${name}"`)
    if (attribute.kind === 'zone')
      throw new Error(`"${name}" is a dynamic zone; no condition goes through it`)
    if (attribute.kind === 'scalar') return allOf(comparisons(value, attribute, ownId)) ?? always
    const target = registry.model(attribute.kind === 'relation' ? attribute.target : attribute.component)
    const child = isGroup(value)
      ? conditionOf(value, target, registry, ownId)
      : (allOf(comparisons(value, target.id, ownId)) ?? always)
    return { kind: 'related', attribute, target, scope: undefined, child, orNone: false }
  })
  return allOf(parts) ?? always
}

const always: Condition = { kind: 'constant', value: true }

type Scalar = Extract<Condition, { kind: 'compare' }>['attribute']

function comparisons(value: unknown, attribute: Scalar, ownId: RuntimeValue): readonly Condition[] {
  if (value === null) return [isNull(attribute)]
  if (Array.isArray(value)) return [comparison('$in', value, attribute, ownId)]
  if (typeof value !== 'object') return [comparison('$eq', value, attribute, ownId)]
  return Object.entries(value as Record<string, unknown>).map(([operator, operand]) => {
    if (operator === '$null') return operand === false ? isSet(attribute) : isNull(attribute)
    if (operator === '$notNull') return operand === false ? isNull(attribute) : isSet(attribute)
    if (!Object.hasOwn(operators, operator))
      throw new Error(`"${attribute.name}" has no operator "${operator}"`)
    return comparison(operator as OperatorName, operand, attribute, ownId) // a key of the table, as the line above says
  })
}

function comparison(
  operator: OperatorName,
  value: unknown,
  attribute: Scalar,
  ownId: RuntimeValue,
): Condition {
  const { operand, on } = operators[operator]
  if (!attribute.type.operators.includes(on))
    throw new Error(`"${attribute.name}" does not compare by ${operator}`)
  const read = (one: unknown): Operand => {
    if (one === ownIdName) return { kind: 'runtime', value: ownId }
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
      throw new Error(`"${attribute.name}": ${operator} takes texts, numbers and booleans`)
    return { kind: 'value', value: attribute.type.fromQuery(String(one), attribute.definition) }
  }
  const values = Array.isArray(value) ? value : [value]
  // A list is one parameter, in which nothing can stay open: as many comparisons instead.
  if (operand === 'list') {
    if (operator !== '$in') throw new Error(`"${attribute.name}": write ${operator} as $ne in $and`)
    return anyOf(values.map((one) => comparison('$eq', one, attribute, ownId)))
  }
  if (operand === 'one' && values.length !== 1)
    throw new Error(`"${attribute.name}": ${operator} takes one value`)
  if (operand === 'pair' && values.length !== 2)
    throw new Error(`"${attribute.name}": ${operator} takes two values`)
  if (on === 'text' || on === 'caseless')
    throw new Error(`"${attribute.name}": ${operator} compares texts; a permission takes exact values`)
  return { kind: 'compare', attribute, operator, operands: values.map(read), asText: false }
}

const isGroup = (value: unknown): value is Where =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !Object.keys(value).every((key) => Object.hasOwn(operators, key))
