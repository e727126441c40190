import type { Condition, OrderTerm, PlanChild, PlanNode, QueryPlan } from '../plan/plan.ts'

/** A removable part of a request: its place, and the plan without it. */
export interface Part {
  /** The place in the query string: `filters[author][articles]`, `sort=author.name`, `populate[author][populate][articles]`. */
  readonly at: string
  readonly without: QueryPlan
}

/** Whether a statement reads lists of related entries, in a filter, a sort, or a populated list without a limit. */
export const goesOverLists = ({ root }: QueryPlan): boolean => nodeGoesOverLists(root)

function nodeGoesOverLists(node: PlanNode): boolean {
  return (
    (node.where !== undefined && filtersByLists(node.where)) ||
    node.order.some(({ path }) => path.some(({ attribute }) => isMany(attribute))) ||
    node.children.some((child) => {
      if (child.kind === 'zone') return child.nodes.some(nodeGoesOverLists)
      const isList = child.kind === 'relation' && child.attribute.many
      return (isList && child.node.slice?.limit === undefined) || nodeGoesOverLists(child.node)
    })
  )
}

const isMany = (attribute: OrderTerm['path'][number]['attribute']): boolean =>
  attribute.kind === 'component' ? attribute.repeatable : attribute.many

function filtersByLists(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.children.some(filtersByLists)
    case 'not':
      return filtersByLists(condition.child)
    case 'related':
      return isMany(condition.attribute) || filtersByLists(condition.child)
    default:
      return false
  }
}

/** The values that change the price of a statement: the limits of its lists, and the powers of two next to their offsets. */
export function pageSizes({ root }: QueryPlan): string {
  const sizes: (number | undefined)[] = []
  const visit = (node: PlanNode): void => {
    sizes.push(node.slice?.limit, Math.ceil(Math.log2((node.slice?.offset ?? 0) + 1)))
    for (const child of node.children)
      if (child.kind === 'zone') child.nodes.forEach(visit)
      else visit(child.node)
  }
  visit(root)
  return sizes.join()
}

/** The parts of a request, each with its deepest place. Conditions of plugins are among the filters. */
export function partsOf(plan: QueryPlan): readonly Part[] {
  const { root } = plan
  const parts: Part[] = []
  const part = (at: string, changed: Partial<PlanNode>): void => {
    parts.push({ at, without: { ...plan, root: { ...root, ...changed } } })
  }
  for (const [i, term] of root.order.entries()) {
    if (term.path.length === 0 && term.attribute === root.model.id) continue
    const names = [...term.path.map(({ attribute }) => attribute.name), term.attribute.name]
    part(`sort=${names.join('.')}`, { order: root.order.filter((_, n) => n !== i) })
  }
  const conditions = root.where?.kind === 'and' ? root.where.children : root.where ? [root.where] : []
  for (const [i, condition] of conditions.entries())
    part(isSearch(condition) ? '_q' : `filters${deepestFilter(condition)}`, {
      where: { kind: 'and', children: [...conditions.filter((_, n) => n !== i), always] },
    })
  for (const [i, child] of root.children.entries())
    part(deepestPopulate(child), { children: root.children.filter((_, n) => n !== i) })
  // The deepest first: they are the most likely to be expensive.
  return parts.toSorted((one, other) => depth(other.at) - depth(one.at))
}

/** Only `_q` has `matches`, or compares all columns as texts, the id first. */
const isSearch = (condition: Condition): boolean =>
  condition.kind === 'matches' ||
  (condition.kind === 'or' &&
    condition.children.every(
      (one, i) => one.kind === 'compare' && one.asText && (i > 0 || one.attribute.name === 'id'),
    ))

const always: Condition = { kind: 'constant', value: true }

/** The longest path of relations in a condition, in brackets. */
function deepestFilter(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.children.map(deepestFilter).reduce(longer, '')
    case 'not':
      return deepestFilter(condition.child)
    case 'related':
      return `[${condition.attribute.name}]${deepestFilter(condition.child)}`
    case 'compare':
    case 'added':
      return `[${condition.attribute.name}]`
    case 'matches':
    case 'constant':
      return ''
  }
}

function deepestPopulate(child: PlanChild): string {
  const nodes = child.kind === 'zone' ? child.nodes : [child.node]
  const below = nodes.flatMap(({ children }) => children.map(deepestPopulate)).reduce(longer, '')
  return `populate[${child.attribute.name}]${below === '' ? '' : below.replace('populate', '[populate]')}`
}

const depth = (at: string): number => at.split(/[[.]/).length
const longer = (one: string, other: string): string => (depth(other) > depth(one) ? other : one)
