import { type Bindable, InvalidValue, isComparedAsValue } from '../content-type/attribute-type.ts'
import { isComparable, type Model, type ValueAttribute } from '../content-type/model.ts'
import { problem } from '../error/problems.ts'
import { comparesText, type Operator, type OperatorName, operators, takes } from '../operator/table.ts'
import type { ParamPath, RawFilter } from '../parse/raw.ts'
import {
  added,
  allOf,
  anyOf,
  assertNever,
  compareText,
  compare as compareValue,
  constant,
  negate,
  relatedOrNone,
} from '../plan/condition.ts'
import type { Condition } from '../plan/plan.ts'
import { unknownAttribute } from './refuse.ts'
import type { Scope } from './scope.ts'
import { noSteps, stepInto, type Trail } from './step.ts'

type RawCompare = Extract<RawFilter, { kind: 'compare' }>
type RawAdded = Extract<RawFilter, { kind: 'added' }>
type RawFieldFilter = Extract<RawFilter, { kind: 'field' }>

/** Texts that a boolean operator reads as false; any other text is true. */
const noes = new Set(['false', '0', 'f', ''])

/**
 * Looks up the names of `filters` and reads its values by their attributes' types.
 * @throws ValidationError that names the parameter.
 */
export const resolveFilters = (raw: RawFilter, model: Model, scope: Scope): Condition =>
  resolveIn(raw, model, undefined, scope, noSteps)

/**
 * @param self The attribute of comparisons without a field: the id of a related entry (`filters[author]=1`);
 *   `undefined` at the root, where a field is required.
 * @param trail The steps of the path so far.
 */
function resolveIn(
  raw: RawFilter,
  model: Model,
  self: ValueAttribute | undefined,
  scope: Scope,
  trail: Trail,
): Condition {
  switch (raw.kind) {
    case 'and':
    case 'or':
      return joined(
        raw.kind,
        raw.children.map((child) => resolveIn(child, model, self, scope, trail)),
      )
    case 'not':
      return negate(resolveIn(raw.child, model, self, scope, trail))
    case 'compare':
    case 'added':
      if (self) return resolveValue(raw, self)
      throw problem('query/bad-filter', {
        at: raw.at,
        reason: `${raw.kind === 'added' ? raw.operator.name : raw.operator} needs the name of an attribute before it`,
      })
    case 'field':
      return resolveField(raw, model, scope, trail)
    default:
      return assertNever(raw)
  }
}

function resolveField(raw: RawFieldFilter, model: Model, scope: Scope, trail: Trail): Condition {
  const attribute = scope.attribute(model, raw.name, 'filter')
  if (!attribute) throw unknownAttribute(raw.at, raw.name, model, 'filter', scope)
  if (isComparable(attribute)) return resolveValue(raw.child, attribute)
  const step = stepInto(attribute, model, 'filter', raw.at, scope, trail)
  const child = resolveIn(raw.child, step.target, step.target.id, scope.into(attribute, model), step.trail)
  return relatedOrNone(step.attribute, step.target, child, step.within)
}

/** The conditions on one value. Several operators are joined by AND; `$and` and `$or` apply to groups of fields only. */
function resolveValue(raw: RawFilter, attribute: ValueAttribute): Condition {
  switch (raw.kind) {
    case 'compare':
      return compare(raw, attribute)
    case 'added':
      return compareAdded(raw, attribute)
    case 'not':
      return negate(resolveValue(raw.child, attribute))
    case 'and':
    case 'or':
      if (!raw.explicit)
        return joined(
          raw.kind,
          raw.children.map((child) => resolveValue(child, attribute)),
        )
      throw problem('query/bad-filter', {
        at: raw.at,
        reason: `$${raw.kind} joins groups of fields; put it outside "${attribute.name}"`,
      })
    case 'field':
      throw problem('query/not-usable', {
        at: raw.at,
        attribute: attribute.name,
        reason: `is a value and has no field "${raw.name}"`,
      })
    default:
      return assertNever(raw)
  }
}

