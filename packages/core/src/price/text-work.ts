import type { ComponentAttribute, Model, RelationAttribute, ValueAttribute } from '../content-type/model.ts'
import { comparesText, type OperatorName, operators } from '../operator/table.ts'
import type { Condition, OrderTerm, PlanChild, PlanNode, QueryPlan } from '../plan/plan.ts'

type Compare = Extract<Condition, { kind: 'compare' }>

/** The operators that take each text to lower case first. */
const caseless: ReadonlySet<OperatorName> = new Set([
  '$eqi',
  '$nei',
  '$containsi',
  '$notContainsi',
  '$startsWithi',
  '$endsWithi',
])

/** Sizes of tables, 0 where unknown. */
export interface Sizes {
  rows(table: string): number
  /** Average bytes of a text in a column. */
  bytes(table: string, column: string): number
}

/**
 * Costs that PostgreSQL's estimate does not have: for it, comparing two numbers and searching a text of any length are the
 * same 0.0025. In its unit, from measurements on the embedded database, which does about 100 units in a millisecond
 * (docs/cost.md): for each comparison, and for each byte of the text.
 */
const searchCost = { comparison: 0.05, byte: 0.0005 }
const caselessCost = { comparison: 0.05, byte: 0.002 }
/** Finding the words of a text that has no column with them. */
const wordsCost = { comparison: 0.2, byte: 0.02 }
/** For each row that a sort stores until it has passed the offset. */
const sortedRowCost = 2
/** PostgreSQL compresses longer texts or stores them apart, so a sort reads them anew for each comparison. */
const storedApart = 2_000

/** The cost of the texts that a statement compares, in the unit of PostgreSQL's estimate, which does not contain it. */
export function textWork({ root }: QueryPlan, sizes: Sizes): number {
  return nodeWork(root, sizes.rows(root.model.table), 1, sizes)
}

/**
 * @param rows Entries that the node selects from, for each parent.
 * @param parents Parents with a list of their own.
 */
function nodeWork(node: PlanNode, rows: number, parents: number, sizes: Sizes): number {
  const { slice } = node
  const filter = node.where ? conditionWork(node.where, node.model, rows, sizes) : 0
  const sortedRows = Math.min(rows, (slice?.offset ?? 0) + (slice?.limit ?? rows))
  const sort = node.order.some(({ attribute }) => attribute !== node.model.id)
    ? sortedRows * sortedRowCost +
      node.order.reduce((sum, term) => sum + termWork(term, node.model, rows, sizes), 0)
    : 0
  const selected = parents * Math.min(rows, slice?.limit ?? rows)
  const below = node.children.reduce((sum, child) => sum + childWork(child, node.model, selected, sizes), 0)
  return parents * (filter + sort) + below
}

function childWork(child: PlanChild, model: Model, parents: number, sizes: Sizes): number {
  if (child.kind === 'zone') return 0 // a zone has neither filters nor sort
  return nodeWork(child.node, perEntry(child.attribute, model, child.node.model, sizes), parents, sizes)
}

/** Related entries of one entry, on average. */
function perEntry(
  attribute: RelationAttribute | ComponentAttribute,
  model: Model,
  target: Model,
  sizes: Sizes,
): number {
  const isMany = attribute.kind === 'component' ? attribute.repeatable : attribute.many
  if (!isMany) return 1
  const { table } = attribute.kind === 'relation' && 'table' in attribute.storage ? attribute.storage : target
  return Math.max(1, sizes.rows(table) / Math.max(1, sizes.rows(model.table)))
}

function conditionWork(condition: Condition, model: Model, rows: number, sizes: Sizes): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.children.reduce((sum, child) => sum + conditionWork(child, model, rows, sizes), 0)
    case 'not':
      return conditionWork(condition.child, model, rows, sizes)
    case 'related': {
      // PostgreSQL compares related entries once, in a hash table, or once for each entry that leads to them.
      const reached = Math.max(rows, sizes.rows(condition.target.table))
      const scope = condition.scope ? conditionWork(condition.scope, condition.target, reached, sizes) : 0
      return scope + conditionWork(condition.child, condition.target, reached, sizes)
    }
    case 'compare':
      return rows * comparisonCost(condition, model, sizes)
    case 'matches': {
      const { search, attributes } = condition
      if (attributes.length === search.attributes.length) return 0 // by the index
      const bytes = attributes.reduce((sum, attribute) => sum + bytesOf(attribute, model, sizes), 0)
      return rows * (wordsCost.comparison + wordsCost.byte * bytes)
    }
    // PostgreSQL's estimate has the functions of a plugin's condition.
    case 'added':
    case 'constant':
      return 0
  }
}

function comparisonCost({ operator, asText, attribute }: Compare, model: Model, sizes: Sizes): number {
  if (!asText && !comparesText(operators[operator].on)) return 0
  const { comparison, byte } = caseless.has(operator) ? caselessCost : searchCost
  return comparison + byte * bytesOf(attribute, model, sizes)
}

/** The bytes that a value is read from: for a computed one, those of all its columns. */
const bytesOf = (attribute: ValueAttribute, { table }: Model, sizes: Sizes): number =>
  (attribute.kind === 'computed' ? attribute.from : [attribute]).reduce(
    (sum, { column }) => sum + sizes.bytes(table, column),
    0,
  )

/** Long texts are read for each of about log2(n) comparisons. */
function termWork({ path, attribute }: OrderTerm, model: Model, rows: number, sizes: Sizes): number {
  const bytes = bytesOf(attribute, path.at(-1)?.target ?? model, sizes)
  return bytes < storedApart ? 0 : rows * Math.log2(rows + 2) * bytes * searchCost.byte
}
