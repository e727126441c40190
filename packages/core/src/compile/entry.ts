import { type Model, ownerColumns, type ValueAttribute } from '../content-type/model.ts'
import { assertNever } from '../plan/condition.ts'
import type { PlanChild, PlanMeta, PlanNode } from '../plan/plan.ts'
import { type Aliases, column, join, type Sql, sql, table, where } from '../sql/sql.ts'
import { compileCondition } from './condition.ts'
import { ownedBy, reach } from './from.ts'
import { compileOrder } from './order.ts'
import { limit } from './pages.ts'
import { valueSql } from './value.ts'

/**
 * The select list of a returned row: `id` and `attributes` for an entry, `id` and the fields for a component.
 * `row_to_json` over it is the JSON. Unlike `json_build_object` and `json_agg` it has no limit of keys and, like
 * `array_to_json`, writes no whitespace.
 */
export function selectList(node: PlanNode, alias: string, aliases: Aliases): Sql {
  const id = sql`${column(alias, node.model.id.column)} as "id"`
  const fields = [
    ...node.select.map(
      (attribute) => sql`${valueJson(attribute, alias, aliases)} as ${sql.id(attribute.name)}`,
    ),
    ...node.children.map(
      (child) => sql`${compileChild(child, node.model, alias, aliases)} as ${sql.id(child.attribute.name)}`,
    ),
  ]
  if (node.model.kind === 'component') return join([id, ...fields], ', ')
  const attributes = sql`${object(fields, aliases)} as "attributes"`
  if (!node.meta) return join([id, attributes], ', ')
  const terms = node.meta.map(
    (term) => sql`${compileMeta(term, node.model, alias, aliases)} as ${sql.id(term.name)}`,
  )
  return join([id, attributes, sql`${object(terms, aliases)} as "meta"`], ', ')
}

/** A value in JSON. For a function it is an object of the values that it is computed from, until `execute` replaces it. */
function valueJson(attribute: ValueAttribute, alias: string, aliases: Aliases): Sql {
  if (attribute.kind === 'scalar' || attribute.compute.kind === 'sql')
    return attribute.type.toJson(valueSql(attribute, alias))
  return object(
    attribute.from.map(
      ({ name, type, column: own }) => sql`${type.toJson(column(alias, own))} as ${sql.id(name)}`,
    ),
    aliases,
  )
}

/** A JSON object of named columns. `t.*`, because `t` alone would be the attribute of that name if there is one. */
function object(columns: readonly Sql[], aliases: Aliases): Sql {
  if (columns.length === 0) return sql`'{}'::json`
  const row = sql.id(aliases.next())
  return sql`(select row_to_json(${row}.*) from (select ${join(columns, ', ')}) as ${row})`
}

/** The distinct values of an attribute over a relation, sorted. */
function compileMeta(
  { relation, attribute, scope }: PlanMeta,
  owner: Model,
  parent: string,
  aliases: Aliases,
): Sql {
  const alias = aliases.next()
  // `meta` only uses relations to the same type: siblings.
  const reached = reach(relation, owner, parent, owner, alias, aliases)
  const value = column(alias, attribute.column)
  const seen = scope && compileCondition(scope, owner, alias, aliases)
  return sql`coalesce((select array_to_json(array_agg(distinct ${value} order by ${value})) from ${reached.from}${where([reached.on, sql`${value} is not null`, seen])}), '[]'::json)`
}

function compileChild(child: PlanChild, owner: Model, parent: string, aliases: Aliases): Sql {
  switch (child.kind) {
    case 'count':
      return ['count', 'attributes', 'data'].reduce(
        (inner, key) => object([sql`${inner} as ${sql.id(key)}`], aliases),
        sql`(${countOf(child, owner, parent, aliases)})`,
      )
    case 'relation': {
      const { many, empty } = child.attribute
      const data = many
        ? list(rowsOf(child, owner, parent, aliases), empty === 'list', aliases)
        : first(rowsOf(child, owner, parent, aliases), aliases)
      return object([sql`${data} as "data"`], aliases)
    }
    case 'component': {
      const rows = rowsOf(child, owner, parent, aliases)
      return child.attribute.repeatable ? list(rows, true, aliases) : first(rows, aliases)
    }
    case 'zone':
      return compileZone(child, owner, parent, aliases)
    default:
      return assertNever(child)
  }
}

/** The table of a child with its alias, and the conditions on its rows. */
function reachNode(
  { attribute, node }: Extract<PlanChild, { kind: 'relation' | 'component' | 'count' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
) {
  const alias = aliases.next()
  const reached = reach(attribute, owner, parent, node.model, alias, aliases)
  const condition = node.where && compileCondition(node.where, node.model, alias, aliases)
  return { alias, reached, condition }
}

/** The rows of a relation or component of one parent, in their order. */
function rowsOf(
  child: Extract<PlanChild, { kind: 'relation' | 'component' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
): Sql {
  const { attribute, node } = child
  const { alias, reached, condition } = reachNode(child, owner, parent, aliases)
  const order =
    node.order.length > 0
      ? node.order.map((term) => compileOrder(term, node.model, alias, aliases))
      : reached.order
  const isMany = attribute.kind === 'component' ? attribute.repeatable : attribute.many
  const slice = isMany ? limit(node.slice, aliases) : sql` limit 1`
  return sql`select ${selectList(node, alias, aliases)} from ${reached.from}${where([reached.on, condition])}${orderBy(order)}${slice}`
}

function countOf(
  child: Extract<PlanChild, { kind: 'count' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
): Sql {
  const { reached, condition } = reachNode(child, owner, parent, aliases)
  return sql`select count(*) from ${reached.from}${where([reached.on, condition])}`
}

/** The items of all components, in their common order. */
function compileZone(
  { attribute, nodes }: Extract<PlanChild, { kind: 'zone' }>,
  owner: Model,
  parent: string,
  aliases: Aliases,
): Sql {
  if (nodes.length === 0) return sql`'[]'::json`
  const branches = nodes.map((node) => {
    const alias = aliases.next()
    const row = aliases.next()
    const on = ownedBy(alias, owner, column(parent, owner.id.column), attribute.name)
    const condition = node.where && compileCondition(node.where, node.model, alias, aliases)
    const fields = sql`${sql.lit(node.model.uid)}::text as "__component", ${selectList(node, alias, aliases)}`
    return sql`select ${column(alias, ownerColumns.position)} as "position", (select row_to_json(${sql.id(row)}.*) from (select ${fields}) as ${sql.id(row)}) as "item" from ${table(node.model.table, alias)}${where([on, condition])}`
  })
  const items = aliases.next()
  return sql`coalesce((select array_to_json(array_agg(${column(items, 'item')} order by ${column(items, 'position')})) from (${join(branches, ' union all ')}) as ${sql.id(items)}), '[]'::json)`
}

function list(rows: Sql, emptyList: boolean, aliases: Aliases): Sql {
  const alias = sql.id(aliases.next())
  return emptyList
    ? sql`array_to_json(array(select row_to_json(${alias}.*) from (${rows}) as ${alias}))`
    : sql`(select array_to_json(array_agg(row_to_json(${alias}.*))) from (${rows}) as ${alias})`
}

function first(rows: Sql, aliases: Aliases): Sql {
  const alias = sql.id(aliases.next())
  return sql`(select row_to_json(${alias}.*) from (${rows}) as ${alias})`
}

export const orderBy = (terms: readonly Sql[]): Sql =>
  terms.length === 0 ? sql`` : sql` order by ${join(terms, ', ')}`
