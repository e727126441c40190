import type { Bindable } from '@octavo/database'
import type {
  ComponentAttribute,
  Model,
  RelationAttribute,
  ScalarAttribute,
  ValueAttribute,
} from '../content-type/model.ts'
import type { FullText } from '../content-type/search/full-text.ts'
import { isObject } from '../kinds-of-values.ts'
import type { AddedOperator } from '../operator/added.ts'
import type { OperatorName } from '../operator/table.ts'
import type { Condition, Operand, RuntimeValue } from './plan.ts'

/** Joins conditions by AND. `undefined` and `true` are dropped; a single condition is returned as it is. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const children = conditions.filter(
    (c) => c !== undefined && !(c.kind === 'constant' && c.value),
  ) as Condition[]
  return children.length === 0 ? undefined : every(children)
}

const every = (children: readonly Condition[]): Condition =>
  children.length === 1 ? (children[0] as Condition) : { kind: 'and', children }

/** A condition that all rows meet, or none. */
export const constant = (value: boolean): Condition => ({ kind: 'constant', value })

/** Joins conditions by OR; a single condition is returned as it is. */
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 1 ? (conditions[0] as Condition) : { kind: 'or', children: conditions }

/** The time of the statement, as an operand of {@link compare}. */
export const now: Operand = { kind: 'now' }

/**
 * An attribute compared with a value, a list for `$in` and `$notIn`, two values for `$between`, a runtime value, or `now`.
 *
 *     compare(type.id, '$eq', 7)
 *     compare(publishedAt, '$lte', now)
 *     compare(owner, '$eq', host.runtimeValue('user.id', …))
 */
export const compare = (
  attribute: ValueAttribute,
  operator: OperatorName,
  ...operands: readonly (Bindable | RuntimeValue | Operand)[]
): Comparison => ({ kind: 'compare', attribute, operator, operands: operands.map(operandOf), asText: false })

type Comparison = Extract<Condition, { kind: 'compare' }>

/** A comparison with the text of a value, for text operators and `_q`. */
export const compareText = (
  attribute: ValueAttribute,
  operator: OperatorName,
  ...operands: readonly (Bindable | RuntimeValue | Operand)[]
): Condition => ({ ...compare(attribute, operator, ...operands), asText: true })

/** The full-text search of the model finds the phrase in the attributes. */
export const matches = (
  search: FullText,
  attributes: readonly ScalarAttribute[],
  phrase: string,
): Condition => ({ kind: 'matches', search, attributes, phrase })

/** An attribute compared by an operator of a plugin. @param operand As given, which the operator reads. */
export const added = (attribute: ValueAttribute, operator: AddedOperator, operand: string): Condition => ({
  kind: 'added',
  attribute,
  operator,
  operand,
  sql: operator.read(operand),
})

function operandOf(operand: Bindable | RuntimeValue | Operand): Operand {
  if (typeof operand !== 'object' || operand === null) return { kind: 'value', value: operand }
  if ('kind' in operand) return operand
  return 'name' in operand ? { kind: 'runtime', value: operand } : { kind: 'value', value: operand }
}

/**
 * Makes a condition that holds if some entry of a relation or component meets `child`.
 *
 * @param within Narrows the related entries: `node.scopeOf(relation)`, so that the condition does not depend on entries that the
 * caller may not see. Default: all of them.
 */
export const related = (
  attribute: RelationAttribute | ComponentAttribute,
  target: Model,
  child: Condition,
  within?: Condition,
): Condition => ({ kind: 'related', attribute, target, within, child, orNone: false })

/** A condition on related entries in a filter of a query: where nulls meet the condition, entries without related ones do as well. */
export const relatedOrNone = (
  attribute: RelationAttribute | ComponentAttribute,
  target: Model,
  child: Condition,
  within?: Condition,
): Condition => ({ kind: 'related', attribute, target, within, child, orNone: meetsNull(child) })

/** The id of the entry that the message writes, as an operand. */
export const written: Operand = Object.freeze({ kind: 'written' })

const conditionKinds = {
  constant: true,
  and: true,
  or: true,
  not: true,
  compare: true,
  matches: true,
  added: true,
  related: true,
} as const satisfies Record<Condition['kind'], true>

/** Whether a value is a condition, with its children: for handlers that no compiler has checked. */
export function isCondition(value: unknown): boolean {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(conditionKinds, value.kind))
    return false
  const { kind, children, child, within, attribute } = value
  if (kind === 'and' || kind === 'or') return Array.isArray(children) && children.every(isCondition)
  if (kind === 'not') return isCondition(child)
  if (kind === 'related')
    return isObject(attribute) && isCondition(child) && (within === undefined || isCondition(within))
  return kind === 'constant' || kind === 'matches' || isObject(attribute)
}

/** The opposite of a condition, three-valued: the opposite of unknown is unknown. */
export const not = (child: Condition): Condition => ({ kind: 'not', child })

export const isNull = (attribute: ValueAttribute): Condition => compare(attribute, '$null')
export const isSet = (attribute: ValueAttribute): Condition => compare(attribute, '$notNull')

/**
 * The opposite, applied to the comparisons: "not (some related entry is x)" becomes "some related entry is not
 * x", as over the joined rows of the reference server. Three-valued: the opposite of unknown is unknown.
 */
export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
      return anyOf(condition.children.map(negate))
    case 'or':
      return every(condition.children.map(negate))
    case 'not':
      return condition.child
    case 'constant':
      return constant(!condition.value)
    case 'compare':
    case 'matches':
    case 'added':
      return not(condition)
    case 'related': {
      const child = negate(condition.child)
      return { ...condition, child, orNone: meetsNull(child) }
    }
    default:
      return assertNever(condition)
  }
}

/**
 * Whether a row with only nulls meets the condition. A comparison that does is also true for an entry without any
 * related entry: `filters[author][email][$null]=true` finds entries without an author.
 */
export const meetsNull = (condition: Condition): boolean => overNulls(condition) === true

/** True, false, or unknown (`undefined`). */
function overNulls(condition: Condition): boolean | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition.value
    case 'compare':
      return condition.operator === '$null' ? true : condition.operator === '$notNull' ? false : undefined
    case 'matches':
    case 'added':
      return undefined
    case 'not': {
      const child = overNulls(condition.child)
      return child === undefined ? undefined : !child
    }
    case 'related':
      return overNulls(condition.child)
    case 'and': {
      const children = condition.children.map(overNulls)
      return children.includes(false) ? false : children.includes(undefined) ? undefined : true
    }
    case 'or': {
      const children = condition.children.map(overNulls)
      return children.includes(true) ? true : children.includes(undefined) ? undefined : false
    }
    default:
      return assertNever(condition)
  }
}

/** The end of a `switch` over a union: a missing kind does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled kind: ${JSON.stringify(value)}`)
}
