import type { Bindable } from '@octavo/database'
import type { ExplainedNode } from '../explanation.ts'
import { allOf, constant } from '../plan/condition.ts'
import {
  type Condition,
  nameOf,
  type Operand,
  type OrderTerm,
  type PlanChild,
  type PlanNode,
  type RuntimeValue,
} from '../plan/plan.ts'
import { nodesOf } from '../plan/walk.ts'

export interface ShownValues {
  /** Whether values of comparisons are included. */
  readonly values: boolean
  /** The value that depends on the request. */
  readonly runtime: (value: RuntimeValue) => Bindable
}

/** The nodes of a plan as plain data. */
export function describeNode(node: PlanNode, shown: ShownValues, at = '', count = false): ExplainedNode {
  const { limit, offset } = node.slice ?? {}
  return {
    at,
    model: node.model.uid,
    fields: node.select.map(({ name }) => name),
    ...(node.where && { where: describeCondition(node.where, shown) }),
    sort: node.order.map(describeTerm),
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && offset > 0 && { offset }),
    ...(count && { count }),
    children: node.children.flatMap((child) => describeChild(child, shown, at)),
  }
}

function describeChild(child: PlanChild, shown: ShownValues, above: string): readonly ExplainedNode[] {
  const at = populatePath([nameOf(child)], above)
  if (child.kind === 'zone' || child.kind === 'uses')
    return nodesOf(child).map((node) => describeNode(node, shown, `${at}[on][${node.model.uid}]`))
  return [describeNode(child.node, shown, at, child.kind === 'count')]
}

/** `populate[author][populate][articles]` */
export const populatePath = (names: readonly string[], above = ''): string =>
  names.reduce((path, name) => (path === '' ? `populate[${name}]` : `${path}[populate][${name}]`), above)

const describeTerm = ({ path, attribute, direction }: OrderTerm): string =>
  `${[...path.map((step) => step.attribute.name), attribute.name].join('.')}:${direction}`

/**
 * A condition in the form of `filters`: `{ publishedAt: { $lte: { $runtime: 'now' } } }`. Without values each one is `?`.
 */
export function describeCondition(condition: Condition, shown: ShownValues): unknown {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { [`$${condition.kind}`]: condition.children.map((child) => describeCondition(child, shown)) }
    case 'not':
      return { $not: describeCondition(condition.child, shown) }
    case 'compare': {
      const operands = condition.operands.map((operand) => describeOperand(operand, shown))
      const value = operands.length === 0 ? true : operands.length === 1 ? operands[0] : operands
      return { [condition.attribute.name]: { [condition.operator]: value } }
    }
    case 'added':
      return {
        [condition.attribute.name]: { [condition.operator.name]: shown.values ? condition.operand : '?' },
      }
    case 'related': {
      const { attribute, within, child } = condition
      const parts = [child, ...(within ? [within] : [])].map((part) => describeCondition(part, shown))
      return { [attribute.name]: parts.length === 1 ? parts[0] : { $and: parts } }
    }
    case 'matches':
      return { _q: shown.values ? condition.phrase : '?' }
    case 'constant':
      return condition.value
  }
}

function describeOperand(operand: Operand, { values, runtime }: ShownValues): unknown {
  if (operand.kind === 'now' || operand.kind === 'written') return { $runtime: operand.kind }
  if (operand.kind === 'runtime')
    return { $runtime: operand.value.name, ...(values && { value: runtime(operand.value) }) }
  return values ? operand.value : '?'
}

/** The condition without one of the conditions that it joins by AND. */
export function withoutCondition(whole: Condition | undefined, part: Condition): Condition | undefined {
  if (whole === part) return undefined
  if (whole?.kind !== 'and') return whole
  const children = whole.children.flatMap((child) => withoutCondition(child, part) ?? [])
  return allOf(children) ?? constant(true)
}
