import { isComparable, type Model, type Registry, type ValueAttribute } from '../content-type/model.ts'
import { operators } from '../operator/table.ts'
import { parseConditions } from '../parse/condition-object.ts'
import type { RawFilter } from '../parse/raw.ts'
import { allOf, anyOf, compare, constant, negate, related } from '../plan/condition.ts'
import type { Condition, RuntimeValue } from '../plan/plan.ts'

/** A condition with the grammar of `filters`: attributes (relations nest), operators such as `$eq` and `$in`, `$and`, `$or`, `$not`. */
export interface Where {
  readonly [name: string]: Where | readonly Where[] | WhereValue | readonly WhereValue[]
}
export type WhereValue = string | number | boolean | null

type RawCompare = Extract<RawFilter, { kind: 'compare' }>
type RawField = Extract<RawFilter, { kind: 'field' }>

/**
 * Resolves the `where` of a permission, which has the grammar of `filters`, to a condition of the plan. The caller's id is a
 * runtime value, so that one statement serves all callers.
 *
 *     { author: { id: '$user.id' } }          an entry whose author is the caller
 *     { $or: [{ public: true }, { owner: '$user.id' }] }
 *
 * Unlike in `filters`, private attributes can be compared, related entries are not narrowed, a list may contain runtime
 * values, and operators that compare texts are refused.
 *
 * @param values The runtime values by their names in `where`: `$user.id`.
 * @throws Error that names the attribute, operator or value with the mistake.
 */
export function permissionCondition(
  where: Where,
  model: Model,
  registry: Registry,
  values: ReadonlyMap<string, RuntimeValue>,
): Condition {
  return onEntry(parseConditions(where, 'where'), model)

  /** @param self The attribute of comparisons without a field, the id of a related entry: `{ author: '$user.id' }`. */
  function onEntry(raw: RawFilter, model: Model, self?: ValueAttribute): Condition {
    return joined(raw, (leaf) => {
      if (leaf.kind === 'field') return onField(leaf, model)
      if (!self) throw new Error(`${leaf.at}: ${leaf.operator} needs the name of an attribute before it`)
      return comparison(leaf, self, values)
    })
  }

  function onField({ name, child }: RawField, model: Model): Condition {
    const attribute = name === 'id' ? model.id : model.attributes.get(name)
    if (!attribute) throw new Error(`${model.uid} has no attribute "${name}"`)
    if (attribute.kind === 'zone')
      throw new Error(`"${name}" is a dynamic zone; conditions cannot go through it`)
    if (isComparable(attribute)) return onValue(child, attribute)
    if (attribute.kind === 'computed')
      throw new Error(`"${name}" is computed by a function; conditions cannot use it`)
    const target = registry.model(attribute.kind === 'relation' ? attribute.target : attribute.component)
    return related(attribute, target, onEntry(child, target, target.id))
  }

  function onValue(raw: RawFilter, attribute: ValueAttribute): Condition {
    return joined(raw, (leaf) => {
      if (leaf.kind === 'compare') return comparison(leaf, attribute, values)
      throw new Error(`"${attribute.name}" is a value and has no field "${leaf.name}"`)
    })
  }
}

function joined(raw: RawFilter, resolveLeaf: (raw: RawCompare | RawField) => Condition): Condition {
  switch (raw.kind) {
    case 'and':
      return allOf(raw.children.map((child) => joined(child, resolveLeaf))) ?? always
    case 'or':
      return anyOf(raw.children.map((child) => joined(child, resolveLeaf)))
    case 'not':
      return negate(joined(raw.child, resolveLeaf))
    case 'added':
      throw new Error(
        `${raw.at}: a permission cannot use ${raw.operator.name}, which a plugin added to filters`,
      )
    default:
      return resolveLeaf(raw)
  }
}

/** Texts that `$null` and `$notNull` read as false, as in `filters`. */
const noes = new Set(['false', '0', 'f', ''])

const always = constant(true)

function comparison(
  { operator, values }: RawCompare,
  attribute: ValueAttribute,
  runtime: ReadonlyMap<string, RuntimeValue>,
): Condition {
  const { operand, on } = operators[operator]
  if (on === 'text' || on === 'prefix')
    throw new Error(`"${attribute.name}": ${operator} compares texts; a permission takes exact values`)
  if (!attribute.type.operators.includes(on))
    throw new Error(`"${attribute.name}" does not compare by ${operator}`)
  const read = (text: string) => runtime.get(text) ?? attribute.type.fromQuery(text, attribute.definition)
  switch (operand) {
    case 'flag':
      return compare(attribute, (operator === '$null') === !noes.has(values[0] ?? '') ? '$null' : '$notNull')
    case 'pair':
      return compare(attribute, operator, ...values.map(read))
    case 'one':
      return anyOf(values.map((text) => compare(attribute, operator, read(text))))
    // A list is one parameter of the statement and cannot contain a runtime value: one comparison per element.
    case 'list':
      return operator === '$in'
        ? anyOf(values.map((text) => compare(attribute, '$eq', read(text))))
        : (allOf(values.map((text) => compare(attribute, '$ne', read(text)))) ?? always)
  }
}