function joined(kind: 'and' | 'or', children: readonly Condition[]): Condition {
  // An empty group has no effect, as in the reference server.
  if (children.length === 0) return constant(true)
  return kind === 'and' ? (allOf(children) ?? constant(true)) : anyOf(children)
}

function compare(raw: RawCompare, attribute: ValueAttribute): Condition {
  const { operand, on } = operators[raw.operator]
  if (!takes(attribute.type.operators, on)) {
    const { name, type } = attribute
    const reason =
      on === 'prefix'
        ? `${raw.operator} does not take ${type.name}, which "${name}" is; ${raw.operator}i compares its text`
        : `${raw.operator} compares values that have an order, and "${name}" is ${type.name}`
    throw problem('query/bad-filter', { at: raw.at, reason })
  }
  switch (operand) {
    case 'flag': {
      const yes = !noes.has(raw.values[0] ?? '')
      return comparison(attribute, (raw.operator === '$null') === yes ? '$null' : '$notNull')
    }
    case 'list':
      return comparison(
        attribute,
        raw.operator,
        // Safe: all values of a list have the type of the attribute.
        raw.values.map((text) => read(text, raw, attribute)) as (string | number | boolean)[],
      )
    case 'pair':
      return comparison(attribute, raw.operator, ...raw.values.map((text) => read(text, raw, attribute)))
    case 'one':
      return anyOf(raw.values.map((text) => compareOne(text, raw, attribute)))
    default:
      return assertNever(operand)
  }
}

/** @throws PluginError when the operator throws anything but InvalidValue */
function compareAdded({ operator, values, at }: RawAdded, attribute: ValueAttribute): Condition {
  if (!operator.on.includes(attribute.type.name))
    throw problem('query/bad-filter', {
      at,
      reason: `${operator.name} is for ${operator.on.join(', ')}, and "${attribute.name}" is ${attribute.type.name}`,
    })
  return anyOf(
    values.map((operand): Condition => {
      try {
        return added(attribute, operator, operand)
      } catch (error) {
        throw asBadValue(error, operand, at)
      }
    }),
  )
}

function compareOne(text: string, raw: RawCompare, attribute: ValueAttribute): Condition {
  const compared = comparison(attribute, raw.operator, read(text, raw, attribute))
  const value = raw.operator === '$eqi' ? valueOfText(text, attribute) : undefined
  if (value === undefined) return compared
  return allOf([comparison(attribute, '$eq', value), compared]) ?? compared
}

/**
 * The value whose text is equal to `text`, if there is one: an index serves the comparison of values, and never that of
 * texts. `undefined` when there is none, and for types that are not compared as values.
 */
function valueOfText(text: string, { type, definition }: ValueAttribute) {
  if (!isComparedAsValue(type)) return undefined
  try {
    return type.fromQuery(text, definition)
  } catch (error) {
    if (error instanceof InvalidValue) return undefined
    throw error
  }
}

const comparison = (
  attribute: ValueAttribute,
  operator: OperatorName,
  ...operands: readonly Bindable[]
): Condition =>
  comparesText(operators[operator].on)
    ? compareText(attribute, operator, ...operands)
    : compareValue(attribute, operator, ...operands)

function read(text: string, raw: RawCompare, attribute: ValueAttribute) {
  const { on, pattern }: Operator = operators[raw.operator]
  if (comparesText(on)) return pattern ? pattern(text) : text
  try {
    const { type, definition } = attribute
    return type.fromQuery(text.trim() === '' ? (type.emptyOperand ?? text) : text, definition)
  } catch (error) {
    throw asBadValue(error, text, raw.at)
  }
}

const asBadValue = (error: unknown, value: string, at: ParamPath): unknown =>
  error instanceof InvalidValue ? problem('query/bad-value', { at, value, expected: error.message }) : error
